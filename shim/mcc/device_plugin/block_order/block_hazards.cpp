#include "block_hazards.h"

#include <algorithm>
#include <map>

#include "barrier_free_paths.h"
#include "block_sizes.h"
#include "footprint.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/device_target.h"
#include "mcc/device_plugin/passes.h"
#include "mcc/device_plugin/semantics/shared_address.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr size_t kMostAccesses = 1000;  // of shared memory: beyond, the kernel is left as it is
constexpr size_t kMostPairs = 20000;    // of them, that are looked at
constexpr unsigned kMostCounters = 2;   // of an address
constexpr int64_t kPieceBytes = 4;      // at most

// Looks through what a value is made of, until `visit` returns false for a part; whether it never did.
bool allParts(const Value& value, llvm::function_ref<bool(const Value&)> visit,
              llvm::function_ref<bool(const Instruction&)> isLeaf) {
  llvm::SmallPtrSet<const Value*, 16> seen;
  llvm::SmallVector<const Value*, 16> work{&value};
  while (!work.empty()) {
    const Value* part = work.pop_back_val();
    if (!seen.insert(part).second) continue;
    if (!visit(*part)) return false;
    const auto* instruction = llvm::dyn_cast<Instruction>(part);
    if (instruction == nullptr || isLeaf(*instruction)) continue;
    work.append(instruction->operand_values().begin(), instruction->operand_values().end());
  }
  return true;
}

bool isNoGetter(const Instruction& instruction) {
  return llvm::isa<llvm::CallBase>(instruction) && findBuiltin(calledName(instruction)) == nullptr &&
         !llvm::isa<llvm::IntrinsicInst>(instruction);
}

// The same for all threads, as far as they are in the same round of all loops.
bool isSameForThreads(const Value& value) {
  return allParts(
      value,
      [](const Value& part) {
        if (calledThreadIdx(part) != nullptr || llvm::isa<llvm::AllocaInst>(part)) return false;
        const auto* instruction = llvm::dyn_cast<Instruction>(&part);
        return instruction == nullptr || !(isNoGetter(*instruction) || instruction->isAtomic());
      },
      [](const Instruction&) { return false; });
}

// The same at any time.
bool isSameAlways(const Value& value) {
  return allParts(
      value,
      [](const Value& part) {
        const auto* instruction = llvm::dyn_cast<Instruction>(&part);
        return instruction == nullptr || findBuiltin(calledName(part)) != nullptr ||
               !(llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadFromMemory());
      },
      [](const Instruction& instruction) { return llvm::isa<llvm::CallBase>(instruction); });
}

// Data decides, and nothing that the program knows of the thread: a table is looked up.
bool isData(const Value& value) {
  bool reads = false;
  const bool isOfNoThread = allParts(
      value,
      [&reads](const Value& part) {
        reads |= llvm::isa<llvm::LoadInst>(part);
        return calledThreadIdx(part) == nullptr && !llvm::isa<llvm::PHINode, llvm::AllocaInst>(part);
      },
      [](const Instruction& instruction) {
        return llvm::isa<llvm::LoadInst>(instruction) || isNoGetter(instruction);
      });
  return reads && isOfNoThread;
}

// Memory has a part in it: where a thread puts what it has counted.
bool isOfData(const Value& value) {
  return !allParts(
      value, [](const Value& part) { return !llvm::isa<llvm::LoadInst>(part); },
      [](const Instruction&) { return false; });
}

class BlockHazardFinder {
 public:
  explicit BlockHazardFinder(llvm::Function& kernel)
      : kernel_(kernel),
        dominators_(kernel),
        loops_(dominators_),
        ends_(variableEnds(kernel)),
        paths_(noPoints_) {}

  // `name`: of the kernel.
  std::vector<BlockHazard> find(llvm::StringRef name) {
    collect();
    if (accesses_.size() > kMostAccesses) return {};
    findShapes(name);
    llvm::MapVector<Instruction*, llvm::SmallVector<Instruction*, 4>> found;
    for (const SharedAccess& read : accesses_) {
      if (read.writes) continue;
      paths_.follow(*read.instruction, nullptr, [&](const Instruction& instruction) {
        const auto number = number_.find(&instruction);
        if (number == number_.end()) return true;
        for (const size_t index : number->second) {
          const SharedAccess& write = accesses_[index];
          if (!write.writes || !mayMeet(read, write)) continue;
          auto& reads = found[write.instruction];
          if (!llvm::is_contained(reads, read.instruction)) reads.push_back(read.instruction);
        }
        return true;
      });
    }
    std::vector<BlockHazard> hazards;
    for (auto& [write, reads] : found) hazards.push_back({write, std::move(reads)});
    return hazards;
  }

