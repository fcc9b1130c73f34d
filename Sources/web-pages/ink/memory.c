// What Embedded Swift expects from a C library, for ink.wasm: an allocator, the memory functions, and rounding.
#include <stddef.h>
#include <stdint.h>

#include "include/memory.h"

// The allocator. A block belongs to a size class; a freed block waits in the list of its class for the next block of the
// same class. The sizes of a drawing repeat (tiles, samples, paths), so nothing is split or joined, and memory is bounded
// by the largest use of each class. Classes are powers of two with four steps each: at most a quarter is unused.

enum { PAGE = 65536, HEADER = 16, SMALLEST = 5, CLASSES = 4 * (31 - SMALLEST) };

/// Precedes each block's bytes.
typedef struct block {
  struct block *next;
  void *start;
  uint32_t class;
  uint32_t unused;
} block;
_Static_assert(sizeof(block) == HEADER, "a header keeps blocks aligned to sixteen bytes");

extern unsigned char __heap_base;
static block *free_blocks[CLASSES];
static uintptr_t next_byte, end;

static size_t size_of_class(uint32_t class) {
  return (size_t)(4 + class % 4) << (SMALLEST - 2 + class / 4);
}

/// The smallest class that holds `size` bytes; CLASSES if none does.
static uint32_t class_of_size(size_t size) {
  if (size <= (size_t)1 << SMALLEST) return 0;
  uint32_t power = 31 - (uint32_t)__builtin_clz(size - 1);
  uint32_t class = 4 * (power - SMALLEST) + (uint32_t)(((size - 1) >> (power - 2)) & 3) + 1;
  return class < CLASSES ? class : CLASSES;
}

int ink_reserve(size_t size) {
  if (end == 0) {
    next_byte = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
  }
  if (size <= end - next_byte) return 1;
  size_t missing = size - (end - next_byte);
  size_t pages = missing / PAGE + 1;
  if (pages > 65536 || __builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
  end += pages * PAGE;
  return 1;
}

static block *new_block(uint32_t class) {
  block *found = free_blocks[class];
  if (found) {
    free_blocks[class] = found->next;
    return found;
  }
  // Some classes are no multiples of sixteen, which the next block's alignment needs.
  size_t size = (size_of_class(class) + HEADER + 15) & ~(size_t)15;
  if (!ink_reserve(size)) return NULL;
  found = (block *)next_byte;
  next_byte += size;
  found->class = class;
  return found;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  // The header before an aligned address points back to the block's own: it is the same, or lies behind it.
  size_t room = alignment > 16 ? alignment : 0;
  if (size > (size_t)1 << 30 || room > PAGE) return 12;  // ENOMEM
  uint32_t class = class_of_size(size + room);
  block *found = class < CLASSES ? new_block(class) : NULL;
  if (!found) return 12;
  uintptr_t address = (uintptr_t)(found + 1);
  if (room) address = (address + room - 1) & ~(uintptr_t)(room - 1);
  ((block *)address)[-1].start = found;
  *result = (void *)address;
  return 0;
}

void *malloc(size_t size) {
  void *result;
  return posix_memalign(&result, 16, size) ? NULL : result;
}

void free(void *address) {
  if (!address) return;
  block *found = ((block *)address)[-1].start;
  found->next = free_blocks[found->class];
  free_blocks[found->class] = found;
}

#ifdef __wasm__
// Instructions of WebAssembly's bulk memory. In assembly: the compiler may turn a builtin into a call of itself.
__attribute__((naked)) void *memset(void *to, int byte, size_t count) {
  __asm__("local.get 0\nlocal.get 1\nlocal.get 2\nmemory.fill 0\nlocal.get 0\nreturn");
}

__attribute__((naked)) void *memmove(void *to, const void *from, size_t count) {
  __asm__("local.get 0\nlocal.get 1\nlocal.get 2\nmemory.copy 0, 0\nlocal.get 0\nreturn");
}

__attribute__((naked)) void *memcpy(void *to, const void *from, size_t count) {
  __asm__("local.get 0\nlocal.get 1\nlocal.get 2\nmemory.copy 0, 0\nlocal.get 0\nreturn");
}
#endif

// WebAssembly rounds halves to even; C and Swift round them away from zero. The differences are exact.
float roundf(float value) {
  float whole = __builtin_truncf(value);
  return __builtin_fabsf(value - whole) >= 0.5f ? whole + __builtin_copysignf(1, value) : whole;
}

double round(double value) {
  double whole = __builtin_trunc(value);
  return __builtin_fabs(value - whole) >= 0.5 ? whole + __builtin_copysign(1, value) : whole;
}
