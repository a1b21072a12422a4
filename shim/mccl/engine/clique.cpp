#include "mccl/engine/clique.h"

#include <fmt/core.h>

#include <algorithm>

#include "mccl/core/log.h"

namespace musashim::mccl {

class Clique::WorkScope {
 public:
  explicit WorkScope(Clique& clique) : clique_(clique) {
    // Both sequentially consistent with abort(): either it waits for this, or this sees the stop.
    clique_.workers_.fetch_add(1);
    mayWork_ = !clique_.stopped_.load();
  }
  ~WorkScope() {
    clique_.workers_.fetch_sub(1);
    if (clique_.stopped_.load()) clique_.waitPoint_.notify();
  }
  bool mayWork() const { return mayWork_; }

 private:
  Clique& clique_;
  bool mayWork_;
};

Clique::Clique(int ranks) : ranks_(ranks), board_(ranks) {
  for (Slot& slot : slots_) slot.posts.resize(ranks);
}

void Clique::runCollective(int rank, uint64_t sequence, const CollectiveTask& task) {
  Slot& slot = slots_[sequence % 2];
  const uint64_t mine = sequence + 1;
  if (stopped()) return;
  slot.posts[rank] = task;
  if (slot.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == ranks_) {
    // All are here, so all have left the collective before the last, which used this slot.
    slot.arrived.store(0, std::memory_order_relaxed);
    if (!begin(slot, sequence)) return;
  } else {
    waitPoint_.wait([&] {
      return slot.ready.load(std::memory_order_acquire) == mine ||
             slot.finished.load(std::memory_order_acquire) == mine || stopped();
    });
  }
  if (slot.finished.load(std::memory_order_acquire) != mine && !stopped()) help(slot, sequence);
  waitPoint_.wait([&] { return slot.finished.load(std::memory_order_acquire) == mine || stopped(); });
}

// As the last to arrive: checks, plans, and does small work at once. False when it failed.
bool Clique::begin(Slot& slot, uint64_t sequence) {
  for (int rank = 1; rank < ranks_; ++rank) {
    if (sameSignature(slot.posts[0], slot.posts[rank])) continue;
    fail(mcclInvalidUsage, fmt::format("mismatched collective: rank 0 called {}, rank {} called {}",
                                       slot.posts[0].describe(), rank, slot.posts[rank].describe()));
    return false;
  }
  WorkScope scope(*this);
  if (!scope.mayWork()) return false;
  slot.plan.prepare(slot.posts);
  slot.next.store(0, std::memory_order_relaxed);
  slot.done.store(0, std::memory_order_relaxed);
  if (slot.plan.chunks() <= 1) {
    if (slot.plan.chunks() == 1) slot.plan.run(0);
    slot.finished.store(sequence + 1, std::memory_order_release);
  } else {
    slot.ready.store(sequence + 1, std::memory_order_release);
  }
  waitPoint_.notify();
  return true;
}

void Clique::help(Slot& slot, uint64_t sequence) {
  WorkScope scope(*this);
  const size_t chunks = slot.plan.chunks();
  while (scope.mayWork() && !stopped()) {
    const size_t chunk = slot.next.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= chunks) return;
    slot.plan.run(chunk);
    if (slot.done.fetch_add(1, std::memory_order_acq_rel) + 1 == chunks) {
      slot.finished.store(sequence + 1, std::memory_order_release);
      waitPoint_.notify();
      return;
    }
  }
}

void Clique::runTransfers(int rank, std::span<const TransferTask> tasks) {
  std::vector<std::shared_ptr<Transfer>> pending;
  pending.reserve(tasks.size());
  for (const TransferTask& task : tasks) {
    std::string mismatch;
    if (stopped()) return;
    pending.push_back(board_.post(rank, task, mismatch));
    if (!mismatch.empty()) return fail(mcclInvalidUsage, "mismatched transfer: " + mismatch);
  }
  waitPoint_.notify();
  while (true) {
    for (auto& transfer : pending) {
      if (transfer->matched()) help(*transfer);
    }
    std::erase_if(pending, [](const auto& transfer) { return transfer->finished(); });
    if (pending.empty() || stopped()) return;
    waitPoint_.wait([&] {
      return stopped() || std::any_of(pending.begin(), pending.end(), [](const auto& transfer) {
               return transfer->finished() || (transfer->matched() && transfer->hasPieces());
             });
    });
  }
}

void Clique::help(Transfer& transfer) {
  WorkScope scope(*this);
  while (scope.mayWork() && !stopped() && transfer.copyPiece()) {
    if (transfer.finished()) waitPoint_.notify();
  }
}

void Clique::fail(mcclResult_t result, const std::string& message) {
  mcclResult_t none = mcclSuccess;
  if (error_.compare_exchange_strong(none, result)) (void)mccl::fail(result, "{}", message);
  stopped_.store(true);
  waitPoint_.notify();
}

void Clique::abort() {
  mcclResult_t none = mcclSuccess;
  error_.compare_exchange_strong(none, mcclRemoteError);
  stopped_.store(true);
  waitPoint_.notify();
  waitPoint_.wait([&] { return workers_.load() == 0; });
}

mcclResult_t Clique::error() const { return error_.load(std::memory_order_acquire); }

}  // namespace musashim::mccl
