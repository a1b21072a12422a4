// Kernels whose threads exchange values within their warps.
#include "block.h"
#include "kernels.h"
#include "test_params.h"

namespace test_image {
namespace {

uint64_t warpOperation(const WarpParams& p, uint64_t value) {
  int32_t argument = static_cast<int32_t>(p.argument);
  switch (p.operation) {
    case kIdx:
      return __musa_shfl_idx(p.mask, value, argument, p.width);
    case kUp:
      return __musa_shfl_up(p.mask, value, p.argument, p.width);
    case kDown:
      return __musa_shfl_down(p.mask, value, p.argument, p.width);
    case kXor:
      return __musa_shfl_xor(p.mask, value, argument, p.width);
    case kBallot:
      return __musa_ballot(p.mask, value & 1);
    case kAll:
      return static_cast<uint64_t>(__musa_all(p.mask, value & 1));
    case kAny:
      return static_cast<uint64_t>(__musa_any(p.mask, value & 1));
    case kMatchAny:
      return __musa_match_any(p.mask, value & 3);
    case kMatchAll: {
      int32_t all = -1;
      uint64_t mask = __musa_match_all(p.mask, value & 1, &all);
      return mask | uint64_t{static_cast<uint32_t>(all)} << 32;
    }
    default:
      __musa_syncwarp(p.mask);
      return 0;
  }
}

void warpThread(const MusaBlockContext* block) {
  const auto& p = params<WarpParams>(block);
  if (!((p.active >> (tid() % 32)) & 1)) return;
  p.out[tid()] = warpOperation(p, p.in[tid()]);
}

// The two halves of each group of 32 run loops of their own lengths, shuffling inside.
void divergentThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  uint32_t lane = tid() % 32;
  bool low = lane < 16;
  uint32_t mask = low ? 0x0000ffffu : 0xffff0000u;
  uint64_t value = tid();
  for (int round = 0; round < (low ? 7 : 3); ++round) {
    value += __musa_shfl_xor(mask, value, 1 + round % 4, 16);
  }
  p.out[tid()] = static_cast<int64_t>(value);
}

// Back-to-back operations with one mask: a slow reader must not see the next one's values.
void chainThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  uint64_t value = tid();
  for (uint32_t round = 0; round < p.argument; ++round) {
    value = __musa_shfl_idx(0xffffffffu, value, static_cast<int>((tid() + 1) % 32), 32);
  }
  p.out[tid()] = static_cast<int64_t>(value);
}

void activeMaskThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  if (tid() % 3 == 0) {
    p.out[tid()] = __musa_activemask();
  } else if (tid() % 3 == 1) {
    uint32_t mask = __musa_activemask();
    p.out[tid()] = static_cast<int64_t>(__musa_shfl_idx(mask, tid(), __builtin_ctz(mask), 32)) << 32 | mask;
  }
  __musa_syncthreads();
}

}  // namespace

void warpKernel(const MusaBlockContext* block) { __musa_run_fibers(block, warpThread); }
void divergentKernel(const MusaBlockContext* block) { __musa_run_fibers(block, divergentThread); }
void chainKernel(const MusaBlockContext* block) { __musa_run_fibers(block, chainThread); }
void activeMaskKernel(const MusaBlockContext* block) { __musa_run_fibers(block, activeMaskThread); }

}  // namespace test_image
