#include "warp_hazards.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "lane_guards.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/block_order/lane_elements.h"
#include "mcc/device_plugin/checks/check_inline.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"
#include "shared_address.h"
#include "spin_loops.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

constexpr int64_t kFewestLanes = 32, kMostLanes = 128;  // of a warp
constexpr size_t kMostAccesses = 1000;      // of shared memory: beyond, the kernel is left as it is
constexpr unsigned kMostComparisons = 300;  // of elements that only computing them tells apart, for a kernel

struct Access {
  Instruction* instruction;
  SharedAddress address;
  uint64_t bytes;
  bool reads, writes;
  bool isSeen;  // by others, as far as the source says: it is of shared memory, volatile or fenced
  LaneGuards guards;
};

class HazardFinder {
 public:
  HazardFinder(llvm::Function& kernel, llvm::StringRef name, bool counts)
      : kernel_(kernel),
        dominators_(kernel),
        loops_(dominators_),
        guards_(kernel, dominators_),
        ends_(variableEnds(kernel)),
        elements_(kernel, name, dominators_),
        countsOnWarp_(counts) {}

  WarpHazards find() {
    collect();
    if (accesses_.size() < 2 || accesses_.size() > kMostAccesses) return {};
    llvm::SmallPtrSet<Instruction*, 16> certain;
    reach([&](const Access& before, const Access& access) {
      countsOnWarp_ = countsOnWarp_ || exchanges(before, access, kMostLanes);
      return false;
    });
    if (!countsOnWarp_) return {};
    WarpHazards hazards;
    reach(
        [&](const Access& before, const Access& access) {
          if (exchanges(before, access, kFewestLanes)) certain.insert(access.instruction);
          return mayMeet(before, access);
        },
        &hazards.points);
    llvm::copy_if(hazards.points, std::back_inserter(hazards.certain),
                  [&](Instruction* point) { return certain.contains(point); });
    return hazards;
  }

