#include "cpu/devrt/metrics/block_kinds.h"

#include <utility>

#include "cpu/devrt/metrics/lane_slots.h"

namespace musashim::devrt::metrics {
namespace {

class Key {
 public:
  explicit Key(uint64_t start) : key_(start) {}
  void add(uint64_t value) {
    key_ = (key_ ^ value) * 0x9e3779b97f4a7c15;
    key_ ^= key_ >> 32;
  }
  void add(const MusaDim3& of) {
    add(uint64_t{of.x} << 32 | of.y);
    add(of.z);
  }
  uint64_t value() const { return key_; }

 private:
  uint64_t key_;
};

MusaMetricsTraffic times(const MusaMetricsTraffic& of, uint64_t count) {
  return {of.requests * count, of.lanes * count, of.parts * count, of.least * count, of.serial * count};
}

}  // namespace

uint64_t BlockKinds::keyOf(const MusaBlockContext& block, uint64_t kind) {
  Key key(kind);
  key.add(block.grid_dim);
  key.add(block.block_dim);
  key.add(uint64_t{block.warp_size} << 32 | block.dynamic_shared_bytes);
  key.add(block.cooperative);
  return key.value();
}

BlockKind* BlockKinds::find(uint64_t key) const {
  for (size_t slot = key % kSlots;; slot = (slot + 1) % kSlots) {
    BlockKind* const kind = slots_[slot].load(std::memory_order_acquire);
    if (kind == nullptr || kind->key == key) return kind;
  }
}

void BlockKinds::add(std::unique_ptr<BlockKind> kind) {
  const std::lock_guard lock(mutex_);
  if (isFull() || find(kind->key) != nullptr) return;
  size_t slot = kind->key % kSlots;
  while (slots_[slot].load(std::memory_order_relaxed) != nullptr) slot = (slot + 1) % kSlots;
  slots_[slot].store(kind.get(), std::memory_order_release);
  all_.push_back(std::move(kind));
  count_.store(all_.size(), std::memory_order_relaxed);
}

void BlockKinds::addRepeats(MusaMetricsKernel& kernel, SamplingError& error) {
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<BlockKind>& kind : all_) {
    const uint64_t repeats = kind->repeats.exchange(0, std::memory_order_relaxed);
    if (repeats == 0) continue;
    metrics::add(kernel.seen, repeats);
    error.add(kind->totals, repeats);
    for (const BlockCount& count : kind->counts) {
      if (count.isAccess) {
        auto& access = *static_cast<MusaMetricsAccess*>(count.row);
        for (size_t space = 0; space < count.traffic.size(); ++space)
          addTo(access.traffic[space], times(count.traffic[space], repeats));
      } else {
        auto& step = *static_cast<MusaMetricsStep*>(count.row);
        metrics::add(step.warps, count.traffic[0].requests * repeats);
        metrics::add(step.lanes, count.traffic[0].lanes * repeats);
      }
    }
  }
}

}  // namespace musashim::devrt::metrics
