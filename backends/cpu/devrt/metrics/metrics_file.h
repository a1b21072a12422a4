// What profiled programs have counted, as a file: written when the program ends.
#pragma once

#include <cstdint>

#include "abi/musa_metrics_abi.h"
#include "cpu/devrt/metrics/sampling_error.h"

namespace musashim::devrt::metrics {

// One block in so many is counted: MUSASHIM_METRICS_SAMPLE, 1 unless set.
uint64_t sampling();

// Counters of images that are loaded; those of images that go are kept.
void addKernels(MusaMetricsKernel* const* kernels, uint64_t count);
void removeKernels(MusaMetricsKernel* const* kernels, uint64_t count);

// A launch of the kernel, from its first block.
void addLaunch(MusaMetricsKernel& kernel, const MusaBlockContext& first);

// A block that was counted: kept where others are not.
void addBlock(const MusaMetricsKernel& kernel, const BlockTotals& block);

}  // namespace musashim::devrt::metrics