 private:
  void collect() {
    const llvm::DataLayout& layout = kernel_.getParent()->getDataLayout();
    for (Instruction& instruction : llvm::instructions(kernel_)) {
      const Value* pointer = uncheckedPointer(llvm::getLoadStorePointerOperand(&instruction));
      if (pointer == nullptr || instruction.isAtomic()) continue;
      for (const Value* choice : choicesOf(*pointer)) {
        auto address = sharedAddressOf(*uncheckedPointer(choice), layout);
        if (!address || !isSharedBase(*address->base)) continue;
        const uint64_t bytes =
            layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getKnownMinValue();
        const bool writes = llvm::isa<llvm::StoreInst>(instruction);
        SharedAccess access{
            &instruction, std::move(*address), bytes, writes, guardsOf(instruction, dominators_), {}, {}};
        if (!findParts(access)) continue;
        pieceBytes_ = std::min<int64_t>(pieceBytes_, static_cast<int64_t>(bytes));
        number_[&instruction].push_back(accesses_.size());
        accesses_.push_back(std::move(access));
      }
    }
  }

  // What the address is made of; false: too much.
  bool findParts(SharedAccess& access) {
    for (const auto& [leaf, coefficient] : access.address.terms) {
      if (!collectCounters(*leaf, access.counters, kMostCounters)) return false;
    }
    CounterValues counters;
    for (const llvm::PHINode* counter : access.counters) counters[counter] = counterOf(*counter)->start;
    ThreadValues values({{256, 1, 1}, 32},
                        counters);  // of any block: what is known does not depend on its size
    for (const auto& [leaf, coefficient] : access.address.terms) {
      if (values.of(*leaf) == nullptr) access.unknown[leaf] = coefficient;
      axes_ = std::max(axes_, axesOf(*leaf));
    }
    for (const Guard& guard : access.guards) axes_ = std::max(axes_, axesOf(*guard.condition));
    return true;
  }

  // Where the source launches no blocks of known size, the largest ones whose threads all have their element
  // in the shared variables.
  void findShapes(llvm::StringRef name) {
    std::vector<BlockSize> sizes = launchedSizes(name);
    if (sizes.empty()) {
      sizes = usualSizes(axes_);
      for (const SharedAccess& access : accesses_) {
        const bool decides = access.unknown.empty() && llvm::all_of(access.guards, [](const Guard& guard) {
                               return isSameAlways(*guard.condition);
                             });
        if (!decides) continue;
        keepFitting(sizes, [&](const BlockSize& size) {
          return elementsOf(access, {size, 32}, startOf(access), ends_);
        });
      }
      if (sizes.size() > kMostSizes) sizes.resize(kMostSizes);
    }
    for (const BlockSize& size : sizes) {
      for (const unsigned lanes : DeviceTarget::instance().warpSizes()) shapes_.push_back({size, lanes});
    }
  }

  // Some warp writes what another one has read, as far as addresses tell.
  bool mayMeet(const SharedAccess& read, const SharedAccess& write) {
    if (!haveSameBase(read.address, write.address) || isFlag(write) || ++pairs_ > kMostPairs) return false;
    if (isLookUp(read, write) || isScattered(read, write)) return meetAsTable(read, write);
    if (!areUnknownAlike(read, write)) return false;
    return llvm::any_of(shapes_, [&](const BlockShape& shape) { return meetIn(shape, read, write); });
  }

  // Whoever finds something says so: `if (x < limit) found = true;`. It does not matter who comes first.
  static bool isFlag(const SharedAccess& write) {
    const auto* store = llvm::cast<llvm::StoreInst>(write.instruction);
    return llvm::isa<llvm::Constant>(store->getValueOperand()) && write.address.terms.empty() &&
           llvm::any_of(write.guards, [](const Guard& guard) {
             return !isSameForThreads(*guard.condition) && !isSameAlways(*guard.condition);
           });
  }

  // Reads of any element, of the array that the write goes to.
  static bool isLookUp(const SharedAccess& read, const SharedAccess& write) {
    return !read.unknown.empty() && read.unknown.size() == read.address.terms.size() &&
           write.unknown.empty() && read.address.constant == write.address.constant &&
           llvm::all_of(read.unknown, [](const auto& term) { return isData(*term.first); });
  }
  // Writes of any element, of the variable that the read comes from: `if (warp == 0) s[rank] = x;`. In
  // dynamic shared memory: of the array.
  bool isScattered(const SharedAccess& read, const SharedAccess& write) const {
    if (!read.unknown.empty() || write.unknown.empty() || write.unknown.size() != write.address.terms.size())
      return false;
    const int64_t from = read.address.constant, to = write.address.constant;
    const auto variableOf = [&](int64_t at) { return llvm::upper_bound(ends_, at); };
    const bool mayReach = ends_.empty() ? from == to : from >= to && variableOf(from) == variableOf(to);
    return mayReach && llvm::all_of(write.unknown, [](const auto& term) { return isOfData(*term.first); });
  }
  bool meetAsTable(const SharedAccess& read, const SharedAccess& write) {
    return llvm::any_of(shapes_, [&](const BlockShape& shape) {
      const Footprint* from = footprint(read, shape, startOf(read));
      const Footprint* to = footprint(write, shape, startOf(write));
      return from != nullptr && to != nullptr && from->warps != 0 && to->warps != 0 &&
             !llvm::has_single_bit(from->warps | to->warps);
    });
  }