 private:
  void collect() {
    const llvm::DataLayout& layout = kernel_.getParent()->getDataLayout();
    // Global memory counts as far as the source says that others see it.
    const bool fenced = llvm::any_of(llvm::instructions(kernel_),
                                     [](const Instruction& i) { return llvm::isa<llvm::FenceInst>(i); });
    for (Instruction& instruction : llvm::instructions(kernel_)) {
      const llvm::Value* pointer = uncheckedPointer(llvm::getLoadStorePointerOperand(&instruction));
      llvm::Type* type = pointer != nullptr ? llvm::getLoadStoreType(&instruction) : nullptr;
      bool reads = llvm::isa<llvm::LoadInst>(instruction), writes = llvm::isa<llvm::StoreInst>(instruction);
      if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        pointer = uncheckedPointer(update->getPointerOperand());
        type = update->getType();
        reads = false;  // and writes at once
        writes = true;
      }
      if (pointer == nullptr) continue;
      auto address = sharedAddressOf(*pointer, layout);
      if (!address) continue;
      const bool isSeen = isSharedBase(*address->base) || fenced || instruction.isVolatile();
      accesses_.push_back({&instruction, std::move(*address),
                           layout.getTypeStoreSize(type).getKnownMinValue(), reads, writes, isSeen,
                           guards_.guardsOf(instruction)});
    }
    dropOneSided();
    for (size_t i = 0; i < accesses_.size(); ++i) {
      number_[accesses_[i].instruction] = i;
      elements_.add(elementOf(accesses_[i]));
    }
  }

  static LaneElements::Access elementOf(const Access& access) {
    return {access.instruction, &access.address, access.bytes};
  }

  // Of what the kernel was given, and does not both read and write.
  void dropOneSided() {
    llvm::SmallPtrSet<const llvm::Value*, 8> read, written;
    for (const Access& access : accesses_) {
      if (access.reads) read.insert(access.address.base);
      if (access.writes) written.insert(access.address.base);
    }
    llvm::erase_if(accesses_, [&](const Access& access) {
      return !access.isSeen && !(read.contains(access.address.base) && written.contains(access.address.base));
    });
    if (accesses_.size() > kMostAccesses)
      llvm::erase_if(accesses_, [](const Access& access) { return !access.isSeen; });
  }

  // The shared variable that the constant part of the address lies in.
  size_t variableOf(const SharedAddress& address) const {
    return static_cast<size_t>(llvm::count_if(ends_, [&](int64_t end) { return end <= address.constant; }));
  }

  // One of them is only done by the lane whose element the other is: `s[t] = x; if (t == 0) *out = s[0];`.
  bool isOwnByGuard(const Access& one, const Access& other) const {
    const auto bytes = static_cast<int64_t>(std::max(one.bytes, other.bytes));
    const auto isOwn = [&](const Access& guarded, const Access& any) {
      return llvm::any_of(guarded.guards, [&](const LaneGuard& guard) {
        if (!guard.isOneValue() || !guard.isIn(any.address)) return false;
        const SharedAddress first = guard.apply(guarded.address), second = guard.apply(any.address);
        const bool isSameSum =
            first.terms.size() == second.terms.size() && llvm::all_of(first.terms, [&](const auto& term) {
              return second.terms.lookup(term.first) == term.second;
            });
        return isSameSum && std::abs(first.constant - second.constant) < bytes;
      });
    };
    return isOwn(one, other) || isOwn(other, one);
  }

  bool isInVariable(const Access& access) const {
    return !ends_.empty() && calledName(*access.address.base) == kSharedBaseName;
  }

  Meeting meeting(const Access& one, const Access& other, int64_t lanes = kMostLanes) const {
    if (isInVariable(one) && isInVariable(other) && variableOf(one.address) != variableOf(other.address))
      return Meeting::kNever;
    if (isOneLane(one.guards, other.guards)) return Meeting::kOwn;
    if (haveSameBase(one.address, other.address) && isOwnByGuard(one, other)) return Meeting::kOwn;
    return meetingOf(one.address, other.address,
                     {std::max(one.bytes, other.bytes), lanes,
                      [&](const llvm::Value& leaf, int64_t distance) {
                        return mayBeApart(one.guards, other.guards, leaf, distance);
                      },
                      [&](const llvm::Value& distance, bool oneIsAhead) {
                        return !keepApart((oneIsAhead ? other : one).guards, distance);
                      }});
  }

  // Lanes count on moving together here: the access reads what another lane has written before, or writes
  // what another has read, in which case that may be what data says.
  bool exchanges(const Access& before, const Access& access, int64_t lanes) {
    if (isUpdate(before) != isUpdate(access) && before.writes && access.writes)
      return overwrites(before, access, lanes);
    if (before.writes == access.writes || !(before.reads || access.reads)) return false;
    if (before.writes && !(before.isSeen && access.isSeen)) return false;
    const Meeting how = meeting(before, access, lanes);
    if (how == Meeting::kUnknown) return meetByElements(before, access, lanes);
    const bool mayExchange = how == Meeting::kOthers ||
                             (how == Meeting::kSame && tellsOthers(before, access)) ||
                             (how == Meeting::kData && mayMeetByData(before, access));
    return mayExchange &&
           !elements_.areApart(elementOf(before), elementOf(access), static_cast<unsigned>(lanes));
  }

  // Sums of thread indices do not tell, as where the block's size is in them: `s[t] = x; y = s[n - 1 - t];`
  bool meetByElements(const Access& before, const Access& access, int64_t lanes) {
    if (comparisons_ == 0) return false;
    --comparisons_;
    return elements_.meet(elementOf(before), elementOf(access), static_cast<unsigned>(lanes));
  }

  static bool isUpdate(const Access& access) { return llvm::isa<llvm::AtomicRMWInst>(access.instruction); }

  // A store comes to what other lanes update, before or after it: `if (lane == 0) sum[warp] = 0;
  // atomicAdd(&sum[warp], x);`
  bool overwrites(const Access& before, const Access& access, int64_t lanes) {
    const Access &update = isUpdate(before) ? before : access, &store = isUpdate(before) ? access : before;
    if (!before.isSeen || !access.isSeen) return false;
    const Meeting how = meeting(before, access, lanes);
    const bool mayExchange =
        how == Meeting::kOthers ||
        (how == Meeting::kSame && guards_.isOfFewerLanes(*store.instruction, *update.instruction)) ||
        (how == Meeting::kData && isInVariable(before) && isInVariable(access));
    return mayExchange &&
           !elements_.areApart(elementOf(before), elementOf(access), static_cast<unsigned>(lanes));
  }

  // Of an element that lanes have in common, read by lanes that don't write it, or that write it in turns:
  // `if (lane == 0) s[warp] = x; y = s[warp];`
  bool tellsOthers(const Access& before, const Access& access) const {
    const Access &write = before.writes ? before : access, &read = before.writes ? access : before;
    if (isUpdate(write)) return before.writes;
    return guards_.isOfFewerLanes(*write.instruction, *read.instruction);
  }

  // One of them goes to an element that data says, in the array of the other: `s[rank[t]] = x; y = s[t];`
  bool mayMeetByData(const Access& before, const Access& access) const {
    return before.reads ? mayWriteInPlace(before, access) : mayWriteInPlace(access, before);
  }

  // The store goes to an element of the array that the load reads. Memory that is no variable
  // may hold several arrays: there, another access to the same one shows that lanes exchange data in it.
  bool mayWriteInPlace(const Access& load, const Access& store) const {
    if (isInVariable(load) && isInVariable(store)) return true;
    return load.address.constant == store.address.constant &&
           llvm::any_of(accesses_, [&](const Access& access) {
             return access.writes && meeting(access, load, kFewestLanes) == Meeting::kOthers;
           });
  }

  // The access may meet what another lane of the warp did before.
  bool mayMeet(const Access& before, const Access& access) {
    if (!before.writes && !access.writes) return false;
    const Meeting how = meeting(before, access);
    if (how == Meeting::kOthers || exchanges(before, access, kMostLanes)) return true;
    if (!before.isSeen || !access.isSeen) return false;
    return how == Meeting::kData || how == Meeting::kUnknown ||
           (how == Meeting::kSame && !dominators_.dominates(before.instruction, access.instruction));
  }

  bool isPolling(const BasicBlock& block) const {
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    return loop != nullptr && onlyWaits(*loop);
  }

  // For each access, those from which it is reached without the warp converging. Where `separates` says so,
  // it does converge right before the access, which is added to `points`; not in loops that only poll.
  template <typename Separates>
  void reach(Separates separates, llvm::SmallVectorImpl<Instruction*>* points = nullptr) {
    llvm::DenseMap<const BasicBlock*, llvm::BitVector> left;  // not separated from the end of a block
    llvm::SmallPtrSet<Instruction*, 16> found;
    std::vector<llvm::BitVector> asked(accesses_.size()), separated(accesses_.size());
    const auto separatesOnce = [&](size_t before, size_t access) {
      asked[access].resize(accesses_.size());
      separated[access].resize(accesses_.size());
      if (!asked[access].test(before)) {
        asked[access].set(before);
        if (separates(accesses_[before], accesses_[access])) separated[access].set(before);
      }
      return separated[access].test(before);
    };
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&kernel_);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : order) {
        llvm::BitVector open(accesses_.size());
        const bool polls = isPolling(*block);
        for (const BasicBlock* previous : llvm::predecessors(block)) {
          if (const auto known = left.find(previous); known != left.end()) open |= known->second;
        }
        for (Instruction& instruction : *block) {
          if (isMeeting(instruction)) open.reset();
          const auto number = number_.find(&instruction);
          if (number == number_.end()) continue;
          bool converge = false;
          if (!polls) {
            for (const unsigned before : open.set_bits()) converge |= separatesOnce(before, number->second);
          }
          if (converge) {
            open.reset();
            if (points != nullptr && found.insert(&instruction).second) points->push_back(&instruction);
          }
          open.set(number->second);
        }
        auto [known, isNew] = left.try_emplace(block, open);
        if (!isNew && known->second == open) continue;
        known->second = open;
        changed = true;
      }
    }
  }

  llvm::Function& kernel_;
  const llvm::DominatorTree dominators_;
  const llvm::LoopInfo loops_;
  const GuardFinder guards_;
  const VariableEnds ends_;
  LaneElements elements_;
  std::vector<Access> accesses_;
  llvm::DenseMap<const Instruction*, size_t> number_;
  bool countsOnWarp_;
  unsigned comparisons_ = kMostComparisons;
};

}  // namespace

WarpHazards warpHazards(llvm::Function& kernel, llvm::StringRef name, bool counts) {
  return HazardFinder(kernel, name, counts).find();
}

}  // namespace musashim::mcc
