// CUDA's threads of a block as coroutines on the host: what a generated kernel must give.
//
// The kernel's source is compiled as plain C++ with the definitions below. A thread runs
// until it waits for others; when none can run, those that have all they wait for go on.
// Deliberately as simple as the definitions in NVIDIA's programming guide and, for
// shuffles, in the PTX ISA ("shfl.sync"): nothing is shared with the emulator.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

namespace reference {

enum class Op { kNone, kBarrier, kSyncwarp, kShuffle, kVote, kMatch, kReduce };

struct Thread {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  uint3 index;
  unsigned linear;
  bool done = false;
  Op op = Op::kNone;             // what it waits in
  int kind = 0;                  // which form; threads of other forms do not take part
  unsigned mask = 0;             // in warp operations
  uint64_t value = 0;            // that it contributes
  unsigned source = 0;           // shuffles: the lane it reads
  uint64_t result = 0;           // of reductions over the block, or of shuffles
  std::vector<uint64_t> values;  // those of its partners by lane, 0 when absent
  unsigned present = 0;          // lanes that took part
};

class Block {
 public:
  Block(dim3 grid, uint3 index, dim3 size, std::function<void()> kernel);
  void run();

  const dim3 grid;
  const uint3 index;
  const dim3 size;
  Thread* current = nullptr;

  void wait() { swapcontext(&current->context, &scheduler_); }

 private:
  static void enter();
  void resume(Thread& thread);
  bool completeBarrier();
  bool completeWarpOp(Thread& thread);

  std::function<void()> kernel_;
  std::vector<std::unique_ptr<Thread>> threads_;
  ucontext_t scheduler_;
};

inline Block* block = nullptr;
inline int lanes = 32;  // of a warp
inline std::vector<char> dynamicShared;

inline Block::Block(dim3 grid, uint3 index, dim3 size, std::function<void()> kernel)
    : grid(grid), index(index), size(size), kernel_(std::move(kernel)) {
  constexpr size_t kStackBytes = 128 << 10;
  for (unsigned i = 0; i < size.x * size.y * size.z; ++i) {
    auto thread = std::make_unique<Thread>();
    thread->stack.reset(new char[kStackBytes]);
    thread->index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
    thread->linear = i;
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = thread->stack.get();
    thread->context.uc_stack.ss_size = kStackBytes;
    thread->context.uc_link = &scheduler_;
    makecontext(&thread->context, &Block::enter, 0);
    threads_.push_back(std::move(thread));
  }
}

inline void Block::enter() {
  block->kernel_();
  block->current->done = true;
}

inline void Block::resume(Thread& thread) {
  current = &thread;
  swapcontext(&scheduler_, &thread.context);
}

inline bool Block::completeBarrier() {
  unsigned arrived = 0, holds = 0;
  for (const auto& thread : threads_) {
    if (thread->done) continue;
    if (thread->op != Op::kBarrier) return false;
    ++arrived;
    holds += thread->value != 0;
  }
  for (const auto& thread : threads_) {
    if (thread->done) continue;
    const unsigned results[] = {0, holds, holds == arrived, holds != 0};
    thread->result = results[thread->kind];
    thread->op = Op::kNone;
  }
  return arrived > 0;
}

inline bool Block::completeWarpOp(Thread& thread) {
  if (thread.done || thread.op == Op::kNone || thread.op == Op::kBarrier) return false;
  const unsigned first = thread.linear / 32 * 32, mask = thread.mask;
  std::vector<Thread*> partners;
  for (unsigned lane = 0; lane < 32 && first + lane < threads_.size(); ++lane) {
    Thread& other = *threads_[first + lane];
    if (((mask >> lane) & 1) == 0 || other.done) continue;
    if (other.op != thread.op || other.kind != thread.kind || other.mask != mask) return false;
    partners.push_back(&other);
  }
  std::vector<uint64_t> values(32);
  unsigned present = 0;
  for (const Thread* partner : partners) {
    values[partner->linear % 32] = partner->value;
    present |= 1u << partner->linear % 32;
  }
  for (Thread* partner : partners) {
    partner->values = values;
    partner->present = present;
    partner->op = Op::kNone;
  }
  return true;
}

inline void Block::run() {
  for (;;) {
    bool any = false;
    for (const auto& thread : threads_) {
      if (thread->done || thread->op != Op::kNone) continue;
      resume(*thread);
      any = true;
    }
    for (const auto& thread : threads_) any |= completeWarpOp(*thread);
    if (any) continue;
    if (completeBarrier()) continue;
    for (const auto& thread : threads_) {
      if (thread->done) continue;
      fprintf(stderr, "reference: thread %u waits for ever\n", thread->linear);
      fflush(stdout);
      _Exit(4);
    }
    return;
  }
}

inline void launch(dim3 grid, dim3 size, unsigned sharedBytes, const std::function<void()>& kernel) {
  dynamicShared.assign(sharedBytes + 16, 0);
  for (unsigned i = 0; i < grid.x; ++i) {
    Block run(grid, {i, 0, 0}, size, kernel);
    block = &run;
    run.run();
  }
}

inline Thread& meet(Op op, int kind, unsigned mask, uint64_t value, unsigned source = 0) {
  Thread& thread = *block->current;
  thread.op = op;
  thread.kind = kind;
  thread.mask = mask;
  thread.value = value;
  thread.source = source;
  block->wait();
  return thread;
}

}  // namespace reference

#define __global__
#define __device__
#define __shared__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define threadIdx (reference::block->current->index)
#define blockIdx (reference::block->index)
#define blockDim (reference::block->size)
#define gridDim (reference::block->grid)
#define warpSize (reference::lanes)

#include "reference_operations.h"
