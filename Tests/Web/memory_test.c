// Drives the allocator of ink.wasm, which takes 32-bit pointers, as a 32-bit program without a C library, with checks of
// undefined behaviour that trap. Blocks of random sizes are filled, compared, and freed. Exit status: 0, or the check
// that failed.
#include <stddef.h>
#include <stdint.h>

enum { PAGES = 1024 };
__attribute__((aligned(65536))) unsigned char arena[PAGES * 65536];
// The linker's symbol: the first byte that is free.
extern unsigned char __heap_base __attribute__((alias("arena")));
static size_t pages = 1;

static size_t memory_size(void) { return (uintptr_t)arena / 65536 + pages; }

static size_t memory_grow(size_t count) {
  if (count > PAGES - pages) return (size_t)-1;
  pages += count;
  return memory_size() - count;
}

#define __builtin_wasm_memory_size(index) memory_size()
#define __builtin_wasm_memory_grow(index, count) memory_grow(count)
#include "../../Sources/web-pages/ink/memory.c"

_Noreturn static void leave(int status) {
  __asm__ volatile("int $0x80" : : "a"(1), "b"(status));
  __builtin_unreachable();
}

static uint32_t state = 1;

static uint32_t random(uint32_t limit) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % limit;
}

enum { BLOCKS = 256 };
static unsigned char *blocks[BLOCKS];
static size_t sizes[BLOCKS];

static void release(uint32_t index) {
  for (size_t byte = 0; byte < sizes[index]; byte++)
    if (blocks[index][byte] != (unsigned char)index) leave(1);
  free(blocks[index]);
  blocks[index] = NULL;
}

__attribute__((force_align_arg_pointer)) void _start(void) {
  void *large;
  if (posix_memalign(&large, 16, SIZE_MAX) == 0 || posix_memalign(&large, 16, (size_t)1 << 30) == 0) leave(2);
  if (posix_memalign(&large, (size_t)1 << 20, 1) == 0) leave(3);
  for (int step = 0; step < 200000; step++) {
    uint32_t index = random(BLOCKS);
    if (blocks[index]) {
      release(index);
      continue;
    }
    size_t size = random(1u << (1 + random(15)));
    size_t alignment = (size_t)16 << random(9);
    void *block;
    if (posix_memalign(&block, alignment, size)) leave(4);
    if ((uintptr_t)block % alignment) leave(5);
    if ((unsigned char *)block < arena || (unsigned char *)block + size > arena + pages * 65536) leave(6);
    blocks[index] = block;
    sizes[index] = size;
    for (size_t byte = 0; byte < size; byte++) blocks[index][byte] = (unsigned char)index;
  }
  for (uint32_t index = 0; index < BLOCKS; index++)
    if (blocks[index]) release(index);
  free(NULL);
  for (float value = -3; value < 3; value += 0.125f)
    if (roundf(value) != (float)round(value)) leave(7);
  leave(0);
}