  // Terms that are not known are the same for whoever reads and whoever writes.
  bool areUnknownAlike(const SharedAccess& read, const SharedAccess& write) {
    if (read.unknown.size() != write.unknown.size()) return false;
    return llvm::all_of(read.unknown, [&](const auto& term) {
      const auto& [leaf, coefficient] = term;
      return write.unknown.lookup(leaf) == coefficient && isSameForThreads(*leaf) &&
             (isSameAlways(*leaf) || leadInOneRound(*leaf, read, write));
    });
  }
  bool leadInOneRound(const Value& leaf, const SharedAccess& read, const SharedAccess& write) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&leaf);
    const llvm::Loop* loop = instruction != nullptr ? loops_.getLoopFor(instruction->getParent()) : nullptr;
    return loop == nullptr || paths_.lead(*read.instruction, *write.instruction, loop->getHeader());
  }

  static CounterValues startOf(const SharedAccess& access) {
    CounterValues counters;
    for (const llvm::PHINode* counter : access.counters) counters[counter] = counterOf(*counter)->start;
    return counters;
  }

  // Counters in their first two rounds. One that both are made of is the same for both, or one round on for
  // the write, as the ways go.
  bool meetIn(const BlockShape& shape, const SharedAccess& read, const SharedAccess& write) {
    for (const CounterValues& from : roundsOf(read)) {
      const Footprint* reads = footprint(read, shape, from);
      if (reads == nullptr) return false;
      for (const CounterValues& to : roundsOf(write)) {
        if (!mayFollow(read, from, write, to)) continue;
        const Footprint* writes = footprint(write, shape, to);
        if (writes == nullptr) return false;
        if (meetInWarps(*reads, *writes)) return true;
      }
    }
    return false;
  }
  static std::vector<CounterValues> roundsOf(const SharedAccess& access) {
    std::vector<CounterValues> rounds{{}};
    for (const llvm::PHINode* phi : access.counters) {
      const Counter counter = *counterOf(*phi);
      const size_t count = rounds.size();
      for (size_t i = 0; i < count; ++i) {
        rounds.push_back(rounds[i]);
        rounds.back()[phi] = counter.start + counter.step;
        rounds[i][phi] = counter.start;
      }
    }
    return rounds;
  }
  bool mayFollow(const SharedAccess& read, const CounterValues& from, const SharedAccess& write,
                 const CounterValues& to) const {
    return llvm::all_of(from, [&](const auto& counter) {
      const auto& [value, before] = counter;
      const auto other = to.find(value);
      if (other == to.end()) return true;
      const BasicBlock& header = *llvm::cast<llvm::PHINode>(value)->getParent();
      if (other->second == before) return paths_.lead(*read.instruction, *write.instruction, &header);
      return other->second == before + counterOf(*value)->step &&
             paths_.leadThrough(*read.instruction, header, *write.instruction);
    });
  }

  const Footprint* footprint(const SharedAccess& access, const BlockShape& shape,
                             const CounterValues& counters) {
    const auto key = std::tuple(&access, &shape, counters);
    auto known = footprints_.find(key);
    if (known == footprints_.end())
      known = footprints_.emplace(key, footprintOf(access, shape, counters, pieceBytes_, ends_)).first;
    return known->second ? &*known->second : nullptr;
  }

  llvm::Function& kernel_;
  const llvm::DominatorTree dominators_;
  const llvm::LoopInfo loops_;
  const VariableEnds ends_;
  const StepPoints noPoints_;
  const BarrierFreePaths paths_;
  std::vector<SharedAccess> accesses_;
  unsigned axes_ = 1;  // of the thread's index, that they look at
  std::vector<BlockShape> shapes_;
  llvm::DenseMap<const Instruction*, llvm::SmallVector<size_t, 1>> number_;
  int64_t pieceBytes_ = kPieceBytes;
  size_t pairs_ = 0;
  std::map<std::tuple<const SharedAccess*, const BlockShape*, CounterValues>, std::optional<Footprint>>
      footprints_;
};

bool hasBarrier(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const Instruction& instruction) {
    const auto op = calledOp(instruction);
    return op.has_value() && musaOpIsBarrier(*op) != 0;
  });
}

}  // namespace

std::vector<BlockHazard> blockHazards(llvm::Function& function, llvm::StringRef name) {
  return hasBarrier(function) ? BlockHazardFinder(function).find(name) : std::vector<BlockHazard>();
}

}  // namespace musashim::mcc
