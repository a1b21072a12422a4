#include "loop_rounds.h"

#include <optional>
#include <set>

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kMostRounds = 64;  // of a loop, each time that it is entered
constexpr size_t kMostOfAllRounds = 256;

// What it is for all threads alike.
std::optional<int64_t> commonValue(ThreadValues& values, const llvm::Value& value) {
  const ThreadValues::Column* column = values.of(value);
  if (column == nullptr || column->empty()) return std::nullopt;
  const int64_t first = column->front();
  const bool isCommon = llvm::all_of(*column, [first](int64_t one) { return one == first; });
  return isCommon ? std::optional(first) : std::nullopt;
}

// The values as far as they matter.
CounterValues bitsOf(const CounterValues& values, const CarriedBits& bits) {
  CounterValues result;
  for (const auto& [value, number] : values) {
    const auto known = bits.find(llvm::cast<llvm::PHINode>(value));
    if (known != bits.end())
      result[value] = static_cast<int64_t>(static_cast<uint64_t>(number) & known->second);
  }
  return result;
}

}  // namespace

const Rounds& LoopRounds::of(const llvm::Loop* loop, const CarriedBits& bits) {
  const auto key = std::pair(loop, bits);
  auto known = known_.find(key);
  if (known == known_.end())
    known = known_.emplace(key, loop != nullptr ? simulate(*loop, bits) : Rounds{{Round()}}).first;
  return known->second;
}

Rounds LoopRounds::simulate(const llvm::Loop& loop, const CarriedBits& bits) {
  const llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  const Rounds around = of(loop.getParentLoop(), bits);
  Rounds rounds{{}, around.areAll};
  for (const Round& outer : around.first) {
    CounterValues values = outer.values;
    std::set<CounterValues> seen;
    bool ends = false;
    for (unsigned number = 0; !ends && number < kMostRounds && rounds.first.size() < kMostOfAllRounds;
         ++number) {
      const CounterValues own = carried(loop, values, number == 0);
      values = outer.values;
      values.insert(own.begin(), own.end());
      ends = header != latch && leaves(*header, loop, values);
      if (ends) break;
      Round round{outer.numbers, values};
      round.numbers.push_back(number);
      rounds.first.push_back(std::move(round));
      const bool isRepeated = !seen.insert(bitsOf(own, bits)).second;
      ends = isRepeated || (latch != nullptr && leaves(*latch, loop, values));
    }
    rounds.areAll &= ends;
  }
  return rounds;
}

// What the phis of the loop are in its first round, or in the one after `values`.
CounterValues LoopRounds::carried(const llvm::Loop& loop, const CounterValues& values, bool first) const {
  CounterValues result;
  ThreadValues all(shape_, values);
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    std::optional<int64_t> next;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (loop.contains(phi.getIncomingBlock(i)) == first) continue;
      const auto one = commonValue(all, *phi.getIncomingValue(i));
      if (!one || (next && *next != *one)) {
        next.reset();
        break;
      }
      next = one;
    }
    if (next) result[&phi] = *next;
  }
  return result;
}

bool LoopRounds::leaves(const llvm::BasicBlock& block, const llvm::Loop& loop,
                        const CounterValues& values) const {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || !branch->isConditional()) return false;
  ThreadValues all(shape_, values);
  const auto holds = commonValue(all, *branch->getCondition());
  return holds && !loop.contains(branch->getSuccessor(*holds != 0 ? 0 : 1));
}

}  // namespace musashim::mcc
