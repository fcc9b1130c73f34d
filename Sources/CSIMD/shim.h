#pragma once
// Arithmetic of vectors, which Swift imports as SIMD4<Float>, as one operation each: Raster/SIMD4+ARMv7.swift.
#include <stdint.h>

typedef float CSIMD_float4 __attribute__((ext_vector_type(4)));
typedef int32_t CSIMD_int4 __attribute__((ext_vector_type(4)));

static inline CSIMD_float4 CSIMD_add(CSIMD_float4 a, CSIMD_float4 b) { return a + b; }
static inline CSIMD_float4 CSIMD_subtract(CSIMD_float4 a, CSIMD_float4 b) { return a - b; }
static inline CSIMD_float4 CSIMD_multiply(CSIMD_float4 a, CSIMD_float4 b) { return a * b; }

/// The elements of `b` where those of `mask` are −1, and those of `a` where they are 0.
static inline CSIMD_float4 CSIMD_select(CSIMD_float4 a, CSIMD_float4 b, CSIMD_int4 mask) {
  return (CSIMD_float4)(((CSIMD_int4)a & ~mask) | ((CSIMD_int4)b & mask));
}
