// What one thread does that has the calls of all ranks, with helpers.
#include <fmt/core.h>

#include <algorithm>

#include "mccl/engine/clique.h"
#include "mccl/engine/helpers.h"

namespace musashim::mccl {
namespace {

// Small enough that all threads get some, and large enough to be worth a piece.
size_t pieceBytes(size_t workBytes, size_t most) {
  constexpr size_t kLeast = 8 << 10;
  return std::min(most, std::max(kLeast, (workBytes / (2 * Helpers::most()) + 63) & ~size_t{63}));
}

}  // namespace

void Clique::runTogether(std::span<const CollectiveTask* const> tasks) {
  for (size_t rank = 1; rank < tasks.size(); ++rank) {
    if (sameSignature(*tasks[0], *tasks[rank])) continue;
    fail(mcclInvalidUsage, fmt::format("mismatched collective: rank 0 called {}, rank {} called {}",
                                       tasks[0]->describe(), rank, tasks[rank]->describe()));
    return;
  }
  WorkScope scope(*this, 0);
  if (!scope.mayWork()) return;
  CollectivePlan& plan = plans_[0];
  const size_t bytes = CollectivePlan::workBytesOf(*tasks[0], ranks());
  (void)plan.prepare(
      tasks, *addresses_,
      {control_.algorithm, control_.chunkBytes, pieceBytes(bytes, control_.chunkBytes), segment_->rings()});
  for (size_t rank = 0; rank < tasks.size(); ++rank) plan.readDeviceFactor(rank, *tasks[rank]);
  Helpers::run(plan.chunks(), Helpers::wantedFor(plan.traffic()), runChunk_);
  // Nobody else counts meanwhile.
  const uint64_t done = segment_->collectives(0).load(std::memory_order_relaxed) + 1;
  segment_->slot(done - 1).finished.store(done, std::memory_order_release);
  for (int rank = 0; rank < ranks(); ++rank)
    segment_->collectives(rank).store(done, std::memory_order_release);
}

// The k-th calls of all ranks, then the next: what is passed on within the group arrives first.
void Clique::runTogether(std::span<const TransferMatch> matches) {
  WorkScope scope(*this, 0);
  while (!matches.empty() && scope.mayWork()) {
    const auto next = std::find_if(matches.begin(), matches.end(),
                                   [&](const TransferMatch& match) { return match.call != matches[0].call; });
    const std::span now = matches.first(static_cast<size_t>(next - matches.begin()));
    copyTogether(now);
    matches = matches.subspan(now.size());
  }
}

void Clique::copyTogether(std::span<const TransferMatch> matches) {
  constexpr size_t kPieceBytes = 256 << 10;
  size_t total = 0;
  for (const TransferMatch& match : matches) total += match.send->bytes();
  const auto copy = [&](const TransferMatch& match, size_t from, size_t bytes) {
    if (bytes == 0 || stopped()) return;
    copyMessage(static_cast<char*>(match.receive->buffer.pointer) + from,
                static_cast<const char*>(match.send->buffer.pointer) + from, bytes, total);
  };
  const Helpers::Wanted wanted = Helpers::wantedFor(2 * total);
  if (wanted == Helpers::Wanted::kNever) {
    for (const TransferMatch& match : matches) copy(match, 0, match.send->bytes());
    return;
  }
  const size_t pieceBytes = mccl::pieceBytes(total, kPieceBytes);
  std::vector<std::pair<const TransferMatch*, size_t>> pieces;  // with the place where each begins
  for (const TransferMatch& match : matches) {
    for (size_t at = 0; at < match.send->bytes(); at += pieceBytes) pieces.emplace_back(&match, at);
  }
  Helpers::run(pieces.size(), wanted, [&](size_t index, Order) {
    const auto [match, from] = pieces[index];
    copy(*match, from, std::min(pieceBytes, match->send->bytes() - from));
  });
}

}  // namespace musashim::mccl
