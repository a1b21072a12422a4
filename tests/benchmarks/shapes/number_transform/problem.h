// Number theoretic transforms of 1024 numbers modulo 998244353, a block per transform: ten rounds of
// butterflies in shared memory. The input's order is that of reversed bits, so that the rounds need no other
// step.
#pragma once

#include <vector>

#include "harness/serve.h"

struct NumberTransform {
  using Output = uint32_t;
  static constexpr int kLog = 10, kSize = 1 << kLog, kThreads = kSize / 2;
  static constexpr uint32_t kPrime = 998244353, kGenerator = 3;

  explicit NumberTransform(bench::Size size) : count(bench::pick(size, 2, 64, 4096)) {}

  static uint32_t power(uint64_t base, uint32_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % kPrime) {
      if (exponent & 1) result = result * base % kPrime;
    }
    return static_cast<uint32_t>(result);
  }
  static uint32_t value(size_t i) { return static_cast<uint32_t>(bench::uniform(1, i) * 0x1p24f) * 37u; }
  static uint32_t root(size_t i) {
    return power(power(kGenerator, (kPrime - 1) / kSize), static_cast<uint32_t>(i));
  }
  static size_t reversed(size_t i) {
    size_t result = 0;
    for (int bit = 0; bit < kLog; ++bit) result |= (i >> bit & 1) << (kLog - 1 - bit);
    return result;
  }
  size_t outputCount() const { return size_t(count) * kSize; }
  // Of the first, the last and one in the midst by the definition, which takes long.
  double error(const uint32_t* got) const {
    std::vector<uint32_t> roots(kSize);
    for (size_t i = 0; i < kSize; ++i) roots[i] = root(i);
    for (const size_t which : {size_t{0}, size_t(count) / 2, size_t(count) - 1}) {
      for (size_t k = 0; k < kSize; ++k) {
        uint64_t sum = 0;
        for (size_t i = 0; i < kSize; ++i)
          sum += uint64_t{value(which * kSize + reversed(i)) % kPrime} * roots[i * k % kSize] % kPrime;
        if (got[which * kSize + k] != sum % kPrime) return 1e300;
      }
    }
    return 0;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const NumberTransform& p) : in(p.outputCount()), roots(kSize / 2), out(p.outputCount()) {
      in.fill([](size_t i) { return NumberTransform::value(i) % kPrime; });
      roots.fill(NumberTransform::root);
    }
    void reset() { out.clear(); }
    void result(uint32_t* to) { out.read(to); }
    Memory<uint32_t> in, roots, out;
  };

  int count;
};
