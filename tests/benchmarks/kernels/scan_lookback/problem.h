// The inclusive sum of ../scan in a single pass: a tile of 2048 numbers per block, which learns what comes
// before it from the tiles before (decoupled look-back).
#pragma once

#include "../scan/problem.h"

struct ScanLookback : Scan {
  static constexpr int kItems = 8, kTile = kThreads * kItems;

  using Scan::Scan;
  int tiles() const { return (n + kTile - 1) / kTile; }

  // `state` tells of each tile what is known of it.
  template <template <class> class Memory>
  struct Data {
    explicit Data(const ScanLookback& p) : in(p.n), out(p.n), state(p.tiles()) { in.fill(Scan::in); }
    void reset() { out.clear(); }
    void result(unsigned* to) { out.read(to); }
    Memory<unsigned> in, out;
    Memory<unsigned long long> state;
  };
};
