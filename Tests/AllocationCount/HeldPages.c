#define _GNU_SOURCE
#include "AllocationCount.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <unistd.h>

// A huge page would be counted for the first byte that is written in it.
__attribute__((constructor)) static void use_small_pages(void) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

// As in a daemon: glibc would otherwise keep up to 64 MiB of freed memory, and make a new block of any size of it.
__attribute__((constructor)) static void return_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
}

// A 64-bit word for each page (Documentation/admin-guide/mm/pagemap.rst): bit 63 says that it is in memory,
// bit 62 that it was swapped out, which takes nothing from what was had.
long held_pages(const void *block, size_t size) {
  const uint64_t had = (uint64_t)3 << 62;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t at = (uintptr_t)block / page;
  const uintptr_t end = ((uintptr_t)block + size + page - 1) / page;
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (map < 0) return -1;
  long held = 0;
  while (at < end) {
    uint64_t words[1024];
    const size_t wanted = end - at < 1024 ? end - at : 1024;
    if (pread(map, words, wanted * 8, (off_t)(at * 8)) != (ssize_t)(wanted * 8)) {
      held = -1;
      break;
    }
    for (size_t index = 0; index < wanted; index++) held += (words[index] & had) != 0;
    at += wanted;
  }
  close(map);
  return held;
}
