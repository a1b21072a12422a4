// The functions that profiled device code calls: abi/musa_metrics_abi.h.
#include <memory>
#include <utility>

#include "abi/musa_metrics_abi.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/metrics/block_kinds.h"
#include "cpu/devrt/metrics/metrics_block.h"
#include "cpu/devrt/metrics/metrics_file.h"

using namespace musashim::devrt;
using namespace musashim::devrt::metrics;

namespace {

uint64_t linearBlock(const MusaBlockContext& block) {
  return block.block_idx.x +
         uint64_t{block.grid_dim.x} * (block.block_idx.y + uint64_t{block.grid_dim.y} * block.block_idx.z);
}

// The blocks that are counted are spread over the grid by the golden ratio, so that they are no column of it.
bool isCounted(uint64_t block) {
  static const auto share = static_cast<uint32_t>(UINT32_MAX / sampling());
  return static_cast<uint32_t>(block) * uint32_t{0x9e3779b9} <= share;
}

}  // namespace

extern "C" {

MUSADEVRT_API void __musa_metrics_register(MusaMetricsKernel* const* kernels, uint64_t count) {
  addKernels(kernels, count);
}

MUSADEVRT_API void __musa_metrics_unregister(MusaMetricsKernel* const* kernels, uint64_t count) {
  removeKernels(kernels, count);
}

MUSADEVRT_API void __musa_run_profiled(const MusaBlockContext* block, MusaBlockFunction plain,
                                       MusaBlockFunction profiled, MusaMetricsKernel* kernel,
                                       MusaBlockKindFunction kind) {
  const uint64_t number = linearBlock(*block);
  if (number == 0) addLaunch(*kernel, *block);
  // Blocks that take turns on this thread: one is looked at.
  if (!isCounted(number) || current != nullptr) return plain(block);
  auto& kinds = *static_cast<BlockKinds*>(kernel->kinds);
  uint64_t key = 0;
  if (kind != nullptr) {
    key = BlockKinds::keyOf(*block, kind(block));
    if (BlockKind* const known = kinds.find(key)) {
      known->repeats.fetch_add(1, std::memory_order_relaxed);
      return plain(block);
    }
  }
  HostThread& host = HostThread::current();
  if (!host.metrics) host.metrics = std::make_unique<BlockMetrics>();
  host.metrics->begin(*block, *kernel);
  current = host.metrics.get();
  profiled(block);
  current = nullptr;
  std::unique_ptr<BlockKind> done = host.metrics->end();
  if (kind != nullptr && done && !kinds.isFull()) {
    done->key = key;
    kinds.add(std::move(done));
  }
  __atomic_fetch_add(&kernel->seen, 1, __ATOMIC_RELAXED);
}

MUSADEVRT_API char* __musa_metrics_slots(void) { return current->slots().data(); }

MUSADEVRT_API uint64_t __musa_metrics_stride(void) { return current->slots().stride(); }

MUSADEVRT_API void __musa_metrics_turn(uint32_t group) { current->slots().turn(current->group(group)); }

MUSADEVRT_API void __musa_metrics_settle(uint32_t group) { current->slots().settle(current->group(group)); }

MUSADEVRT_API void __musa_metrics_step(MusaMetricsStep* step, uint64_t rounds, uint64_t thread) {
  current->step(*step, rounds, static_cast<uint32_t>(thread));
}

MUSADEVRT_API void __musa_metrics_access(MusaMetricsAccess* access, const void* address, uint64_t rounds,
                                         uint64_t thread) {
  current->access(*access, reinterpret_cast<uint64_t>(address), rounds, static_cast<uint32_t>(thread));
}
}
