// Kernels without fibers, the variables and the shared memory of device code.
#include <pthread.h>

#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {

int launches = 0;             // a __device__ variable
int table[4] = {1, 2, 3, 4};  // a __constant__ one

void emptyKernel(const MusaBlockContext*) {}

void spinKernel(const MusaBlockContext* block) {
  const auto& p = params<SpinParams>(block);
  __atomic_store_n(p.started, 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(p.flag, __ATOMIC_ACQUIRE) == 0) {
  }
  __atomic_store_n(p.done, 1, __ATOMIC_RELEASE);
}

void countKernel(const MusaBlockContext* block) {
  const auto& p = params<CountParams>(block);
  uint64_t when = __atomic_fetch_add(p.blocks, 1, __ATOMIC_RELAXED);
  if (p.order) p.order[linearBlock(block)] = static_cast<uint32_t>(when);
  if (p.hostThreads) p.hostThreads[linearBlock(block)] = pthread_self();
}

// Every block waits until all blocks of the grid have begun.
void meetKernel(const MusaBlockContext* block) {
  const auto& p = params<CountParams>(block);
  uint64_t blocks = uint64_t{block->grid_dim.x} * block->grid_dim.y * block->grid_dim.z;
  __atomic_fetch_add(p.blocks, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(p.blocks, __ATOMIC_ACQUIRE) < blocks) {
  }
}

void addKernel(const MusaBlockContext* block) {
  const auto& p = params<AddParams>(block);
  uint32_t base = linearBlock(block) * threadsOf(block);
  for (uint32_t t = 0; t < threadsOf(block); ++t) {
    if (base + t < p.count) p.values[base + t] += p.amount;
  }
}

// Two bodies of one kernel.
void levelKernel(const MusaBlockContext* block) { *params<OutParams>(block).out = 3; }
void wideLevelKernel(const MusaBlockContext* block) { *params<OutParams>(block).out = 4; }

void launchesKernel(const MusaBlockContext* block) { *params<OutParams>(block).out = ++launches + table[0]; }

// Static and dynamic shared memory hold what was written to them.
void sharedKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  int* fixed = reinterpret_cast<int*>(block->shared);
  int* dynamic = reinterpret_cast<int*>(block->shared + block->dynamic_shared_offset);
  uint32_t count = block->dynamic_shared_bytes / sizeof(int);
  for (int i = 0; i < 5; ++i) fixed[i] = i;
  for (uint32_t i = 0; i < count; ++i) dynamic[i] = static_cast<int>(100 + i);
  int64_t sum = 0;
  for (int i = 0; i < 5; ++i) sum += fixed[i];
  for (uint32_t i = 0; i < count; ++i) sum += dynamic[i];
  p.out[0] = sum;
  p.out[1] = static_cast<int64_t>(reinterpret_cast<uintptr_t>(block->shared) % 4096);
}

}  // namespace test_image
