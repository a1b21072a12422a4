#include "footprint.h"

#include <algorithm>

#include "mcc/device_plugin/device_builtins.h"

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

std::optional<Footprint> footprintOf(const SharedAccess& access, const BlockShape& shape,
                                     const CounterValues& counters, int64_t pieceBytes,
                                     const VariableEnds& ends) {
  ThreadValues values(shape, counters);
  std::vector<int64_t> addresses(shape.threads(), access.address.constant);
  for (const auto& [leaf, coefficient] : access.address.terms) {
    if (access.unknown.contains(leaf)) continue;
    const auto* column = values.of(*leaf);
    if (column == nullptr) return std::nullopt;
    for (size_t i = 0; i < addresses.size(); ++i) addresses[i] += coefficient * (*column)[i];
  }
  const std::vector<unsigned> threads = threadsAt(access, values, shape.threads());
  Footprint footprint;
  if (threads.empty()) return footprint;
  // Threads whose element lies outside of the first one's variable are those of larger blocks than the kernel
  // is for.
  const bool isStatic = calledName(*access.address.base) == kSharedBaseName && access.unknown.empty();
  const auto [begin, end] =
      isStatic ? variableAt(addresses[threads.front()], ends) : std::pair(INT64_MIN, INT64_MAX);
  for (const unsigned thread : threads) {
    const int64_t first = addresses[thread], last = first + static_cast<int64_t>(access.bytes) - 1;
    if (first < begin || last >= end) {
      footprint.isOutside = true;
      continue;
    }
    const uint32_t warp = 1u << std::min(thread / shape.warpSize, 31u);
    footprint.warps |= warp;
    const auto piece = [pieceBytes](int64_t at) { return (at - (at < 0 ? pieceBytes - 1 : 0)) / pieceBytes; };
    for (int64_t number = piece(first); number <= piece(last); ++number)
      footprint.pieces.push_back({number, warp});
  }
  mergeSame(footprint.pieces);
  return footprint;
}

}  // namespace musashim::mcc
