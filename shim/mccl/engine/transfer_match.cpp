#include "mccl/engine/transfer_match.h"

#include <algorithm>

#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

// One memory for all calls. The receives of each ordered pair of ranks, one pair behind the other: a pair's
// begin at first[pair].
struct Channels {
  std::vector<size_t> first, next;
  std::vector<const TransferTask*> receives;
};

}  // namespace

bool matchTransfers(std::span<const std::span<const TransferTask>> tasks,
                    std::vector<TransferMatch>& matches) {
  const size_t ranks = tasks.size();
  const auto channelOf = [&](size_t from, size_t to) { return from * ranks + to; };
  auto& [first, next, receives] = support::PerThread<Channels>::get();
  first.assign(ranks * ranks + 1, 0);
  size_t longest = 0, sends = 0;
  for (size_t rank = 0; rank < ranks; ++rank) {
    longest = std::max(longest, tasks[rank].size());
    for (const TransferTask& task : tasks[rank]) {
      sends += task.isSend;
      if (!task.isSend) ++first[channelOf(static_cast<size_t>(task.peer), rank) + 1];
    }
  }
  for (size_t channel = 0; channel < ranks * ranks; ++channel) first[channel + 1] += first[channel];
  if (first.back() != sends) return false;
  receives.resize(sends);
  next.assign(first.begin(), first.end() - 1);
  for (size_t rank = 0; rank < ranks; ++rank) {
    for (const TransferTask& task : tasks[rank]) {
      if (!task.isSend) receives[next[channelOf(static_cast<size_t>(task.peer), rank)]++] = &task;
    }
  }
  next.assign(first.begin(), first.end() - 1);
  matches.clear();
  matches.reserve(sends);
  for (size_t call = 0; call < longest; ++call) {
    for (size_t rank = 0; rank < ranks; ++rank) {
      if (call >= tasks[rank].size() || !tasks[rank][call].isSend) continue;
      const TransferTask& send = tasks[rank][call];
      const size_t channel = channelOf(rank, static_cast<size_t>(send.peer));
      const size_t place = next[channel]++;
      if (place >= first[channel + 1] || receives[place]->bytes() != send.bytes()) return false;
      matches.push_back({&send, receives[place], call});
    }
  }
  return true;
}

}  // namespace musashim::mccl
