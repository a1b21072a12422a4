// Device code as mcc would emit it, by hand.
#include <pthread.h>

#include <cstdint>

#include "abi/musa_device_abi.h"
#include "abi/musa_unit_abi.h"
#include "test_params.h"

// Device code may do what sanitizers forbid: that is what some kernels are for.
#define UNCHECKED __attribute__((noinline, no_sanitize("undefined"), disable_sanitizer_instrumentation))

namespace {

template <typename T>
const T& params(const MusaBlockContext* block) {
  return *static_cast<const T*>(block->params);
}

uint32_t threadsOf(const MusaBlockContext* block) {
  return block->block_dim.x * block->block_dim.y * block->block_dim.z;
}

uint32_t linearBlock(const MusaBlockContext* block) {
  return block->block_idx.x +
         block->grid_dim.x * (block->block_idx.y + block->grid_dim.y * block->block_idx.z);
}

uint32_t tid() { return __musa_thread.linear_idx; }

// ---- Without fibers

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

UNCHECKED int overflow(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth > 1'000'000'000 ? 0 : overflow(depth + 1) + frame[0];
}

UNCHECKED void fail(int kind) {
  static volatile int zero = 0;
  switch (kind) {
    case kStore:
      *reinterpret_cast<volatile int*>(uintptr_t{0x10}) = 1;
      break;
    case kDivide:
      zero = 7 / zero;
      break;
    case kIllegal:
      __builtin_trap();
    case kTrapCall:
      __musa_trap();
    case kAssertCall:
      __musa_assert_fail("i < n", "kernel.mu", 42, "void k(int)");
    case kOverflow:
      zero = overflow(0);
      break;
    case kBadFree:
      __musa_free(reinterpret_cast<void*>(uintptr_t{64}));
      break;
    case kNonCanonical:
      *reinterpret_cast<volatile int*>(uintptr_t{0xdead000000000000}) = 1;
      break;
  }
}

void faultKernel(const MusaBlockContext* block) {
  const auto& p = params<FaultParams>(block);
  for (uint32_t t = 0; t < threadsOf(block); ++t) {
    if (t != p.thread) continue;
    __musa_thread.thread_idx = {t, 0, 0};
    __musa_thread.linear_idx = t;
    fail(p.kind);
  }
}

// ---- With fibers

void faultThread(const MusaBlockContext* block) {
  const auto& p = params<FaultParams>(block);
  __musa_syncthreads();
  if (tid() == p.thread) fail(p.kind);
  __musa_syncthreads();
}
void faultFibersKernel(const MusaBlockContext* block) { __musa_run_fibers(block, faultThread); }

// Sum of the thread numbers by halving in shared memory, `argument` times over.
void reduceThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  auto* shared = reinterpret_cast<int64_t*>(block->shared + block->dynamic_shared_offset);
  for (uint32_t round = 0; round < p.argument; ++round) {
    shared[tid()] = tid();
    __musa_syncthreads();
    for (uint32_t half = threadsOf(block) / 2; half > 0; half /= 2) {
      if (tid() < half) shared[tid()] += shared[tid() + half];
      __musa_syncthreads();
    }
    if (tid() == 0) p.out[linearBlock(block)] += shared[0];
    __musa_syncthreads();
  }
}
void reduceKernel(const MusaBlockContext* block) { __musa_run_fibers(block, reduceThread); }

// Threads from `argument` on leave before the barriers.
void earlyExitThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  if (tid() >= p.argument) return;
  __musa_syncthreads();
  p.out[tid()] = __musa_syncthreads_count(tid() % 2 == 0);
  p.out[tid()] = p.out[tid()] * 10 + __musa_syncthreads_and(tid() < p.argument);
  p.out[tid()] = p.out[tid()] * 10 + __musa_syncthreads_or(tid() == 0);
  p.out[tid()] = p.out[tid()] * 10 + __musa_syncthreads_and(tid() != 0);
}
void earlyExitKernel(const MusaBlockContext* block) { __musa_run_fibers(block, earlyExitThread); }

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
void warpKernel(const MusaBlockContext* block) { __musa_run_fibers(block, warpThread); }

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
void divergentKernel(const MusaBlockContext* block) { __musa_run_fibers(block, divergentThread); }

// Back-to-back operations with one mask: a slow reader must not see the next one's values.
void chainThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  uint64_t value = tid();
  for (uint32_t round = 0; round < p.argument; ++round) {
    value = __musa_shfl_idx(0xffffffffu, value, static_cast<int>((tid() + 1) % 32), 32);
  }
  p.out[tid()] = static_cast<int64_t>(value);
}
void chainKernel(const MusaBlockContext* block) { __musa_run_fibers(block, chainThread); }

// argument 0: half of the warp waits in a shuffle for lanes that stand at the barrier.
// argument 1: two lanes wait for each other in operations with different masks.
void deadlockThread(const MusaBlockContext* block) {
  uint32_t kind = params<OutParams>(block).argument;
  if (kind == 0) {
    if (tid() < 16) __musa_shfl_idx(0xffffffffu, 1, 0, 32);
    __musa_syncthreads();
  } else if (tid() < 2) {
    __musa_syncwarp(tid() == 0 ? 0x3u : 0x7u);
    __musa_syncwarp(tid() == 0 ? 0x7u : 0x3u);
  } else {
    __musa_syncthreads();
  }
}
void deadlockKernel(const MusaBlockContext* block) { __musa_run_fibers(block, deadlockThread); }

