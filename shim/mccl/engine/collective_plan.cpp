#include "mccl/engine/collective_plan.h"

#include <algorithm>
#include <cstring>

#include "mccl/core/data_type.h"
#include "mccl/core/settings.h"

namespace musashim::mccl {
namespace {

constexpr size_t kBlockBytes = 8192;            // of a reduction: stays in the first-level cache
constexpr size_t kSingleChunkBytes = 64 << 10;  // waking other threads costs more than this work
constexpr size_t kDefaultChunkBytes = 128 << 10;

size_t chunkBytes() {
  const size_t asked = settings().chunkBytes;
  return asked ? std::clamp<size_t>(asked, 4096, 64 << 20) : kDefaultChunkBytes;
}

uint64_t factorOf(const CollectiveTask& task, size_t bytes) {
  if (!task.deviceFactor) return task.factor;
  uint64_t factor = 0;
  std::memcpy(&factor, task.deviceFactor, bytes);
  return factor;
}

bool gathers(CollectiveKind kind) {
  return kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter;
}

}  // namespace

void CollectivePlan::prepare(std::span<const CollectiveTask> tasks) {
  const CollectiveTask& first = tasks[0];
  kind_ = first.kind;
  ranks_ = static_cast<int>(tasks.size());
  root_ = first.root;
  element_ = elementSize(first.type);
  count_ = first.count;
  units_ = gathers(kind_) ? count_ * tasks.size() : count_;
  kernel_ = nullptr;
  if (kind_ != CollectiveKind::kBroadcast && kind_ != CollectiveKind::kAllGather) {
    kernel_ = reduceKernel(first.type, first.reduction);
  }
  send_.resize(tasks.size());
  recv_.resize(tasks.size());
  factors_.resize(tasks.size());
  for (size_t rank = 0; rank < tasks.size(); ++rank) {
    send_[rank] = tasks[rank].send;
    recv_[rank] = tasks[rank].recv;
    factors_[rank] = kernel_ ? factorOf(tasks[rank], element_) : 0;
  }
  const size_t bytes = units_ * element_;
  chunkUnits_ = bytes <= kSingleChunkBytes ? std::max<size_t>(units_, 1) : chunkBytes() / element_;
  chunks_ = (units_ + chunkUnits_ - 1) / chunkUnits_;
}

void CollectivePlan::run(size_t chunk) const {
  const size_t begin = chunk * chunkUnits_;
  const size_t end = std::min(begin + chunkUnits_, units_);
  if (kernel_) {
    reduceRange(begin, end);
  } else {
    copyRange(begin, end);
  }
}

void CollectivePlan::reduceRange(size_t begin, size_t end) const {
  // The result is built aside: in place, it would overwrite what later steps read.
  alignas(64) std::byte block[kBlockBytes];
  const size_t step = kBlockBytes / element_;
  const ReduceInputs inputs{send_.data(), factors_.data(), ranks_};
  for (size_t at = begin; at < end; at += step) {
    const size_t stop = std::min(at + step, end);
    kernel_(block, inputs, at, stop - at);
    deliver(block, at, stop);
  }
}

// Hands reduced elements [begin, end) to the ranks that want them.
void CollectivePlan::deliver(const std::byte* data, size_t begin, size_t end) const {
  switch (kind_) {
    case CollectiveKind::kReduce:
      copyTo(root_, begin, data, end - begin);
      break;
    case CollectiveKind::kReduceScatter:
      for (size_t at = begin; at < end;) {
        const size_t rank = at / count_;
        const size_t stop = std::min(end, (rank + 1) * count_);
        copyTo(static_cast<int>(rank), at - rank * count_, data + (at - begin) * element_, stop - at);
        at = stop;
      }
      break;
    default:
      for (int rank = 0; rank < ranks_; ++rank) copyTo(rank, begin, data, end - begin);
  }
}

void CollectivePlan::copyRange(size_t begin, size_t end) const {
  for (size_t at = begin; at < end;) {
    const size_t source = kind_ == CollectiveKind::kBroadcast ? root_ : at / count_;
    const size_t origin = kind_ == CollectiveKind::kBroadcast ? 0 : source * count_;
    const size_t stop = std::min(end, origin + count_);
    const auto* data = static_cast<const std::byte*>(send_[source]) + (at - origin) * element_;
    for (int rank = 0; rank < ranks_; ++rank) copyTo(rank, at, data, stop - at);
    at = stop;
  }
}

void CollectivePlan::copyTo(int rank, size_t unit, const std::byte* data, size_t units) const {
  std::byte* target = static_cast<std::byte*>(recv_[rank]) + unit * element_;
  if (target != data) std::memcpy(target, data, units * element_);  // equal: in place
}

}  // namespace musashim::mccl
