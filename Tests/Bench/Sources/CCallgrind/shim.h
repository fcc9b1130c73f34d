#pragma once

// Requests to callgrind, which are macros. Without valgrind they are five instructions that do nothing; without its
// header, nothing.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define BENCH_CALLGRIND(request) request
#else
#define BENCH_CALLGRIND(request)
#endif

static inline void callgrind_start(void) { BENCH_CALLGRIND(CALLGRIND_START_INSTRUMENTATION); }
static inline void callgrind_stop(void) { BENCH_CALLGRIND(CALLGRIND_STOP_INSTRUMENTATION); }
static inline void callgrind_zero(void) { BENCH_CALLGRIND(CALLGRIND_ZERO_STATS); }
static inline void callgrind_write(const char *name) { BENCH_CALLGRIND(CALLGRIND_DUMP_STATS_AT(name)); }
