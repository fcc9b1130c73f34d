#pragma once
// Arithmetic that Swift's library lacks on ARM, as one operation each: Ink/Arithmetic+ARM.swift and
// Raster/SIMD4+ARMv7.swift. Swift imports the vectors as SIMD2<Float> and SIMD4<Float>.
#include <stdint.h>

typedef float CSIMD_float2 __attribute__((ext_vector_type(2)));
typedef float CSIMD_float4 __attribute__((ext_vector_type(4)));
typedef int32_t CSIMD_int4 __attribute__((ext_vector_type(4)));

static inline CSIMD_float2 CSIMD_add2(CSIMD_float2 a, CSIMD_float2 b) { return a + b; }
static inline CSIMD_float2 CSIMD_subtract2(CSIMD_float2 a, CSIMD_float2 b) { return a - b; }
static inline CSIMD_float2 CSIMD_multiply2(CSIMD_float2 a, CSIMD_float2 b) { return a * b; }

static inline CSIMD_float4 CSIMD_add(CSIMD_float4 a, CSIMD_float4 b) { return a + b; }
static inline CSIMD_float4 CSIMD_subtract(CSIMD_float4 a, CSIMD_float4 b) { return a - b; }
static inline CSIMD_float4 CSIMD_multiply(CSIMD_float4 a, CSIMD_float4 b) { return a * b; }

static inline float CSIMD_float(uint32_t number) { return (float)number; }

/// The elements of `b` where those of `mask` are −1, and those of `a` where they are 0.
static inline CSIMD_float4 CSIMD_select(CSIMD_float4 a, CSIMD_float4 b, CSIMD_int4 mask) {
  return (CSIMD_float4)(((CSIMD_int4)a & ~mask) | ((CSIMD_int4)b & mask));
}

#if defined(__aarch64__)
/// One instruction each on this processor, which differ over NaN: here the number, if one of the two is NaN.
static inline float CSIMD_minimum(float a, float b) { return __builtin_fminf(a, b); }
static inline float CSIMD_maximum(float a, float b) { return __builtin_fmaxf(a, b); }
#elif defined(__arm__)
/// NaN, if one of the two is NaN.
static inline float CSIMD_minimum(float a, float b) { return __builtin_elementwise_minimum(a, b); }
static inline float CSIMD_maximum(float a, float b) { return __builtin_elementwise_maximum(a, b); }
#endif
