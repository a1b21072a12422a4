#include "mccl/engine/collective_plan.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "mccl/core/assign_changed.h"
#include "mccl/core/data_type.h"
#include "mccl/engine/streaming_stores.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

constexpr size_t kBlockBytes = 8192;  // of a reduction: stays in the first-level cache
// Of results that are written past the caches: so small that the sources are read without a pause.
constexpr size_t kPastCacheBlockBytes = 1024;
constexpr size_t kBackwardsBytes = 64 << 10;  // done forwards each: processors read ahead
// Sharing it piece by piece costs more: than that one does it all, or each of those who are awake a part.
constexpr size_t kSmallTraffic = 64 << 10, kSmallTrafficOfParts = 1 << 20;
constexpr size_t kLeastPartBytes = 1 << 10;
constexpr size_t kChunkTraffic = 256 << 10;  // a piece of work for one thread, at most
constexpr size_t kLeastChunkTraffic = 32 << 10;
constexpr size_t kChunks = 8;  // of less work
constexpr size_t kLeastChunkBytes = 4 << 10;

// Of the buffers of a collective: one memory for all calls.
struct Lookup {
  std::vector<AddressBook::Wanted> wanted;
  std::vector<void*> found;
};

// In place, or so that a result would overwrite what is still to be read.
bool overlaps(const CollectiveTask& task, int rank, int ranks) {
  if (!readsSendBuffer(task, rank) || !writesRecvBuffer(task, rank)) return false;
  const auto* send = static_cast<const std::byte*>(task.send.pointer);
  const auto* recv = static_cast<const std::byte*>(task.recv.pointer);
  return std::less<>()(recv, send + sendBytes(task, ranks)) &&
         std::less<>()(send, recv + recvBytes(task, ranks));
}

// Each result goes where one of its sources was read a moment before, or nowhere: the cache has that line.
// (Past the caches, all-reduce of 16 MiB in place takes twice as long as one that is not in place, on 2 to 8
// devices of a Sapphire Rapids.)
bool writesWhatItReads(const CollectiveTask& task, int rank, int ranks) {
  if (!reduces(task.kind) || !readsSendBuffer(task, rank)) return false;
  if (!writesRecvBuffer(task, rank)) return true;
  const bool isPart = task.kind == CollectiveKind::kReduceScatter;
  const size_t before =
      isPart ? sendBytes(task, ranks) / static_cast<size_t>(ranks) * static_cast<size_t>(rank) : 0;
  return static_cast<const std::byte*>(task.send.pointer) + before == task.recv.pointer;
}

// Elements in all: the space that is cut into chunks. Of AlltoAll: what each rank gets, one after the other.
size_t unitsOf(const CollectiveTask& task, size_t ranks) {
  switch (task.kind) {
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
      return task.count * ranks;
    case CollectiveKind::kAllToAll:
      return task.count * ranks * ranks;
    default:
      return task.count;
  }
}

// Whether what stands at a place of that space goes to one rank only.
bool hasOneTarget(CollectiveKind kind) {
  return kind == CollectiveKind::kReduce || kind == CollectiveKind::kReduceScatter ||
         kind == CollectiveKind::kAllToAll;
}

}  // namespace

size_t CollectivePlan::trafficOf(const CollectiveTask& task, int ranks) {
  const auto all = static_cast<size_t>(ranks);
  const size_t sources = reduces(task.kind) ? all : 1;
  return workBytesOf(task, ranks) * (sources + (hasOneTarget(task.kind) ? 1 : all));
}

size_t CollectivePlan::workBytesOf(const CollectiveTask& task, int ranks) {
  return unitsOf(task, static_cast<size_t>(ranks)) * elementSize(task.type);
}

bool CollectivePlan::isSmall(const CollectiveTask& task, int ranks, size_t parts) {
  return trafficOf(task, ranks) <= (parts > 1 ? kSmallTrafficOfParts : kSmallTraffic);
}

size_t CollectivePlan::partBytesOf(const CollectiveTask& task, int ranks, size_t parts) {
  const size_t work = workBytesOf(task, ranks);
  if (parts == 1 || work <= kLeastPartBytes) return std::max(kLeastPartBytes, work);
  return std::max(kLeastPartBytes, ((work + parts - 1) / parts + 63) & ~size_t{63});
}

