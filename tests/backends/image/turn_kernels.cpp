// Kernels whose blocks wait for each other without a barrier.
#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {
namespace {

// Has come: whether the blocks that wait for `goal` arrivals may go on.
template <typename HasCome>
void waitInTurns(const MusaBlockContext* block, HasCome hasCome) {
  const auto& p = params<TurnParams>(block);
  const uint32_t self = linearBlock(block);
  auto& own = *reinterpret_cast<volatile uint32_t*>(block->shared);
  own = self;
  for (uint32_t round = 0; round < p.rounds; ++round) {
    if (self == p.failing && round == 1) fail(kStore);
    __atomic_fetch_add(p.arrived, 1, __ATOMIC_ACQ_REL);
    const int64_t goal = int64_t{block->grid_dim.x} * (round + 1);
    // After each look, as mcc has it.
    for (bool goesOn = false; !goesOn; __musa_nanosleep(0))
      goesOn = hasCome(__atomic_load_n(p.arrived, __ATOMIC_ACQUIRE), goal);
  }
  p.out[self] = own == self ? p.rounds : -1;
}

}  // namespace

// Each block waits for the one before. out[block]: 2 if it began `argument` blocks early, else 1.
void lookBackKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  const auto hasEnded = [&](uint32_t other) { return __atomic_load_n(p.out + other, __ATOMIC_ACQUIRE) != 0; };
  const uint32_t self = block->block_idx.x;
  const bool early = self >= p.argument && !hasEnded(self - p.argument);
  for (volatile int work = 0; work < 2000;) work = work + 1;  // worth a second processor
  while (self > 0 && !hasEnded(self - 1)) __musa_nanosleep(0);
  __atomic_store_n(p.out + self, early ? 2 : 1, __ATOMIC_RELEASE);
}

void turnsKernel(const MusaBlockContext* block) {
  waitInTurns(block, [](int64_t arrived, int64_t goal) { return arrived >= goal; });
}

void turnsForCountKernel(const MusaBlockContext* block) {
  waitInTurns(block, [](int64_t arrived, int64_t goal) { return arrived == goal; });
}

void lookBackInTurnsKernel(const MusaBlockContext* block) { lookBackKernel(block); }

// Each block waits for the one after it: all have to begin before one ends.
void lookAheadInTurnsKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  const uint32_t self = block->block_idx.x;
  if (self + 1 < block->grid_dim.x)
    while (__atomic_load_n(p.out + self + 1, __ATOMIC_ACQUIRE) == 0) __musa_nanosleep(0);
  __atomic_store_n(p.out + self, 1, __ATOMIC_RELEASE);
}

}  // namespace test_image
