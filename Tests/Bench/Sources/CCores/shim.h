/* sched_setaffinity(2) hides behind _GNU_SOURCE. Of the calling thread, the first 64 cores. */
#pragma once
#include <sys/syscall.h>
#include <unistd.h>
static inline long cores_allowed(unsigned long *bits) { return syscall(SYS_sched_getaffinity, 0, sizeof *bits, bits); }
static inline long stay_on_cores(unsigned long bits) { return syscall(SYS_sched_setaffinity, 0, sizeof bits, &bits); }