size_t CollectivePlan::partsOf(const CollectiveTask& task, int ranks, size_t most) {
  const size_t work = workBytesOf(task, ranks);
  if (most == 1 || work <= kLeastPartBytes) return work == 0 ? 0 : 1;
  const size_t each = partBytesOf(task, ranks, most);
  return (work + each - 1) / each;
}

size_t CollectivePlan::chunksOf(const CollectiveTask& task, int ranks, size_t chunkBytes) {
  const size_t units = unitsOf(task, static_cast<size_t>(ranks));
  const size_t each = chunkBytesOf(task, ranks, chunkBytes) / elementSize(task.type);
  return (units + each - 1) / each;
}

// The more ranks, the smaller, as a thread's work on a byte grows with them.
size_t CollectivePlan::chunkBytesOf(const CollectiveTask& task, int ranks, size_t most) {
  const size_t traffic = trafficOf(task, ranks);
  const size_t perByte = traffic / workBytesOf(task, ranks);
  const size_t chunkTraffic = std::clamp(traffic / kChunks, kLeastChunkTraffic, kChunkTraffic);
  return std::min(most, std::max(kLeastChunkBytes, chunkTraffic / perByte / 64 * 64));
}

int CollectivePlan::prepare(std::span<const CollectiveTask* const> tasks, AddressBook& addresses,
                            const Manner& manner) {
  // What stays as it was is not written: see assignChanged().
  const CollectiveTask& first = *tasks[0];
  assignChanged(kind_, first.kind);
  assignChanged(ranks_, static_cast<int>(tasks.size()));
  assignChanged(root_, first.root);
  assignChanged(element_, elementSize(first.type));
  assignChanged(count_, first.count);
  assignChanged(units_, unitsOf(first, tasks.size()));
  assignChanged(kernel_, reduces(kind_) ? reduceKernel(first.type, first.reduction) : nullptr);
  assignChanged(combine_, kernel_ && first.reduction == Reduction::kPreMulSum
                              ? reduceKernel(first.type, Reduction::kSum)
                              : kernel_);
  // With integers the order makes no difference.
  assignChanged(algorithm_, isInteger(first.type) || ranks_ < 3 ? Algorithm::kDirect : manner.algorithm);
  if (const int unreachable = findBuffers(tasks, addresses); unreachable >= 0) return unreachable;
  if (algorithm_ == Algorithm::kRing) layRings(manner.rings);
  assignChanged(traffic_, trafficOf(first, ranks_));
  bool isInPlace = true;
  for (int rank = 0; rank < ranks_ && isInPlace; ++rank)
    isInPlace = writesWhatItReads(*tasks[rank], rank, ranks_);
  const bool isPastCache = !isInPlace && std::max(traffic_, 4 * units_ * element_) >= pastCacheTraffic();
  assignChanged(pastCache_, isPastCache ? pastCacheCopy() : nullptr);
  bool isAside = isPastCache;
  for (int rank = 0; rank < ranks_; ++rank) isAside = isAside || overlaps(*tasks[rank], rank, ranks_);
  assignChanged(buildsAside_, isAside);
  cut(manner.pieceBytes != 0 ? manner.pieceBytes : chunkBytesOf(first, ranks_, manner.chunkBytes));
  return -1;
}

// -1, or a rank whose memory cannot be reached.
int CollectivePlan::findBuffers(std::span<const CollectiveTask* const> tasks, AddressBook& addresses) {
  auto& [wanted, found] = support::PerThread<Lookup>::get();
  wanted.clear();
  for (int rank = 0; rank < ranks_; ++rank) {
    const CollectiveTask& task = *tasks[rank];
    if (readsSendBuffer(task, rank)) wanted.push_back({rank, &task.send});
    if (writesRecvBuffer(task, rank)) wanted.push_back({rank, &task.recv});
  }
  found.resize(wanted.size());
  addresses.find(wanted, found);
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) return wanted[i].rank;
  }
  send_.resize(tasks.size());
  recv_.resize(tasks.size());
  factors_.resize(tasks.size());
  auto next = found.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    const CollectiveTask& task = *tasks[rank];
    assignChanged(send_[rank], readsSendBuffer(task, rank) ? *next++ : nullptr);
    assignChanged(recv_[rank], writesRecvBuffer(task, rank) ? *next++ : nullptr);
    assignChanged(factors_[rank], task.factor);
  }
  return -1;
}

