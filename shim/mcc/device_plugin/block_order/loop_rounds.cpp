#include "loop_rounds.h"

#include <optional>

#include "llvm/IR/Instructions.h"

namespace musashim::mcc {
namespace {

constexpr unsigned kMostRounds = 16;  // of a loop, each time that it is entered
constexpr size_t kMostOfAllRounds = 128;

// What it is for all threads alike.
std::optional<int64_t> commonValue(ThreadValues& values, const llvm::Value& value) {
  const ThreadValues::Column* column = values.of(value);
  if (column == nullptr || column->empty()) return std::nullopt;
  const int64_t first = column->front();
  const bool isCommon = llvm::all_of(*column, [first](int64_t one) { return one == first; });
  return isCommon ? std::optional(first) : std::nullopt;
}

}  // namespace

const std::vector<Round>& LoopRounds::of(const llvm::Loop* loop) {
  auto known = known_.find(loop);
  if (known == known_.end())
    known = known_.emplace(loop, loop != nullptr ? simulate(*loop) : std::vector<Round>(1)).first;
  return known->second;
}

std::vector<Round> LoopRounds::simulate(const llvm::Loop& loop) {
  const llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  std::vector<Round> rounds;
  for (const Round& outer : of(loop.getParentLoop())) {
    CounterValues values = outer.values;
    for (unsigned number = 0; number < kMostRounds && rounds.size() < kMostOfAllRounds; ++number) {
      const CounterValues before = values;
      CounterValues own = carried(loop, values, number == 0);
      values = outer.values;
      values.insert(own.begin(), own.end());
      if (number > 1 && values == before) break;  // nothing is carried, or it stands still
      if (header != latch && leaves(*header, loop, values)) break;
      Round round{outer.numbers, values};
      round.numbers.push_back(number);
      rounds.push_back(std::move(round));
      if (latch == nullptr || leaves(*latch, loop, values)) break;
    }
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
