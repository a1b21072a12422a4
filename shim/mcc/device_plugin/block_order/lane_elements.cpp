#include "lane_elements.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "block_sizes.h"
#include "llvm/ADT/STLExtras.h"
#include "mcc/device_plugin/block/analysis/suspend_points.h"
#include "mcc/device_plugin/device_target.h"

namespace musashim::mcc {
namespace {

constexpr int64_t kPieceBytes = 4;  // at most

// Terms that are not known are the same for both lanes. `changed`: the loop that has gone round, or null.
bool areUnknownAlike(const SharedAccess& before, const SharedAccess& after, const llvm::Loop* changed) {
  return before.unknown.size() == after.unknown.size() && llvm::all_of(before.unknown, [&](const auto& term) {
           const auto& [leaf, coefficient] = term;
           const LeafKind kind = before.address.kinds.lookup(leaf);
           const auto* instruction = llvm::dyn_cast<llvm::Instruction>(leaf);
           return after.unknown.lookup(leaf) == coefficient && !kind.isOfLanes && !kind.isOfData &&
                  (changed == nullptr || instruction == nullptr || !changed->contains(instruction));
         });
}

bool lanesMeet(const ThreadElements& before, uint64_t beforeBytes, const ThreadElements& after,
               uint64_t afterBytes, unsigned lanes) {
  constexpr unsigned kSeveral = ~0u;
  const auto pieceBytes =
      std::min<int64_t>({kPieceBytes, static_cast<int64_t>(beforeBytes), static_cast<int64_t>(afterBytes)});
  const auto last = [&](int64_t address, uint64_t bytes) {
    return pieceOf(address + static_cast<int64_t>(bytes) - 1, pieceBytes);
  };
  // By warp and piece: the thread that was there.
  std::unordered_map<uint64_t, unsigned> seen;
  const auto key = [&](unsigned thread, int64_t piece) {
    return (static_cast<uint64_t>(thread / lanes) << 48) ^ static_cast<uint64_t>(piece);
  };
  for (const auto& [thread, address] : before.elements) {
    for (int64_t piece = pieceOf(address, pieceBytes); piece <= last(address, beforeBytes); ++piece) {
      const auto [known, isNew] = seen.try_emplace(key(thread, piece), thread);
      if (!isNew && known->second != thread) known->second = kSeveral;
    }
  }
  return llvm::any_of(after.elements, [&](const auto& element) {
    for (int64_t piece = pieceOf(element.address, pieceBytes); piece <= last(element.address, afterBytes);
         ++piece) {
      const auto known = seen.find(key(element.thread, piece));
      if (known != seen.end() && known->second != element.thread) return true;
    }
    return false;
  });
}

// The loop that has gone round from the one round to the other, or null; nullopt: no way leads so.
template <typename Ways>
std::optional<const llvm::Loop*> loopBetween(const Ways& ways, const Round& from, const Round& to) {
  size_t level = 0;
  while (level < ways.loops.size() && from.numbers[level] == to.numbers[level]) ++level;
  if (level == ways.loops.size())
    return ways.inOneRound ? std::optional<const llvm::Loop*>(nullptr) : std::nullopt;
  const bool isNext = to.numbers[level] == from.numbers[level] + 1 &&
                      std::all_of(to.numbers.begin() + static_cast<ptrdiff_t>(level) + 1,
                                  to.numbers.begin() + static_cast<ptrdiff_t>(ways.loops.size()),
                                  [](unsigned number) { return number == 0; });
  return isNext && ways.intoNext[level] ? std::optional(ways.loops[level]) : std::nullopt;
}

// What `find` has found for these before, or does now.
template <typename Known, typename Find>
bool isKnown(Known& known, const typename Known::key_type& key, Find find) {
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, find()).first->second;
}

}  // namespace

LaneElements::LaneElements(const llvm::Function& function, llvm::StringRef name,
                           const llvm::DominatorTree& dominators)
    : dominators_(dominators),
      loops_(dominators),
      ends_(variableEnds(function)),
      paths_(noPoints_, isMeeting),
      name_(name) {}

std::vector<unsigned> LaneElements::widthsUpTo(unsigned most) {
  std::vector<unsigned> widths = DeviceTarget::instance().warpSizes();
  llvm::erase_if(widths, [most](unsigned lanes) { return lanes > most; });
  if (widths.empty()) widths.push_back(most);
  return widths;
}

std::vector<LaneElements::Shape>& LaneElements::shapesOf(unsigned lanes) {
  auto known = shapes_.find(lanes);
  if (known == shapes_.end()) known = shapes_.emplace(lanes, shapesFor(lanes)).first;
  return known->second;
}

bool LaneElements::areApart(const Access& before, const Access& after, unsigned most) {
  return llvm::all_of(widthsUpTo(most), [&](unsigned lanes) {
    return isKnown(apart_, {before.instruction, after.instruction, lanes}, [&] {
      const Ways ways = waysBetween(*before.instruction, *after.instruction);
      const CarriedBits bits = carriedBits(before, after);
      std::vector<Shape>& shapes = shapesOf(lanes);
      return !shapes.empty() && llvm::all_of(shapes, [&](Shape& shape) {
        return compare(describe(before, shape, bits), describe(after, shape, bits), ways, shape, bits) ==
               Found::kApart;
      });
    });
  });
}

