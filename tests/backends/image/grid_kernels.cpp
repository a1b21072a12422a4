// Kernels whose blocks wait for each other at barriers of the grid: every round, each block leaves a part and
// adds up all parts; shared memory keeps the sum.
#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {
namespace {

void misbehaveInGrid(int kind) {
  if (kind == kGridTrap) fail(kTrapCall);
  if (kind == kGridStore) fail(kStore);
  if (kind == kGridOverflow) fail(kOverflow);
}

bool misbehavesNow(const MusaBlockContext* block, const GridParams& p, uint32_t round) {
  return p.kind != kGridSound && round == 1 && linearBlock(block) == 1;
}

void addPart(const MusaBlockContext* block, const GridParams& p, uint32_t round) {
  auto& sum = *reinterpret_cast<int64_t*>(block->shared);
  if (round == 0) sum = 0;
  p.parts[linearBlock(block)] = sum % 1000 + linearBlock(block) + round;
}

void sumParts(const MusaBlockContext* block, const GridParams& p) {
  auto& sum = *reinterpret_cast<int64_t*>(block->shared);
  for (uint32_t i = 0; i < block->grid_dim.x * block->grid_dim.y * block->grid_dim.z; ++i) sum += p.parts[i];
  p.out[linearBlock(block)] = sum;
}

// kGridNoBarrier: all threads of block 1 but the first wait at a barrier of the block alone
// for the first one, which waits for the grid: as one barrier.
void gridFibersThread(const MusaBlockContext* block) {
  const auto& p = params<GridParams>(block);
  for (uint32_t round = 0; round < p.rounds; ++round) {
    if (tid() == 0) addPart(block, p, round);
    if (misbehavesNow(block, p, round)) {
      if (p.kind == kGridOneEnds) return;
      if (tid() == 1) misbehaveInGrid(p.kind);
    }
    if (misbehavesNow(block, p, round) && p.kind == kGridNoBarrier && tid() != 0) {
      __musa_syncthreads();
    } else {
      __musa_grid_sync();
    }
    if (tid() == 0) sumParts(block, p);
    __musa_grid_sync();
  }
}

}  // namespace

// As compiled units do it.
void gridKernel(const MusaBlockContext* block) {
  const auto& p = params<GridParams>(block);
  for (uint32_t round = 0; round < p.rounds; ++round) {
    addPart(block, p, round);
    if (misbehavesNow(block, p, round)) {
      if (p.kind == kGridOneEnds) return;
      misbehaveInGrid(p.kind);
    }
    __musa_grid_barrier(block);
    sumParts(block, p);
    __musa_grid_barrier(block);
  }
}

void gridUntoldKernel(const MusaBlockContext* block) { gridKernel(block); }
void gridFibersKernel(const MusaBlockContext* block) { __musa_run_fibers(block, gridFibersThread); }

}  // namespace test_image
