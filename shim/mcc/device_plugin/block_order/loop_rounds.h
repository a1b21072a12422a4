// What the values that loops carry are from round to round, as far as they are made of sizes and constants
// and are the same for all threads: counters, distances that double or halve, which of two buffers is in
// turn.
#pragma once

#include <map>
#include <vector>

#include "carried_bits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "thread_values.h"

namespace musashim::mcc {

// A round of a loop within rounds of those around it.
struct Round {
  std::vector<unsigned> numbers;  // from the outermost loop's
  CounterValues values;           // by phi
};

// Those that a loop goes round before something repeats itself, or it is left.
struct Rounds {
  std::vector<Round> first;
  bool areAll = true;  // none does anything else
};

class LoopRounds {
 public:
  explicit LoopRounds(const BlockShape& shape) : shape_(shape) {}

  // As far as something depends on so much of what is carried; of no loop (null) there is one.
  const Rounds& of(const llvm::Loop* loop, const CarriedBits& bits);

 private:
  Rounds simulate(const llvm::Loop& loop, const CarriedBits& bits);
  CounterValues carried(const llvm::Loop& loop, const CounterValues& values, bool first) const;
  bool leaves(const llvm::BasicBlock& block, const llvm::Loop& loop, const CounterValues& values) const;

  BlockShape shape_;
  std::map<std::pair<const llvm::Loop*, CarriedBits>, Rounds> known_;
};

}  // namespace musashim::mcc