bool LaneElements::meet(const Access& before, const Access& after, unsigned most) {
  return llvm::any_of(widthsUpTo(most), [&](unsigned lanes) {
    return isKnown(meeting_, {before.instruction, after.instruction, lanes}, [&] {
      const Ways ways = waysBetween(*before.instruction, *after.instruction);
      const CarriedBits bits = carriedBits(before, after);
      return llvm::any_of(shapesOf(lanes), [&](Shape& shape) {
        return compare(describe(before, shape, bits), describe(after, shape, bits), ways, shape, bits) ==
               Found::kMeeting;
      });
    });
  });
}

std::vector<LaneElements::Shape> LaneElements::shapesFor(unsigned lanes) const {
  std::vector<BlockSize> sizes = launchedSizes(name_);
  if (sizes.empty()) {
    unsigned axes = 1;
    for (const Access& access : accesses_) {
      for (const auto& term : access.address->terms) axes = std::max(axes, axesOf(*term.first));
      for (const Guard& guard : guardsOf(*access.instruction, dominators_))
        axes = std::max(axes, axesOf(*guard.condition));
    }
    sizes = usualSizes(axes);
    for (const Access& access : accesses_) {
      keepFitting(sizes, [&](const BlockSize& size) -> std::optional<ThreadElements> {
        Shape shape({size, lanes});
        const CarriedBits bits = carriedBits(access, access);
        const auto& rounds = shape.rounds.of(loops_.getLoopFor(access.instruction->getParent()), bits).first;
        if (rounds.empty()) return std::nullopt;
        return elementsOf(describe(access, shape, bits), shape.block, rounds.front().values, ends_);
      });
    }
    if (sizes.size() > kMostSizes) sizes.resize(kMostSizes);
  }
  std::vector<Shape> shapes;
  for (const BlockSize& size : sizes) shapes.emplace_back(BlockShape{size, lanes});
  return shapes;
}

CarriedBits LaneElements::carriedBits(const Access& before, const Access& after) const {
  CarriedBits bits;
  for (const Access* access : {&before, &after}) {
    for (const auto& term : access->address->terms) addCarriedBits(*term.first, bits);
    for (const Guard& guard : guardsOf(*access->instruction, dominators_))
      addCarriedBits(*guard.condition, bits);
  }
  return bits;
}

SharedAccess LaneElements::describe(const Access& access, Shape& shape, const CarriedBits& bits) const {
  SharedAccess result{access.instruction,
                      *access.address,
                      access.bytes,
                      false,
                      guardsOf(*access.instruction, dominators_),
                      {},
                      {}};
  const auto& rounds = shape.rounds.of(loops_.getLoopFor(access.instruction->getParent()), bits).first;
  ThreadValues values(shape.block, rounds.empty() ? CounterValues() : rounds.front().values);
  for (const auto& [leaf, coefficient] : access.address->terms) {
    if (values.of(*leaf) == nullptr) result.unknown[leaf] = coefficient;
  }
  return result;
}

LaneElements::Ways LaneElements::waysBetween(const llvm::Instruction& before,
                                             const llvm::Instruction& after) const {
  Ways ways;
  for (const llvm::Loop* loop = loops_.getLoopFor(before.getParent()); loop != nullptr;
       loop = loop->getParentLoop()) {
    if (loop->contains(&after)) ways.loops.insert(ways.loops.begin(), loop);
  }
  ways.inOneRound = paths_.lead(before, after, ways.loops.empty() ? nullptr : ways.loops.back()->getHeader());
  for (const llvm::Loop* loop : ways.loops)
    ways.intoNext.push_back(paths_.leadThrough(before, *loop->getHeader(), after));
  return ways;
}

LaneElements::Found LaneElements::compare(const SharedAccess& before, const SharedAccess& after,
                                          const Ways& ways, Shape& shape, const CarriedBits& bits) const {
  const auto& [fromRounds, areAllFrom] =
      shape.rounds.of(loops_.getLoopFor(before.instruction->getParent()), bits);
  const auto& [toRounds, areAllTo] = shape.rounds.of(loops_.getLoopFor(after.instruction->getParent()), bits);
  std::map<size_t, std::optional<ThreadElements>> written;
  for (const Round& from : fromRounds) {
    const auto first = elementsOf(before, shape.block, from.values, ends_);
    for (size_t i = 0; i < toRounds.size(); ++i) {
      const auto changed = loopBetween(ways, from, toRounds[i]);
      if (!changed) continue;
      auto known = written.find(i);
      if (known == written.end())
        known = written.emplace(i, elementsOf(after, shape.block, toRounds[i].values, ends_)).first;
      if (!first || !known->second || !areUnknownAlike(before, after, *changed)) return Found::kUnknown;
      if (lanesMeet(*first, before.bytes, *known->second, after.bytes, shape.block.warpSize))
        return Found::kMeeting;
    }
  }
  return areAllFrom && areAllTo ? Found::kApart : Found::kUnknown;
}

}  // namespace musashim::mcc
