#include "mccl/engine/transfers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "mccl/engine/clique.h"
#include "mccl/engine/streaming_stores.h"
#include "mccl/kernels/reduce.h"

namespace musashim::mccl {
namespace {

constexpr size_t kPieceBytes = 256 << 10;
constexpr uint32_t kSender = 1, kReceiver = 2;

size_t piecesOf(const Message& message) {
  return std::max<size_t>(1, (message.send.bytes() + kPieceBytes - 1) / kPieceBytes);
}

// The earlier receives whose data call `index` passes on.
std::vector<size_t> receivesBefore(std::span<const TransferTask> tasks, size_t index) {
  std::vector<size_t> before;
  const TransferTask& task = tasks[index];
  for (size_t i = 0; task.isSend && i < index; ++i) {
    if (!tasks[i].isSend && tasks[i].peer != task.peer && overlap(tasks[i], task)) before.push_back(i);
  }
  return before;
}

}  // namespace

// Written past the caches, the messages do not push out of them what the others read.
void copyMessage(void* to, const void* from, size_t bytes, size_t inAll) {
  const auto target = reinterpret_cast<uintptr_t>(to), source = reinterpret_cast<uintptr_t>(from);
  const bool areApart = target + bytes <= source || source + bytes <= target;
  if (2 * inAll < pastCacheTraffic() || !areApart) {
    std::memmove(to, from, bytes);
    return;
  }
  pastCacheCopy()(to, from, bytes);
  pastCacheFence();
}

Transfers::Transfers(Clique& clique, int rank, std::span<const TransferTask> tasks,
                     std::function<bool(size_t)> mayBegin)
    : clique_(clique), rank_(rank), mayBegin_(std::move(mayBegin)), left_(tasks.size()) {
  clique.findProcessor(rank);
  MessageCounts& counts = clique.countsOf(rank);
  counts.sent.resize(clique.ranks());
  counts.received.resize(clique.ranks());
  pending_.reserve(tasks.size());
  for (const TransferTask& task : tasks) {
    const int from = task.isSend ? rank : task.peer;
    const int to = task.isSend ? task.peer : rank;
    const uint64_t number = (task.isSend ? counts.sent : counts.received)[task.peer]++;
    bytes_ += task.bytes();
    pending_.push_back({&task, number, &clique.segment().message(from, to, number),
                        receivesBefore(tasks, static_cast<size_t>(&task - tasks.data()))});
  }
}

bool Transfers::run(Clock::time_point until) {
  const auto ready = [&] {
    return clique_.stopped() || std::any_of(pending_.begin(), pending_.end(),
                                            [&](const Pending& pending) { return canAdvance(pending); });
  };
  while (true) {
    advanceAll();
    if (left_ == 0 || clique_.stopped()) return true;
    const bool allPosted =
        std::all_of(pending_.begin(), pending_.end(), [](const Pending& pending) { return pending.posted; });
    // Against noteFinished(): of two read-modify-writes one comes first, and the other sees what was before
    // it.
    clique_.segment().rank(rank_).watches.exchange(allPosted ? 0 : 1);
    const bool maySpin = clique_.hasProcessorAlone(rank_);
    if (!clique_.messagePoint(rank_).wait(
            ready, [&] { reportDeadlock(); }, maySpin, until))
      return false;
  }
}

// First all are posted, so that others who are awake can share the copies. What a rank receives it copies
// itself, if nobody else has: that is where it is wanted next.
void Transfers::advanceAll() {
  for (Pending& pending : pending_) {
    if (clique_.stopped()) return;
    if (!pending.posted) (void)post(pending);
  }
  for (const bool isSend : {false, true}) {
    for (Pending& pending : pending_) {
      if (clique_.stopped()) return;
      if (pending.task->isSend != isSend || pending.gone || !advance(pending)) continue;
      pending.gone = true;
      --left_;
    }
  }
}

// A message of rank `side` is copied.
void Transfers::noteFinished(int side) const {
  const bool isLast = clique_.segment().rank(side).unfinished.fetch_sub(1) == 1;
  if (side == rank_) return;
  if (isLast) {
    clique_.messagePoint(side).notify();
  } else {
    notifyWatching(side);
  }
}

void Transfers::notifyWatching(int side) const {
  if (clique_.segment().rank(side).watches.fetch_or(0) != 0) clique_.messagePoint(side).notify();
}

bool Transfers::canAdvance(const Pending& pending) const {
  const Message& message = *pending.message;
  if (pending.gone) return false;
  if (!pending.posted)
    return mayPost(pending) && message.turn.load(std::memory_order_acquire) == pending.number / kChannelDepth;
  if (message.finished.load(std::memory_order_acquire) == pending.number + 1) return true;
  return message.matched.load(std::memory_order_acquire) == pending.number + 1 &&
         message.next.load(std::memory_order_relaxed) < piecesOf(message);
}

bool Transfers::advance(Pending& pending) {
  if (!pending.posted) return false;
  Message& message = *pending.message;
  if (message.matched.load(std::memory_order_acquire) == pending.number + 1) copyPieces(pending);
  if (message.finished.load(std::memory_order_acquire) != pending.number + 1) return false;
  leave(pending);
  return true;
}

bool Transfers::mayPost(const Pending& pending) const {
  if (mayBegin_ && !mayBegin_(static_cast<size_t>(&pending - pending_.data()))) return false;
  return std::all_of(pending.after.begin(), pending.after.end(),
                     [&](size_t receive) { return pending_[receive].gone; });
}

// False while an earlier message holds the place.
bool Transfers::post(Pending& pending) {
  Message& message = *pending.message;
  if (!mayPost(pending)) return false;
  if (message.turn.load(std::memory_order_acquire) != pending.number / kChannelDepth) return false;
  const TransferTask& task = *pending.task;
  (task.isSend ? message.send : message.recv) = task;
  pending.posted = true;
  clique_.segment().rank(rank_).unfinished.fetch_add(1);
  const uint32_t side = task.isSend ? kSender : kReceiver;
  if ((message.posted.fetch_or(side, std::memory_order_acq_rel) | side) == (kSender | kReceiver)) {
    match(message, pending.number, message.recv.peer, message.send.peer);
  }
  return true;
}

void Transfers::match(Message& message, uint64_t number, int from, int to) {
  if (message.send.bytes() != message.recv.bytes()) {
    clique_.fail(mcclInvalidUsage,
                 fmt::format("mismatched transfer: {} does not match {}",
                             message.send.describe(clique_.numberOf(from), clique_.numberOf(to)),
                             message.recv.describe(clique_.numberOf(to), clique_.numberOf(from))));
    return;
  }
  message.matched.store(number + 1, std::memory_order_release);
  constexpr size_t kWorthWaking = 512 << 10;
  if (message.send.bytes() >= kWorthWaking) clique_.messagePoint(from == rank_ ? to : from).notify();
}

void Transfers::copyPieces(Pending& pending) {
  Message& message = *pending.message;
  const size_t pieces = piecesOf(message);
  if (message.next.load(std::memory_order_relaxed) >= pieces) return;
  const size_t bytes = message.send.bytes();
  Clique::WorkScope scope(clique_, rank_);
  if (!scope.mayWork()) return;
  std::array<void*, 2> found{};
  const auto& [source, target] = found;
  if (bytes > 0) {
    const AddressBook::Wanted wanted[] = {{message.recv.peer, &message.send.buffer},
                                          {message.send.peer, &message.recv.buffer}};
    clique_.addresses().find(wanted, found);
    if (!source || !target) {
      clique_.reportUnreachable(rank_, pending.task->peer, [&] {
        return message.finished.load(std::memory_order_acquire) == pending.number + 1;
      });
      return;
    }
  }
  while (!clique_.stopped()) {
    const size_t piece = message.next.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces) return;
    const size_t begin = piece * kPieceBytes;
    const size_t length = std::min(kPieceBytes, bytes - std::min(bytes, begin));
    if (length)
      copyMessage(static_cast<char*>(target) + begin, static_cast<const char*>(source) + begin, length,
                  bytes_);
    if (message.done.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces) {
      const int from = message.recv.peer,
                to = message.send.peer;  // it may be posted anew once it is finished
      message.finished.store(pending.number + 1, std::memory_order_release);
      noteFinished(from);
      noteFinished(to);
    }
  }
}

