// A hash of keys of four words each: multiplications, rotations and xors of 32-bit integers (MurmurHash3's
// steps, by Austin Appleby, in the public domain).
#pragma once

#include "harness/serve.h"

struct Hashing {
  using Output = uint32_t;
  static constexpr int kThreads = 256, kWords = 4;

  explicit Hashing(bench::Size size) : n(bench::pick(size, 1000, 1 << 17, 1 << 22)) {}

  int blocks() const { return (n + kThreads - 1) / kThreads; }
  static uint32_t word(size_t i) { return static_cast<uint32_t>(bench::uniform(1, i) * 0x1p24f) * 253u; }
  static uint32_t turn(uint32_t x, int by) { return x << by | x >> (32 - by); }
  static uint32_t add(uint32_t hash, uint32_t key) {
    return turn(hash ^ turn(key * 0xcc9e2d51u, 15) * 0x1b873593u, 13) * 5 + 0xe6546b64u;
  }
  static uint32_t finish(uint32_t hash) {
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
  }
  size_t outputCount() const { return size_t(n); }
  double error(const uint32_t* got) const {
    for (size_t i = 0; i < size_t(n); ++i) {
      uint32_t hash = 42;
      for (size_t k = 0; k < kWords; ++k) hash = add(hash, word(i * kWords + k));
      if (got[i] != finish(hash ^ 16)) return 1e300;
    }
    return 0;
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const Hashing& p) : keys(size_t(p.n) * kWords), out(p.n) { keys.fill(Hashing::word); }
    void reset() { out.clear(); }
    void result(uint32_t* to) { out.read(to); }
    Memory<uint32_t> keys, out;
  };

  int n;
};
