#include "footprint.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/device_builtins.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

// The bytes from the first to before the second, of the shared variable that the address lies in.
std::pair<int64_t, int64_t> variableAt(int64_t address, const VariableEnds& ends) {
  const auto end = std::upper_bound(ends.begin(), ends.end(), address);
  return {end == ends.begin() ? 0 : *std::prev(end), end == ends.end() ? INT64_MAX : *end};
}

// The threads that come to the access, as far as its guards tell.
std::vector<unsigned> threadsAt(const SharedAccess& access, ThreadValues& values, unsigned count) {
  std::vector<unsigned> threads;
  llvm::SmallVector<std::pair<const ThreadValues::Column*, bool>, 4> known;
  for (const Guard& guard : access.guards) {
    if (const auto* column = values.of(*guard.condition)) known.emplace_back(column, guard.holds);
  }
  for (unsigned thread = 0; thread < count; ++thread) {
    const bool comes =
        llvm::all_of(known, [&](const auto& guard) { return ((*guard.first)[thread] != 0) == guard.second; });
    if (comes) threads.push_back(thread);
  }
  return threads;
}

void mergeSame(std::vector<Footprint::Piece>& pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  size_t kept = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (kept > 0 && pieces[kept - 1].number == pieces[i].number)
      pieces[kept - 1].warps |= pieces[i].warps;
    else
      pieces[kept++] = pieces[i];
  }
  pieces.resize(kept);
}

// A condition that holds only if two do, or fails only if two do, is both of them.
void addGuards(llvm::Value& condition, bool holds, llvm::SmallVectorImpl<Guard>& guards) {
  using namespace llvm::PatternMatch;
  llvm::Value *left, *right;
  const bool areBoth = holds ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                             : match(&condition, m_LogicalOr(m_Value(left), m_Value(right)));
  if (!areBoth) {
    guards.push_back({&condition, holds});
    return;
  }
  addGuards(*left, holds, guards);
  addGuards(*right, holds, guards);
}

}  // namespace

bool meetInWarps(const Footprint& one, const Footprint& other) {
  auto left = one.pieces.begin();
  auto right = other.pieces.begin();
  while (left != one.pieces.end() && right != other.pieces.end()) {
    if (left->number < right->number) {
      ++left;
    } else if (right->number < left->number) {
      ++right;
    } else {
      const uint32_t all = left->warps | right->warps;
      if ((all & (all - 1)) != 0) return true;
      ++left, ++right;
    }
  }
  return false;
}

llvm::SmallVector<Guard, 4> guardsOf(const llvm::Instruction& instruction,
                                     const llvm::DominatorTree& dominators) {
  llvm::SmallVector<Guard, 4> guards;
  const auto* node = dominators.getNode(instruction.getParent());
  for (node = node != nullptr ? node->getIDom() : nullptr; node != nullptr; node = node->getIDom()) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (const unsigned way : {0u, 1u}) {
      const llvm::BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(way));
      if (dominators.dominates(edge, instruction.getParent()))
        addGuards(*branch->getCondition(), way == 0, guards);
    }
  }
  return guards;
}

VariableEnds variableEnds(const llvm::Function& kernel) {
  llvm::SmallVector<llvm::StringRef, 8> texts;
  kernel.getFnAttribute(kSharedEndsAttribute).getValueAsString().split(texts, ' ', -1, /*KeepEmpty=*/false);
  VariableEnds ends;
  for (const llvm::StringRef text : texts) {
    int64_t end = 0;
    if (!text.getAsInteger(10, end)) ends.push_back(end);
  }
  return ends;
}

std::optional<ThreadElements> elementsOf(const SharedAccess& access, const BlockShape& shape,
                                         const CounterValues& counters, const VariableEnds& ends) {
  ThreadValues values(shape, counters);
  std::vector<int64_t> addresses(shape.threads(), access.address.constant);
  for (const auto& [leaf, coefficient] : access.address.terms) {
    if (access.unknown.contains(leaf)) continue;
    const auto* column = values.of(*leaf);
    if (column == nullptr) return std::nullopt;
    for (size_t i = 0; i < addresses.size(); ++i) addresses[i] += coefficient * (*column)[i];
  }
  ThreadElements result;
  const std::vector<unsigned> threads = threadsAt(access, values, shape.threads());
  if (threads.empty()) return result;
  // Threads whose element lies outside of the first one's variable are those of larger blocks than the kernel
  // is for.
  const bool isStatic = calledName(*access.address.base) == kSharedBaseName && access.unknown.empty();
  const auto [begin, end] =
      isStatic ? variableAt(addresses[threads.front()], ends) : std::pair(INT64_MIN, INT64_MAX);
  for (const unsigned thread : threads) {
    const int64_t first = addresses[thread], last = first + static_cast<int64_t>(access.bytes) - 1;
    if (first < begin || last >= end) {
      result.isOutside = true;
    } else {
      result.elements.push_back({thread, first});
    }
  }
  return result;
}

std::optional<Footprint> footprintOf(const SharedAccess& access, const BlockShape& shape,
                                     const CounterValues& counters, int64_t pieceBytes,
                                     const VariableEnds& ends) {
  const auto elements = elementsOf(access, shape, counters, ends);
  if (!elements) return std::nullopt;
  Footprint footprint;
  footprint.isOutside = elements->isOutside;
  for (const auto& [thread, address] : elements->elements) {
    const uint32_t warp = 1u << std::min(thread / shape.warpSize, 31u);
    footprint.warps |= warp;
    const int64_t last = pieceOf(address + static_cast<int64_t>(access.bytes) - 1, pieceBytes);
    for (int64_t number = pieceOf(address, pieceBytes); number <= last; ++number)
      footprint.pieces.push_back({number, warp});
  }
  mergeSame(footprint.pieces);
  return footprint;
}

}  // namespace musashim::mcc