// A peer that waits for this rank in a collective will never come to the message.
void Transfers::reportDeadlock() {
  for (const Pending& pending : pending_) {
    if (pending.gone || !pending.posted || pending.task->peer == rank_) continue;
    if (pending.message->matched.load(std::memory_order_acquire) == pending.number + 1) continue;
    const std::string call = clique_.waitsInCollective(pending.task->peer, rank_);
    if (call.empty()) continue;
    const int peer = clique_.numberOf(pending.task->peer);
    clique_.fail(mcclInvalidUsage,
                 fmt::format("mismatched calls: {}, while rank {} called {}",
                             pending.task->describe(clique_.numberOf(rank_), peer), peer, call));
    return;
  }
}

void Transfers::leave(Pending& pending) {
  Message& message = *pending.message;
  if (message.left.fetch_add(1, std::memory_order_acq_rel) == 0) return;
  const int from = message.recv.peer, to = message.send.peer;
  message.posted.store(0, std::memory_order_relaxed);
  message.left.store(0, std::memory_order_relaxed);
  message.next.store(0, std::memory_order_relaxed);
  message.done.store(0, std::memory_order_relaxed);
  message.turn.store(pending.number / kChannelDepth + 1, std::memory_order_release);
  notifyWatching(from);
  notifyWatching(to);
}

}  // namespace musashim::mccl