void CollectivePlan::cut(size_t chunkBytes) {
  assignChanged(chunkUnits_, chunkBytes / element_);
  assignChanged(chunks_, (units_ + chunkUnits_ - 1) / chunkUnits_);
}

void CollectivePlan::readDeviceFactor(size_t rank, const CollectiveTask& task) {
  if (!task.deviceFactor) return;
  std::memcpy(&factors_[rank], task.deviceFactor, element_);
  if (algorithm_ != Algorithm::kRing) return;
  const size_t ranks = static_cast<size_t>(ranks_);
  for (size_t i = 0; i < ringRanks_.size(); ++i) {
    if (ringRanks_[i] != rank) continue;
    const size_t first = i / ranks * 2 * ranks + i % ranks;
    ringFactors_[first] = ringFactors_[first + ranks] = factors_[rank];
  }
}

void CollectivePlan::layRings(Rings rings) {
  ringRanks_.assign(rings.begin(), rings.end());
  if (rings.empty()) {
    ringRanks_.resize(static_cast<size_t>(ranks_));
    std::iota(ringRanks_.begin(), ringRanks_.end(), uint16_t{0});
  }
  const size_t ranks = static_cast<size_t>(ranks_);
  ringSend_.resize(2 * ringRanks_.size());
  ringFactors_.resize(2 * ringRanks_.size());
  for (size_t i = 0; i < ringRanks_.size(); ++i) {
    const size_t first = i / ranks * 2 * ranks + i % ranks;
    ringSend_[first] = ringSend_[first + ranks] = send_[ringRanks_[i]];
    ringFactors_[first] = ringFactors_[first + ranks] = factors_[ringRanks_[i]];
  }
}

// What all ranks get is cut into a part for each ring, and the part into a share for each rank of it; what
// one rank gets, into a part for each ring alone. Data goes around the ring and ends at the share's owner.
CollectivePlan::RingShare CollectivePlan::ringShareAt(size_t at) const {
  const size_t ranks = static_cast<size_t>(ranks_), rings = ringRanks_.size() / ranks;
  const bool isScatter = kind_ == CollectiveKind::kReduceScatter;
  const size_t begin = isScatter ? at / count_ * count_ : 0, whole = isScatter ? count_ : units_;
  const size_t part = (whole + rings - 1) / rings, ring = (at - begin) / part;
  const size_t partEnd = begin + std::min(whole, (ring + 1) * part);
  const auto order = ringRanks_.begin() + static_cast<ptrdiff_t>(ring * ranks);
  size_t place = 0, end = partEnd;
  if (isScatter || kind_ == CollectiveKind::kReduce) {
    const size_t owner = isScatter ? at / count_ : static_cast<size_t>(root_);
    place = static_cast<size_t>(std::find(order, order + ranks_, owner) - order);
  } else {
    const size_t share = (part + ranks - 1) / ranks;
    place = (at - ring * part) / share;
    end = std::min(partEnd, ring * part + (place + 1) * share);
  }
  return {ring * 2 * ranks + (place + 1) % ranks, end};
}

void CollectivePlan::run(size_t chunk, Order order) const {
  const size_t begin = chunk * chunkUnits_;
  const size_t end = std::min(begin + chunkUnits_, units_);
  if (pastCache_) {
    runRange(begin, end);
    pastCacheFence();
  } else if (order == Order::kForwards) {
    runRange(begin, end);
  } else {
    const size_t step = kBackwardsBytes / element_;
    for (size_t left = (end - begin + step - 1) / step; left-- > 0;) {
      const size_t at = begin + left * step;
      runRange(at, std::min(at + step, end));
    }
  }
}

void CollectivePlan::runRange(size_t begin, size_t end) const {
  if (kernel_) {
    reduceRange(begin, end);
  } else if (kind_ == CollectiveKind::kAllToAll) {
    exchangeRange(begin, end);
  } else {
    copyRange(begin, end);
  }
}

