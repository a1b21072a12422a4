// 16-bit and 8-bit floating point in inline PTX: arithmetic, comparisons, conversions, atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_half");

constexpr int kPatterns = 40;

// Zeros, ones, large, small, denormal, infinite and undefined numbers of either format.
__device__ unsigned pattern(int i) {
  constexpr unsigned short kHalves[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x0001, 0x83ff,
                                        0x7c00, 0xfc00, 0x7e00, 0x3555, 0xb266, 0x4248, 0x5640, 0x0400};
  return kHalves[i % 16] | unsigned(kHalves[(i * 7 + 3) % 16]) << 16;
}

// Which undefined number a result is, is not asked.
__device__ unsigned plain(unsigned two, unsigned exponent) {
  for (int shift = 0; shift < 32; shift += 16) {
    const unsigned bits = two >> shift & 0x7fffu;
    if (bits > exponent) two = (two & ~(0xffffu << shift)) | 0x7fffu << shift;
  }
  return two;
}

#define FUNCTION(NAME, ...)                                      \
  __device__ unsigned NAME(unsigned a, unsigned b, unsigned c) { \
    (void)a, (void)b, (void)c;                                   \
    unsigned r;                                                  \
    __VA_ARGS__;                                                 \
    return r;                                                    \
  }

FUNCTION(addHalves, asm("add.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(subHalves, asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(mulHalves, asm("mul.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(addSaturated, asm("add.sat.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(maxHalves, asm("max.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(minHalvesNaN, asm("min.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(greater, asm("set.gt.u32.f16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(fmaHalves, asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(fmaRelu, asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(negHalves, asm("neg.f16x2 %0, %1;" : "=r"(r) : "r"(a)))
FUNCTION(absHalves, asm("abs.f16x2 %0, %1;" : "=r"(r) : "r"(a)))
FUNCTION(fmaBrains, asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)))
FUNCTION(maxBrains, asm("max.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)))
FUNCTION(negBrains, asm("neg.bf16x2 %0, %1;" : "=r"(r) : "r"(a)))

__device__ unsigned single(unsigned a, unsigned b, unsigned c) {
  const auto x = static_cast<unsigned short>(a), y = static_cast<unsigned short>(b >> 16);
  unsigned short sum, product, fused;
  unsigned less;
  asm("add.f16 %0, %1, %2;" : "=h"(sum) : "h"(x), "h"(y));
  asm("mul.rn.f16 %0, %1, %2;" : "=h"(product) : "h"(x), "h"(y));
  asm("{ .reg .f16 t; mov.b16 t, %3; fma.rn.f16 %0, %1, %2, t; }"
      : "=h"(fused)
      : "h"(x), "h"(y), "h"(static_cast<unsigned short>(c)));
  asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(less) : "h"(x), "h"(y));
  return plain(sum | unsigned(product) << 16, 0x7c00u) ^ plain(fused, 0x7c00u) * 3 ^ less << 30;
}

template <unsigned (*kFunction)(unsigned, unsigned, unsigned)>
__global__ void triples(unsigned* out, unsigned exponent) {
  const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(blockIdx.x);
  const unsigned r = kFunction(pattern(i), pattern(j), pattern(i * 3 + j));
  out[blockIdx.x * blockDim.x + threadIdx.x] = exponent != 0 ? plain(r, exponent) : r;
}

template <unsigned (*kFunction)(unsigned, unsigned, unsigned)>
static void observe(const char* name, unsigned exponent) {
  const DeviceArray<unsigned> out(kPatterns * kPatterns);
  triples<kFunction><<<kPatterns, kPatterns>>>(out.data(), exponent);
  OBSERVE(name, joined(out.read()));
}

__global__ void conversions(const float* in, unsigned* out, int count) {
  const int i = static_cast<int>(threadIdx.x);
  const float a = in[i], b = in[(i * 5 + 1) % count];
  unsigned short half, brain, e4m3, e5m2;
  unsigned halves, brains, relu, back;
  float up;
  int whole;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(a));
  asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(brain) : "f"(a));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(a), "f"(b));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(brains) : "f"(a), "f"(b));
  asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(relu) : "f"(a), "f"(b));
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(e4m3) : "f"(a), "f"(b));
  asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(e5m2) : "r"(halves));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(back) : "h"(e4m3));
  asm("cvt.f32.f16 %0, %1;" : "=f"(up) : "h"(half));
  asm("cvt.rni.s32.f16 %0, %1;" : "=r"(whole) : "h"(half));
  unsigned* mine = out + i * 10;
  mine[0] = plain(half, 0x7c00u);
  mine[1] = plain(brain, 0x7f80u);
  mine[2] = plain(halves, 0x7c00u);
  mine[3] = plain(brains, 0x7f80u);
  mine[4] = plain(relu, 0x7c00u);
  mine[5] = e4m3;
  mine[6] = e5m2;
  mine[7] = plain(back, 0x7c00u);
  mine[8] = up != up ? 1u : __float_as_uint(up);
  mine[9] = static_cast<unsigned>(whole);
}

__global__ void atomics(unsigned* words) {
  const unsigned one = 0x3c003c00u, brain = 0x3f803f80u;
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(words), "r"(one) : "memory");
  unsigned old;
  asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(words + 1), "r"(brain)
               : "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(words + 2), "r"(old >> 16 != 0 ? 1u : 0u)
               : "memory");
}

int main() {
  observe<addHalves>("add", 0x7c00u);
  observe<subHalves>("sub", 0x7c00u);
  observe<mulHalves>("mul", 0x7c00u);
  observe<addSaturated>("add_saturated", 0x7c00u);
  observe<maxHalves>("max", 0x7c00u);
  observe<minHalvesNaN>("min_nan", 0x7c00u);
  observe<greater>("greater", 0);
  observe<fmaHalves>("fma", 0x7c00u);
  observe<fmaRelu>("fma_relu", 0x7c00u);
  observe<negHalves>("neg", 0x7c00u);
  observe<absHalves>("abs", 0x7c00u);
  observe<fmaBrains>("fma_brain", 0x7f80u);
  observe<maxBrains>("max_brain", 0x7f80u);
  observe<negBrains>("neg_brain", 0x7f80u);
  observe<single>("single", 0);
  std::vector<float> numbers = {0.0f,  -0.0f, 1.0f,  -1.0f,  0.1f,   65504.0f, 65520.0f,
                                -1e6f, 6e-8f, 3e-8f, 448.0f, 465.0f, 0.0019f};
  for (int i = 0; i < 50; ++i)
    numbers.push_back((i % 2 == 0 ? 1.0f : -1.7f) * std::ldexp(1.37f + 0.011f * i, i - 25));
  numbers.push_back(INFINITY);
  numbers.push_back(NAN);
  const DeviceArray<float> in(numbers);
  const DeviceArray<unsigned> out(numbers.size() * 10);
  conversions<<<1, static_cast<unsigned>(numbers.size())>>>(in.data(), out.data(),
                                                            static_cast<int>(numbers.size()));
  OBSERVE("conversions", joined(out.read()));
  const DeviceArray<unsigned> words(std::vector<unsigned>(3, 0u));
  atomics<<<4, 32>>>(words.data());
  OBSERVE("atomics", joined(words.read()));
}
