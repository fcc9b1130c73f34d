#pragma once

/// How often the calling thread has asked for memory since it started: malloc, calloc, realloc and the
/// aligned kinds, whoever called them. A test program that contains this file counts.
long allocation_count(void);
