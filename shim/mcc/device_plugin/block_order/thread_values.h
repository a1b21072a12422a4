// What a value is for each thread of a block, where it is made of thread indices, sizes and constants.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "llvm/IR/Instructions.h"
#include "mcc/device_plugin/source_facts/launch_sizes.h"

namespace musashim::mcc {

// A block as it may be launched.
struct BlockShape {
  BlockSize size;
  unsigned warpSize;

  unsigned threads() const { return size[0] * size[1] * size[2]; }
};

// Loop counters by what they are.
using CounterValues = std::map<const llvm::Value*, int64_t>;

class ThreadValues {
 public:
  // One for each thread, in linear order; integers as they are when extended by their sign.
  using Column = std::vector<int64_t>;

  ThreadValues(const BlockShape& shape, CounterValues counters)
      : shape_(shape), counters_(std::move(counters)) {}

  // Null: it depends on something else.
  const Column* of(const llvm::Value& value) { return columnOf(value, 0); }

 private:
  const Column* columnOf(const llvm::Value& value, unsigned depth);
  Column compute(const llvm::Value& value, unsigned depth);  // empty: unknown
  Column ofCall(const llvm::CallBase& call, unsigned depth);
  Column ofPhi(const llvm::PHINode& phi, unsigned depth);
  Column ofOperation(const llvm::Instruction& operation, unsigned depth);
  Column ofThreadIdx(unsigned axis) const;
  Column constant(int64_t value) const { return Column(shape_.threads(), value); }

  const BlockShape shape_;
  const CounterValues counters_;
  std::map<const llvm::Value*, Column> known_;
};

// A phi that counts from a constant in constant steps.
struct Counter {
  int64_t start = 0, step = 0;
};
std::optional<Counter> counterOf(const llvm::Value& value);

// The counters that a value is made of; false: more than `most`.
bool collectCounters(const llvm::Value& value, llvm::SmallPtrSetImpl<const llvm::PHINode*>& counters,
                     unsigned most);

}  // namespace musashim::mcc