// Every round, each block leaves a part and adds up all parts; shared memory keeps the sum.
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
void gridUntoldKernel(const MusaBlockContext* block) { gridKernel(block); }
void gridFibersKernel(const MusaBlockContext* block) { __musa_run_fibers(block, gridFibersThread); }

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
void activeMaskKernel(const MusaBlockContext* block) { __musa_run_fibers(block, activeMaskThread); }

void printThread(const MusaBlockContext* block) {
  int result = __musa_printf("b%u t%u %s %5.2f%%\n", block->block_idx.x, tid(), "text", 1.5);
  params<OutParams>(block).out[0] = result;
}
void printKernel(const MusaBlockContext* block) { __musa_run_fibers(block, printThread); }

// Prints `argument` numbered lines.
void printManyKernel(const MusaBlockContext* block) {
  for (uint32_t i = 0; i < params<OutParams>(block).argument; ++i) __musa_printf("line %06u\n", i);
}

// out[0]: pieces of `argument` bytes until the heap was full; out[1]: after freeing all, again.
void heapKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  for (int round = 0; round < 2; ++round) {
    void** last = nullptr;
    p.out[round] = 0;
    while (void* piece = __musa_malloc(p.argument)) {
      *static_cast<void***>(piece) = last;
      last = static_cast<void**>(piece);
      ++p.out[round];
    }
    while (last) {
      void** next = static_cast<void**>(*last);
      __musa_free(last);
      last = next;
    }
  }
}

// Cycles and nanoseconds that a sleep of `argument` nanoseconds took.
void timeKernel(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  uint64_t nanoseconds = __musa_globaltimer(), cycles = __musa_clock64();
  __musa_nanosleep(p.argument);
  p.out[1] = static_cast<int64_t>(__musa_clock64() - cycles);
  p.out[0] = static_cast<int64_t>(__musa_globaltimer() - nanoseconds);
}

// Thread 0 waits, sleeping, for what the last thread does later.
void sleepThread(const MusaBlockContext* block) {
  const auto& p = params<OutParams>(block);
  if (tid() == 0) {
    while (__atomic_load_n(p.out, __ATOMIC_ACQUIRE) == 0) __musa_nanosleep(100);
    p.out[1] = 1;
  } else if (tid() == threadsOf(block) - 1) {
    __atomic_store_n(p.out, 1, __ATOMIC_RELEASE);
  }
}
void sleepKernel(const MusaBlockContext* block) { __musa_run_fibers(block, sleepThread); }

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

constexpr uint32_t kTakesTurns = MUSA_KERNEL_LOOKS_BACK | MUSA_KERNEL_TAKES_TURNS;

const MusaKernelInfo kernels[] = {
#define KERNEL(name, type, shared, flags) \
  {#name, name##Kernel, nullptr, 0, sizeof(type), shared, 0, 0, flags, nullptr}
    KERNEL(empty, char, 0, 0),
    KERNEL(spin, SpinParams, 0, 0),
    KERNEL(count, CountParams, 0, 0),
    KERNEL(meet, CountParams, 0, 0),
    KERNEL(add, AddParams, 0, 0),
    KERNEL(launches, OutParams, 0, 0),
    {"level", levelKernel, nullptr, 0, sizeof(OutParams), 0, 0, 0, 0, wideLevelKernel},
    KERNEL(shared, OutParams, 20, 0),
    KERNEL(fault, FaultParams, 0, 0),
    KERNEL(faultFibers, FaultParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(reduce, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(earlyExit, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(warp, WarpParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(divergent, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(chain, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(deadlock, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(grid, GridParams, 16, MUSA_KERNEL_SYNCS_GRID),
    KERNEL(gridFibers, GridParams, 16, MUSA_KERNEL_SYNCS_GRID | MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(gridUntold, GridParams, 16, 0),
    KERNEL(lookBack, OutParams, 0, MUSA_KERNEL_LOOKS_BACK),
    KERNEL(lookBackInTurns, OutParams, 0, kTakesTurns),
    KERNEL(lookAheadInTurns, OutParams, 0, kTakesTurns),
    KERNEL(turns, TurnParams, 16, kTakesTurns),
    KERNEL(turnsForCount, TurnParams, 16, kTakesTurns | MUSA_KERNEL_WAITS_FOR_COUNT),
    KERNEL(activeMask, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(print, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
    KERNEL(printMany, OutParams, 0, 0),
    KERNEL(heap, OutParams, 0, 0),
    KERNEL(time, OutParams, 0, 0),
    KERNEL(sleep, OutParams, 0, MUSA_KERNEL_NEEDS_FIBERS),
#undef KERNEL
};

const MusaVariableInfo variables[] = {
    {"launches", &launches, sizeof launches, 0, 0},
    {"table", table, sizeof table, MUSA_VARIABLE_CONSTANT, 0},
};

}  // namespace

extern "C" __attribute__((visibility("default")))
const MusaImageInfo __musa_image = {MUSASHIM_IMAGE_MAGIC,
                                    MUSASHIM_IMAGE_ABI_VERSION,
                                    TEST_IMAGE_ARCH,
                                    sizeof kernels / sizeof kernels[0],
                                    kernels,
                                    sizeof variables / sizeof variables[0],
                                    0,
                                    variables};
