/* What the generators' bits become: uniform in (0, 1], normal by Box and Muller, log-normal: cuRAND's, those
 * of floats by the GPU's own functions. */
#ifndef MUSASHIM_CRT_RANDOM_DISTRIBUTIONS_H
#define MUSASHIM_CRT_RANDOM_DISTRIBUTIONS_H

#include "gpu_math.h"
#include "gpu_math_double.h"
#include "math_functions.h"
#include "random_mrg32k3a.h"
#include "random_philox.h"
#include "random_xorwow.h"

inline __device__ float __musa_random_uniform(unsigned int x) {
  return fmaf((float)x, 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}

inline __device__ double __musa_random_uniform(unsigned int x, unsigned int y) {
  const unsigned long long z = (unsigned long long)x ^ (unsigned long long)y << (53 - 32);
  return fma((double)z, 1.1102230246251565e-16, 1.1102230246251565e-16 / 2.0);
}

inline __device__ float2 __musa_box_muller(float u, float angle) {
  const float radius = sqrtf(-2.0f * __musa_gpu_logf(u));
  float sine, cosine;
  __musa_gpu_sincosf(angle, &sine, &cosine);
  return make_float2(radius * sine, radius * cosine);
}
inline __device__ float2 __musa_box_muller(unsigned int x, unsigned int y) {
  const float step = 2.3283064e-10f * 6.2831855f;
  return __musa_box_muller(__musa_random_uniform(x), fmaf((float)y, step, step / 2.0f));
}

/* Of two uniform numbers. */
inline __device__ double2 __musa_box_muller(double u, double v) {
  const double radius = sqrt(-2.0 * __musa_gpu_log(u));
  double sine, cosine;
  __musa_gpu_sincospi(2.0 * v, &sine, &cosine);
  return make_double2(radius * sine, radius * cosine);
}

/* Generators of 32-bit words. */
template <class State>
inline __device__ float murand_uniform(State* state) {
  return __musa_random_uniform(murand(state));
}
template <class State>
inline __device__ double __musa_random_double(State* state) {
  const unsigned int x = murand(state), y = murand(state);
  return __musa_random_uniform(x, y);
}
inline __device__ double murand_uniform_double(murandStateXORWOW_t* state) {
  return __musa_random_double(state);
}
inline __device__ double murand_uniform_double(murandStatePhilox4_32_10_t* state) {
  return (murand(state) + 1.0) * 2.3283064365386963e-10;
}
template <class State>
inline __device__ float2 murand_normal2(State* state) {
  const unsigned int x = murand(state), y = murand(state);
  return __musa_box_muller(x, y);
}
template <class State>
inline __device__ double2 murand_normal2_double(State* state) {
  const double u = __musa_random_double(state), v = __musa_random_double(state);
  return __musa_box_muller(u, v);
}

/* The generator of numbers up to m1. */
inline __device__ double murand_uniform_double(murandStateMRG32k3a_t* state) {
  return murand_MRG32k3a(state) * 2.3283065498378288e-10;
}
inline __device__ float murand_uniform(murandStateMRG32k3a_t* state) {
  return (float)murand_uniform_double(state);
}
inline __device__ double2 murand_normal2_double(murandStateMRG32k3a_t* state) {
  const double u = murand_uniform_double(state), v = murand_uniform_double(state);
  return __musa_box_muller(u, v);
}
inline __device__ float2 murand_normal2(murandStateMRG32k3a_t* state) {
  const float u = murand_uniform(state), v = murand_uniform(state);
  return __musa_box_muller(u, v * 6.2831855f);
}

/* Normal numbers come in pairs; the second waits for the next call. */
template <class State>
inline __device__ float murand_normal(State* state) {
  if (state->boxmuller_flag != 0) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = murand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = 1;
  return pair.x;
}
template <class State>
inline __device__ double murand_normal_double(State* state) {
  if (state->boxmuller_flag_double != 0) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = murand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = 1;
  return pair.x;
}

inline __device__ float __musa_log_normal(float normal, float mean, float stddev) {
  return __musa_gpu_expf(fmaf(stddev, normal, mean));
}
inline __device__ double __musa_log_normal(double normal, double mean, double stddev) {
  return __musa_gpu_exp(fma(stddev, normal, mean));
}
template <class State>
inline __device__ float murand_log_normal(State* state, float mean, float stddev) {
  return __musa_log_normal(murand_normal(state), mean, stddev);
}
template <class State>
inline __device__ float2 murand_log_normal2(State* state, float mean, float stddev) {
  const float2 pair = murand_normal2(state);
  return make_float2(__musa_log_normal(pair.x, mean, stddev), __musa_log_normal(pair.y, mean, stddev));
}
template <class State>
inline __device__ double murand_log_normal_double(State* state, double mean, double stddev) {
  return __musa_log_normal(murand_normal_double(state), mean, stddev);
}
template <class State>
inline __device__ double2 murand_log_normal2_double(State* state, double mean, double stddev) {
  const double2 pair = murand_normal2_double(state);
  return make_double2(__musa_log_normal(pair.x, mean, stddev), __musa_log_normal(pair.y, mean, stddev));
}

/* Four at a time, and two doubles. */
inline __device__ float4 murand_uniform4(murandStatePhilox4_32_10_t* state) {
  const uint4 x = murand4(state);
  return make_float4(__musa_random_uniform(x.x), __musa_random_uniform(x.y), __musa_random_uniform(x.z),
                     __musa_random_uniform(x.w));
}
inline __device__ double2 murand_uniform2_double(murandStatePhilox4_32_10_t* state) {
  const uint4 x = murand4(state);
  return make_double2(__musa_random_uniform(x.x, x.y), __musa_random_uniform(x.z, x.w));
}
/* As two calls for two doubles each. */
inline __device__ double4 murand_uniform4_double(murandStatePhilox4_32_10_t* state) {
  const double2 a = murand_uniform2_double(state), b = murand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}
inline __device__ float4 murand_normal4(murandStatePhilox4_32_10_t* state) {
  const uint4 x = murand4(state);
  const float2 a = __musa_box_muller(x.x, x.y), b = __musa_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
inline __device__ double4 murand_normal4_double(murandStatePhilox4_32_10_t* state) {
  const double4 x = murand_uniform4_double(state);
  const double2 a = __musa_box_muller(x.x, x.y), b = __musa_box_muller(x.z, x.w);
  return make_double4(a.x, a.y, b.x, b.y);
}
inline __device__ float4 murand_log_normal4(murandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float4 x = murand_normal4(state);
  return make_float4(__musa_log_normal(x.x, mean, stddev), __musa_log_normal(x.y, mean, stddev),
                     __musa_log_normal(x.z, mean, stddev), __musa_log_normal(x.w, mean, stddev));
}
inline __device__ double4 murand_log_normal4_double(murandStatePhilox4_32_10_t* state, double mean,
                                                    double stddev) {
  const double4 x = murand_normal4_double(state);
  return make_double4(__musa_log_normal(x.x, mean, stddev), __musa_log_normal(x.y, mean, stddev),
                      __musa_log_normal(x.z, mean, stddev), __musa_log_normal(x.w, mean, stddev));
}

#endif
