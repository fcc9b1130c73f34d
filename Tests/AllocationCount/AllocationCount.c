#include "AllocationCount.h"

#include <errno.h>
#include <stddef.h>

// The program's definitions come before the C library's, for the program and for every library in it
// (ELF symbol interposition); glibc keeps its own under these names for the purpose.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local long count, large;

long allocation_count(void) { return count; }
long large_allocation_count(void) { return large; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#ifdef SANITIZED
// A sanitizer sees only what its own allocator gave.
bool allocation_is_counted(void) { return false; }
#else
bool allocation_is_counted(void) { return true; }

static void note(size_t size) {
  count++;
  large += size >= 1 << 16;
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  note(size);
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note(size);
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL && size != 0 ? ENOMEM : 0;
}
#endif
