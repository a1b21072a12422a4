#include "mccl/comm/memory_exchange.h"

#include <algorithm>

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

const char* nameOf(MemoryCard::Use use) {
  switch (use) {
    case MemoryCard::kWindow:
      return "registers a window";
    case MemoryCard::kDeviceComm:
      return "creates a device communicator";
    default:
      return "has made what it was to make";
  }
}

bool isCut(const Roster& roster, int size) {
  for (int rank = 0; rank < static_cast<int>(roster.ranks.size()); ++rank) {
    const auto& first = roster.ranks[static_cast<size_t>(rank - rank % size)];
    if (roster.ranks[static_cast<size_t>(rank)].machine != first.machine) return true;
  }
  return false;
}

}  // namespace

void MemoryExchange::post(const MemoryCard& card) {
  MemoryEntry& entry = member_.clique().segment().memory(number_, member_.seat());
  entry.card = card;
  entry.posted.store(number_ + 1, std::memory_order_release);
  member_.clique().waitPoint().notify();
}

mcclResult_t MemoryExchange::await(const char* function, std::vector<MemoryCard>& cards) {
  Clique& clique = member_.clique();
  Segment& segment = clique.segment();
  const auto missing = [&] {
    for (int seat = 0; seat < clique.ranks(); ++seat) {
      if (segment.memory(number_, seat).posted.load(std::memory_order_acquire) != number_ + 1) return seat;
    }
    return -1;
  };
  const auto isGone = [&](int seat) {
    return seat >= 0 && segment.rank(seat).presence.load() != RankState::kHere;
  };
  clique.waitPoint().wait([&] { return missing() < 0 || clique.stopped() || isGone(missing()); });
  if (const int seat = missing(); seat >= 0) {
    const int rank = clique.numberOf(seat);
    const Roster& roster = member_.communicator().roster();
    return fail(mcclRemoteError, "{} : {} does not take part{}{}", function,
                roster.ranks[static_cast<size_t>(rank)].describe(rank),
                clique.errorText().empty() ? "" : ": ", clique.errorText());
  }
  for (int seat = 0; seat < clique.ranks(); ++seat) cards.push_back(segment.memory(number_, seat).card);
  return check(function, cards);
}

mcclResult_t MemoryExchange::check(const char* function, const std::vector<MemoryCard>& cards) const {
  Clique& clique = member_.clique();
  const MemoryCard& own = cards[static_cast<size_t>(member_.seat())];
  for (int seat = 0; seat < clique.ranks(); ++seat) {
    const MemoryCard& card = cards[static_cast<size_t>(seat)];
    if (card.use != own.use) {
      return fail(mcclInvalidUsage, "{} : rank {} {}, while rank {} {}", function, member_.rank(),
                  nameOf(own.use), clique.numberOf(seat), nameOf(card.use));
    }
    if (!card.isGood) {
      if (seat == member_.seat()) continue;  // has said why
      return fail(mcclInvalidUsage, "{} : rank {} has failed; its last error says why", function,
                  clique.numberOf(seat));
    }
    if (own.isGood && card.bytes != own.bytes) {
      return fail(
          mcclInvalidUsage,
          "{} : {} bytes at rank {}, {} at rank {}: all ranks must have the same size and requirements",
          function, own.bytes, member_.rank(), card.bytes, clique.numberOf(seat));
    }
  }
  return mcclSuccess;
}

int lsaSizeOf(const Roster& roster) {
  const int ranks = static_cast<int>(roster.ranks.size());
  for (int size = ranks; size > 1; --size) {
    if (ranks % size == 0 && !isCut(roster, size)) return size;
  }
  return 1;
}

}  // namespace musashim::mccl
