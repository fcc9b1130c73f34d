#define _DEFAULT_SOURCE
#include "AllocationCount.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

// A huge page would be counted for the first byte that is written in it.
__attribute__((constructor)) static void use_small_pages(void) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

long resident_pages(const void *block, size_t size) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t end = (uintptr_t)block + size;
  long held = 0;
  for (uintptr_t at = (uintptr_t)block / page * page; at < end; at += page) {
    unsigned char state = 0;
    if (mincore((void *)at, page, &state) != 0) return -1;
    held += state & 1;
  }
  return held;
}
