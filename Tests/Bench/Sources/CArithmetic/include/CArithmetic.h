#pragma once
#include <stdint.h>

/// UberSignature's published arithmetic, bare, in points: what any model can be held against.
/// One touch in, up to two outlines out. kind: 1 dot, 2 line, 3 quad, 4 cubic, 0 none.
typedef struct { float x, y; } CPoint;
typedef struct { int32_t kind; float radius; CPoint points[8]; } COutline;
typedef struct { float x, y, weight; } CWeighted;
typedef struct { CWeighted points[4]; int32_t count; } CProvider;

void arithmetic_begin(CProvider *provider);
/// Bit 0: `tail` is new; bit 1: `finalised` is new.
int32_t arithmetic_add(CProvider *provider, float x, float y, COutline *tail, COutline *finalised);
