// What the values that loops carry are from round to round, as far as they are made of sizes and constants
// and are the same for all threads: counters, distances that double or halve, which of two buffers is in
// turn.
#pragma once

#include <map>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "thread_values.h"

namespace musashim::mcc {

// A round of a loop within rounds of those around it.
struct Round {
  std::vector<unsigned> numbers;  // from the outermost loop's
  CounterValues values;           // by phi
};

class LoopRounds {
 public:
  explicit LoopRounds(const BlockShape& shape) : shape_(shape) {}

  // The first rounds; of no loop (null) there is one.
  const std::vector<Round>& of(const llvm::Loop* loop);

 private:
  std::vector<Round> simulate(const llvm::Loop& loop);
  CounterValues carried(const llvm::Loop& loop, const CounterValues& values, bool first) const;
  bool leaves(const llvm::BasicBlock& block, const llvm::Loop& loop, const CounterValues& values) const;

  BlockShape shape_;
  std::map<const llvm::Loop*, std::vector<Round>> known_;
};

}  // namespace musashim::mcc
