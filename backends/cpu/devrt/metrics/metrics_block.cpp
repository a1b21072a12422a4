#include "cpu/devrt/metrics/metrics_block.h"

#include <algorithm>
#include <array>
#include <bit>

#include "cpu/devrt/metrics/access_parts.h"
#include "cpu/devrt/metrics/metrics_file.h"

namespace musashim::devrt::metrics {

thread_local BlockMetrics* current = nullptr;

void BlockMetrics::begin(const MusaBlockContext& block, MusaMetricsKernel& kernel) {
  block_ = &block;
  kernel_ = &kernel;
  warp_ = UINT32_MAX;
  const uint32_t threads = block.block_dim.x * block.block_dim.y * block.block_dim.z;
  warpShift_ = static_cast<uint32_t>(std::countr_zero(block.warp_size));
  const uint32_t width = block.warp_size, warps = (threads + width - 1) / width;
  if (warps_.size() < warps) warps_.resize(warps);
  for (uint32_t warp = 0; warp < warps; ++warp)
    warps_[warp].begin(width, std::min(width, threads - warp * width));
  slots_.begin(block, kernel);
}

std::unique_ptr<BlockKind> BlockMetrics::end() {
  auto kind = warp_ == UINT32_MAX ? std::make_unique<BlockKind>() : nullptr;
  slots_.settleAll(kind ? &kind->counts : nullptr);
  for (WarpRecords& warp : warps_)
    warp.takeAll([&](const WarpRecord& record, const uint64_t* addresses) { count(record, addresses); });
  addBlock(*kernel_, slots_.totals());
  if (kind) kind->totals = slots_.totals();
  block_ = nullptr;
  return kind;
}

void BlockMetrics::drop() {
  slots_.drop();
  for (WarpRecords& warp : warps_) warp.takeAll([](const WarpRecord&, const uint64_t*) {});
  block_ = nullptr;
}

WarpRecord& BlockMetrics::record(const void* row, uint64_t rounds, uint32_t thread, bool isAccess) {
  const uint32_t warp = thread >> warpShift_;
  const auto counted = [&](const WarpRecord& record, const uint64_t* addresses) { count(record, addresses); };
  if (warp != warp_) {
    if (warp_ != UINT32_MAX) warps_[warp_].takeTurnOver(counted);
    warp_ = warp;
  }
  bool cut = false;
  WarpRecord& found =
      warps_[warp].find(row, rounds, thread & (block_->warp_size - 1), isAccess, cut, counted);
  if (cut) add(kernel_->cut, 1);
  return found;
}

void BlockMetrics::access(MusaMetricsAccess& access, uint64_t address, uint64_t rounds, uint32_t thread) {
  const WarpRecord& found = record(&access, rounds, thread, true);
  warps_[warp_].addressesOf(found)[thread & (block_->warp_size - 1)] = address;
}

void BlockMetrics::count(const WarpRecord& record, const uint64_t* addresses) {
  if (record.isAccess) {
    // In the order of the lanes, whatever that was in which they came.
    std::array<uint64_t, kMostLanes> present;
    size_t lanes = 0;
    for (uint32_t lane = 0; lane < block_->warp_size; ++lane)
      if ((record.who[lane / 64] >> lane % 64 & 1) != 0) present[lanes++] = addresses[lane];
    return countAccess(*static_cast<MusaMetricsAccess*>(const_cast<void*>(record.row)),
                       {present.data(), lanes});
  }
  auto* step = static_cast<MusaMetricsStep*>(const_cast<void*>(record.row));
  add(step->warps, 1);
  add(step->lanes, record.lanes);
  slots_.totals().addStep(1, record.lanes);
}

void BlockMetrics::countAccess(MusaMetricsAccess& access, std::span<const uint64_t> addresses) {
  const uint64_t size = block_->dynamic_shared_offset + block_->dynamic_shared_bytes;
  const bool shared = access.space == MUSA_MEMORY_DEVICE &&
                      addresses.front() - reinterpret_cast<uint64_t>(block_->shared) < size;
  MusaMetricsTraffic sum{1, addresses.size(), 0, 0, 0};
  for (size_t first = 0; first < addresses.size() && access.space != MUSA_MEMORY_CONSTANT;
       first += kLanesTogether) {
    const auto lanes = addresses.subspan(first, std::min(kLanesTogether, addresses.size() - first));
    const Parts parts = shared ? wavefrontsOf(lanes, access.bytes) : sectorsOf(lanes, access.bytes);
    sum.parts += parts.count;
    sum.least += parts.least;
    if (access.kind == MUSA_ACCESS_ATOMIC) sum.serial += serialLanesOf(lanes);
  }
  if (access.space == MUSA_MEMORY_DEVICE) slots_.totals().addTraffic(shared, sum);
  addTo(access.traffic[shared ? 1 : 0], sum);
}

}  // namespace musashim::devrt::metrics
