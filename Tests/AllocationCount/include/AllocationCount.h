#pragma once

#include <stdbool.h>
#include <stddef.h>

/// How often the calling thread has asked for memory since it started: malloc, calloc, realloc and the
/// aligned kinds, whoever called them. A test program that contains this file counts.
long allocation_count(void);

/// How often it has asked for 64 KiB or more at once.
long large_allocation_count(void);

/// Whether anything is counted: not under a sanitizer.
bool allocation_is_counted(void);

/// How many pages of a block the kernel has given so far: those that were written. −1: it does not tell. Of blocks
/// of many MiB: smaller ones may be made of what was freed before (mallopt(3)).
long held_pages(const void *block, size_t size);