void CollectivePlan::reduceRange(size_t begin, size_t end) const {
  alignas(64) std::byte block[kBlockBytes];
  const size_t step = (pastCache_ ? kPastCacheBlockBytes : kBlockBytes) / element_;
  for (size_t at = begin; at < end;) {
    const Target target = firstTarget(at);
    const size_t stop = std::min({at + step, end, target.end});
    std::byte* const result = buildsAside_ ? block : target.data;
    reduceBlock(result, at, stop);
    deliver(result, at, stop);
    at = stop;
  }
}

// Where the result of element `at` goes first, and the end of what goes there.
CollectivePlan::Target CollectivePlan::firstTarget(size_t at) const {
  if (kind_ == CollectiveKind::kReduceScatter) {
    const size_t rank = at / count_;
    return {targetOf(static_cast<int>(rank), at - rank * count_), (rank + 1) * count_};
  }
  return {targetOf(kind_ == CollectiveKind::kReduce ? root_ : 0, at), units_};
}

void CollectivePlan::reduceBlock(void* out, size_t begin, size_t end) const {
  switch (algorithm_) {
    case Algorithm::kDirect:
      return kernel_(out, {send_.data(), factors_.data(), ranks_}, begin, end - begin);
    case Algorithm::kTree:
      return reduceTree(out, 0, ranks_, begin, end);
    case Algorithm::kRing:
      break;
  }
  const size_t element = element_;
  for (size_t at = begin; at < end;) {
    const RingShare share = ringShareAt(at);
    const size_t stop = std::min(end, share.end);
    kernel_(static_cast<std::byte*>(out) + (at - begin) * element,
            {ringSend_.data() + share.first, ringFactors_.data() + share.first, ranks_}, at, stop - at);
    at = stop;
  }
}

void CollectivePlan::reduceTree(void* out, int low, int high, size_t begin, size_t end) const {
  if (high - low <= 2)
    return kernel_(out, {send_.data() + low, factors_.data() + low, high - low}, begin, end - begin);
  alignas(64) std::byte left[kBlockBytes], right[kBlockBytes];
  const int middle = low + (high - low + 1) / 2;
  reduceTree(left, low, middle, begin, end);
  reduceTree(right, middle, high, begin, end);
  const void* halves[] = {left, right};
  combine_(out, {halves, nullptr, 2}, 0, end - begin);
}

// Hands reduced elements [begin, end), which go to the same ranks, to these.
void CollectivePlan::deliver(const std::byte* data, size_t begin, size_t end) const {
  copyTo(firstTarget(begin).data, data, end - begin);
  if (kind_ != CollectiveKind::kAllReduce) return;
  for (int rank = 1; rank < ranks_; ++rank) copyTo(targetOf(rank, begin), data, end - begin);
}

void CollectivePlan::copyRange(size_t begin, size_t end) const {
  for (size_t at = begin; at < end;) {
    const size_t source = kind_ == CollectiveKind::kBroadcast ? root_ : at / count_;
    const size_t origin = kind_ == CollectiveKind::kBroadcast ? 0 : source * count_;
    const size_t stop = std::min(end, origin + count_);
    const auto* data = static_cast<const std::byte*>(send_[source]) + (at - origin) * element_;
    for (int rank = 0; rank < ranks_; ++rank) copyTo(targetOf(rank, at), data, stop - at);
    at = stop;
  }
}

void CollectivePlan::exchangeRange(size_t begin, size_t end) const {
  for (size_t at = begin; at < end;) {
    const size_t pair = at / count_, target = pair / ranks_, source = pair % ranks_;
    const size_t offset = at - pair * count_, stop = std::min(end, at - offset + count_);
    const auto* data = static_cast<const std::byte*>(send_[source]) + (target * count_ + offset) * element_;
    copyTo(targetOf(static_cast<int>(target), source * count_ + offset), data, stop - at);
    at = stop;
  }
}

std::byte* CollectivePlan::targetOf(int rank, size_t unit) const {
  return static_cast<std::byte*>(recv_[rank]) + unit * element_;
}

void CollectivePlan::copyTo(std::byte* target, const std::byte* data, size_t units) const {
  if (target == data) return;  // in place
  if (pastCache_) {
    pastCache_(target, data, units * element_);
  } else {
    std::memcpy(target, data, units * element_);
  }
}

}  // namespace musashim::mccl
