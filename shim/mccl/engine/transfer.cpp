#include "mccl/engine/transfer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace musashim::mccl {
namespace {

constexpr size_t kPieceBytes = 256 << 10;

}  // namespace

bool Transfer::copyPiece() {
  const size_t piece = next_.fetch_add(1, std::memory_order_relaxed);
  if (piece >= pieces_) return false;
  const size_t begin = piece * kPieceBytes;
  const size_t bytes = std::min(kPieceBytes, bytes_ - begin);
  // A send to oneself in place, or overlapping, is legal C++ this way.
  if (bytes) std::memmove(target_ + begin, source_ + begin, bytes);
  if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces_)
    finished_.store(true, std::memory_order_release);
  return true;
}

TransferBoard::TransferBoard(int ranks) : ranks_(ranks), channels_(static_cast<size_t>(ranks) * ranks) {}

std::shared_ptr<Transfer> TransferBoard::post(int rank, const TransferTask& task, std::string& mismatch) {
  const int from = task.isSend ? rank : task.peer;
  const int to = task.isSend ? task.peer : rank;
  std::lock_guard lock(mutex_);
  std::deque<Waiting>& waiting = channels_[static_cast<size_t>(from) * ranks_ + to].waiting;
  const bool match = !waiting.empty() && waiting.front().task.isSend != task.isSend;
  if (!match) {
    waiting.push_back({task, std::make_shared<Transfer>()});
    return waiting.back().transfer;
  }
  const Waiting other = std::move(waiting.front());
  waiting.pop_front();
  if (other.task.bytes() != task.bytes()) {
    mismatch = fmt::format("{} does not match {}", task.describe(rank), other.task.describe(task.peer));
    return other.transfer;
  }
  Transfer& transfer = *other.transfer;
  transfer.source_ = static_cast<const std::byte*>(task.isSend ? task.buffer : other.task.buffer);
  transfer.target_ = static_cast<std::byte*>(task.isSend ? other.task.buffer : task.buffer);
  transfer.bytes_ = task.bytes();
  transfer.pieces_ = std::max<size_t>(1, (transfer.bytes_ + kPieceBytes - 1) / kPieceBytes);
  transfer.matched_.store(true, std::memory_order_release);
  return other.transfer;
}

}  // namespace musashim::mccl
