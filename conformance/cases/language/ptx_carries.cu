// Carries of inline PTX that go from one statement to the next.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.ptx_carries");

using Word = unsigned long long;

__device__ __forceinline__ unsigned highOfSum(unsigned a, unsigned b) {
  unsigned high;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(high) : "r"(a), "r"(b));
  return high;
}

__global__ void sums(Word* out) {
  const unsigned i = threadIdx.x;
  const unsigned a = 0xffffffffu - i, b = 4u + i * 0x20000000u;
  unsigned low, middle, high;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(low) : "r"(a), "r"(b));
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(middle) : "r"(0xfffffffeu + i), "r"(0u));
  high = highOfSum(7u, i);
  out[4 * i] = static_cast<Word>(middle) << 32 | low;
  out[4 * i + 1] = high;
  Word lowWord, highWord;
  asm volatile("sub.cc.u64 %0, %1, %2;" : "=l"(lowWord) : "l"(Word{i}), "l"(Word{3}));
  asm volatile("subc.cc.u64 %0, %1, %2;" : "=l"(highWord) : "l"(Word{0}), "l"(Word{i / 2}));
  asm volatile("subc.u64 %0, %1, %2;" : "=l"(out[4 * i + 2]) : "l"(Word{100}), "l"(Word{1}));
  out[4 * i + 3] = lowWord ^ highWord << 8;
}

// Columns of 64 by 64 bits, as programs for long numbers write them; what is without .cc keeps the carry.
__global__ void products(unsigned* out) {
  const unsigned i = threadIdx.x;
  const unsigned a0 = 0xfffffff0u + i, a1 = 0x80000001u + i, b0 = 0xffffffffu - i, b1 = 0xc0000000u;
  unsigned r[4];
  asm volatile("mul.lo.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(a0), "r"(b0));
  asm volatile("mul.hi.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(a0), "r"(b0));
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r[1]) : "r"(a0), "r"(b1), "r"(r[1]));
  asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(a0), "r"(b1), "r"(0u));
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r[1]) : "r"(a1), "r"(b0), "r"(r[1]));
  asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(a1), "r"(b0), "r"(r[2]));
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r[3]) : "r"(0u), "r"(0u));
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(a1), "r"(b1), "r"(r[2]));
  asm volatile("madc.hi.u32 %0, %1, %2, %3;" : "=r"(r[3]) : "r"(a1), "r"(b1), "r"(r[3]));
  for (int word = 0; word < 4; ++word) out[6 * i + word] = r[word];
  unsigned sum, signedHigh;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(0u - i), "r"(2u));
  asm volatile("madc.hi.s32 %0, %1, %2, %3;" : "=r"(signedHigh) : "r"(0x80000000u + i), "r"(5u), "r"(9u));
  out[6 * i + 4] = sum;
  out[6 * i + 5] = signedHigh;
}

int main() {
  constexpr int kThreads = 8;
  DeviceArray<Word> words(4 * kThreads);
  sums<<<1, kThreads>>>(words.data());
  const std::vector<Word> sum = words.read();
  for (size_t i = 0; i < sum.size(); ++i)
    OBSERVE("sum_" + std::to_string(i / 4) + "_" + std::to_string(i % 4), hex(sum[i]));
  DeviceArray<unsigned> halves(6 * kThreads);
  products<<<1, kThreads>>>(halves.data());
  const std::vector<unsigned> product = halves.read();
  for (size_t i = 0; i < product.size(); ++i)
    OBSERVE("product_" + std::to_string(i / 6) + "_" + std::to_string(i % 6), hex(product[i]));
  return 0;
}
