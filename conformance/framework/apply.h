// Device functions over lists of operands: what each gives, as values or as one checksum.
//
//   APPLY2(unsigned, unsigned, __vadd2);            // a functor type APPLIED(__vadd2) of two unsigned
//   OBSERVE("__vadd2", appliedToPairs<APPLIED(__vadd2)>(in));  // over all pairs of `in`
#pragma once

#include <string>
#include <vector>

#include "buffers.h"

#define APPLIED(name) applied_##name
#define APPLY1(R, A, name)                                 \
  struct APPLIED(name) {                                   \
    typedef R Result;                                      \
    typedef A Operand;                                     \
    __device__ R operator()(A a) const { return name(a); } \
  }
#define APPLY2(R, A, name)                                         \
  struct APPLIED(name) {                                           \
    typedef R Result;                                              \
    typedef A Operand;                                             \
    __device__ R operator()(A a, A b) const { return name(a, b); } \
  }
#define APPLY3(R, A, name)                                                 \
  struct APPLIED(name) {                                                   \
    typedef R Result;                                                      \
    typedef A Operand;                                                     \
    __device__ R operator()(A a, A b, A c) const { return name(a, b, c); } \
  }

// A NaN's sign and payload are not compared.
__device__ inline float canonical(float x) { return x == x ? x : __int_as_float(0x7fffffff); }
__device__ inline double canonical(double x) {
  return x == x ? x : __longlong_as_double(0x7fffffffffffffffll);
}
template <class T>
__device__ T canonical(T x) {
  return x;
}

template <class F>
__global__ void applyToEach(const typename F::Operand* in, typename F::Result* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = canonical(F()(in[i]));
}
template <class F>
__global__ void applyToPairs(const typename F::Operand* in, typename F::Result* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count * count) out[i] = canonical(F()(in[i / count], in[i % count]));
}
template <class F>
__global__ void applyToTriples(const typename F::Operand* in, typename F::Result* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count * count)
    out[i] = canonical(F()(in[i / count], in[i % count], in[(i * 7 + i / count) % count]));
}

template <class F>
std::string appliedToEach(const std::vector<typename F::Operand>& in) {
  DeviceArray<typename F::Operand> operands(in);
  DeviceArray<typename F::Result> results(in.size());
  const int count = static_cast<int>(in.size());
  applyToEach<F><<<(count + 127) / 128, 128>>>(operands.data(), results.data(), count);
  return joined(results.read());
}
template <class F>
std::string appliedToPairs(const std::vector<typename F::Operand>& in) {
  DeviceArray<typename F::Operand> operands(in);
  DeviceArray<typename F::Result> results(in.size() * in.size());
  const int count = static_cast<int>(in.size());
  applyToPairs<F><<<(count * count + 127) / 128, 128>>>(operands.data(), results.data(), count);
  return joined(results.read());
}
template <class F>
std::string appliedToTriples(const std::vector<typename F::Operand>& in) {
  DeviceArray<typename F::Operand> operands(in);
  DeviceArray<typename F::Result> results(in.size() * in.size());
  const int count = static_cast<int>(in.size());
  applyToTriples<F><<<(count * count + 127) / 128, 128>>>(operands.data(), results.data(), count);
  return joined(results.read());
}
