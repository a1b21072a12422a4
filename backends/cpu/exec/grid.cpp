#include "cpu/exec/grid.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>

#include "cpu/core/device.h"
#include "cpu/crew/crew.h"
#include "cpu/crew/parallel_job.h"
#include "cpu/devrt/block_order.h"
#include "cpu/devrt/control.h"
#include "cpu/devrt/denormals.h"
#include "cpu/exec/block_shares.h"
#include "cpu/exec/block_times.h"
#include "cpu/exec/clock.h"
#include "cpu/exec/scheduler.h"
#include "cpu/memory/protection_keys.h"
#include "support/cache_groups.h"
#include "support/per_thread.h"

namespace musashim::backend::cpu {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
// From so long a run of blocks is learnt how long they take.
constexpr int64_t kWarmUp = 20'000;  // ns
// A stretch of blocks between two looks at the counter should take about this long.
constexpr int64_t kStretch = 100'000;  // ns
// Fewer blocks for each processor are not worth shares of their own; but few are, where they take so long.
constexpr uint64_t kFewBlocks = 16, kFewLongBlocks = 4;
constexpr float kLongShare = 50'000;  // ns
// No stretch should be shorter, as long as there are as many blocks.
constexpr int64_t kShortStretch = 1'000;  // ns
// Remaining work worth helpers who are awake; for each of them; and for each thread, worth waking more.
constexpr float kWorthHelp = 5'000, kWorthHelper = 2'500, kWorthWaking = 20'000;  // ns

template <std::align_val_t alignment>
struct DeleteAligned {
  void operator()(void* memory) const { operator delete(memory, alignment); }
};

// The shared memory of the blocks that this thread runs: one buffer, used again. From a page's beginning:
// vectors that lie in two pages are written and read slowly. (On Zen 4 a stencil whose tile of 1360 bytes did
// took 2.4 times as long.)
class SharedMemory {
 public:
  char* atLeast(size_t bytes) {
    if (bytes > size_) {
      size_ = std::max<size_t>(bytes, 64 << 10);
      memory_.reset(static_cast<char*>(operator new(size_, kPage)));
    }
    return memory_.get();
  }

 private:
  static constexpr std::align_val_t kPage{4096};
  std::unique_ptr<char, DeleteAligned<kPage>> memory_;
  size_t size_ = 0;
};

// A launch's parameters at an address that every type of parameter may have.
class AlignedParams {
 public:
  explicit AlignedParams(const ParamBuffer& params) {
    if (params.size() > sizeof inline_)
      heap_.reset(static_cast<std::byte*>(operator new(params.size(), kAnyType)));
    std::memcpy(heap_ ? heap_.get() : inline_, params.data(), params.size());
  }
  const std::byte* data() const { return heap_ ? heap_.get() : inline_; }

 private:
  static constexpr std::align_val_t kAnyType{128};
  alignas(static_cast<size_t>(kAnyType)) std::byte inline_[256];
  std::unique_ptr<std::byte, DeleteAligned<kAnyType>> heap_;
};

uint64_t saturatingProduct(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? kUnlimited : product;
}

class Grid final : public ParallelJob {
 public:
  Grid(const KernelLaunch& launch, CpuDevice& device, devrt::ChildLaunches& children)
      : launch_(launch),
        kernel_(*launch.kernel->info),
        device_(device),
        params_(launch.params),
        state_{&device.runtime(), launch.kernel->info, {}, &children},
        blocks_(blocksOf(launch)),
        shares_(blocks_, Scheduler::instance().processors()) {}

  void run() {
    const ThreadAccess access(device_.reaches());
    const devrt::DenormalsOf denormals(kernel_);
    if (blocks_ == 1) {
      runStretch({0, 1});
      return;
    }
    if (blocks_ == 0) return;
    if (launch_.cooperative && (kernel_.flags & MUSA_KERNEL_SYNCS_GRID) != 0) {
      runTogether();
      return;
    }
    if (isOnOneThread()) {
      runInTurns();
      return;
    }
    Scheduler& scheduler = Scheduler::instance();
    const float blockTime = BlockTimes::instance().of(launch_);
    const unsigned helpers = takesTurns() ? mostHelpers() : plan(blockTime, scheduler);
    if (helpers > 0 && isOrderFree() && isWorthShares(blocks_, blockTime)) shares_.split(shareHomes());
    scheduler.publish(*this, helpers);  // even on one processor: blocks may wait for one another
    const int64_t start = monotonicNow();
    uint64_t ran = helpers > 0 ? 0 : warmUp(scheduler);
    ran += runBlocks();
    if (ran > 0) {
      const auto elapsed = static_cast<float>(monotonicNow() - start);
      BlockTimes::instance().learn(launch_, elapsed / static_cast<float>(ran));
    }
    scheduler.withdraw(*this);
    if (!assertion_.isOk()) device_.raiseFault(std::move(assertion_));
  }

  void work() override {
    const ThreadAccess access(device_.reaches());
    const devrt::DenormalsOf denormals(kernel_);
    runBlocks();
  }
  bool hasMore() const override { return shares_.left() > 0; }
  uint64_t taken() const override { return shares_.taken(); }
  bool partsMayWait() const override { return !takesTurns(); }

 private:
  static uint64_t blocksOf(const KernelLaunch& launch) {
    if (uint64_t{launch.block.x} * launch.block.y * launch.block.z == 0) return 0;
    return saturatingProduct(uint64_t{launch.grid.x} * launch.grid.y, launch.grid.z);
  }

  bool takesTurns() const { return (kernel_.flags & MUSA_KERNEL_TAKES_TURNS) != 0; }
  // Only there it is sure that all blocks have looked before one goes on.
  bool isOnOneThread() const { return takesTurns() && (kernel_.flags & MUSA_KERNEL_WAITS_FOR_COUNT) != 0; }
  // No block waits for others.
  bool isOrderFree() const { return !takesTurns() && (kernel_.flags & MUSA_KERNEL_LOOKS_BACK) == 0; }

  // Runs blocks until none is left; how many.
  uint64_t runBlocks() { return takesTurns() ? runInTurns() : runStretches(); }

  // Blocks of this grid, one by one.
  class Blocks final : public devrt::BlockSource {
   public:
    explicit Blocks(Grid& grid) : grid_(grid) {}
    bool next(MusaBlockContext& context) override {
      const BlockShares::Stretch block = grid_.shares_.takeNext(1);
      if (!block) return false;
      char* const shared = context.shared;
      context = grid_.contextOf(block.first);
      context.shared = shared;
      ++taken_;
      return true;
    }
    void countEnd() override { grid_.ends_.fetch_add(1, std::memory_order_relaxed); }
    uint64_t ends() const override { return grid_.ends_.load(std::memory_order_relaxed); }
    bool hasFailed() const override { return grid_.shares_.isStopped(); }
    uint64_t taken() const { return taken_; }

   private:
    Grid& grid_;
    uint64_t taken_ = 0;
  };

  // Blocks that wait for others let those run.
  uint64_t runInTurns() {
    Blocks blocks(*this);
    const bool alone = isOnOneThread() || Scheduler::instance().processors() == 1;
    stopAtFault(devrt::runInTurns(blocks, state_, sharedBytes(), alone));
    return blocks.taken();
  }

  uint64_t runStretches() {
    const BlockShares::Length length = stretchLength();
    unsigned share = shares_.join(processorOfThread());
    uint64_t ran = 0;
    while (const BlockShares::Stretch stretch = shares_.take(share, length)) {
      runStretch(stretch);
      ran += stretch.count;
      if (Crew::shouldMove(*this)) break;
    }
    return ran;
  }

  static bool isWorthShares(uint64_t blocks, float blockTime) {
    const uint64_t each = blocks / Scheduler::instance().processors();
    return each >= kFewBlocks ||
           (each >= kFewLongBlocks && static_cast<float>(each) * blockTime >= kLongShare);
  }

  static ShareHomes& shareHomes() {
    static ShareHomes* const homes = new ShareHomes(support::cacheGroups());
    return *homes;
  }
  static unsigned processorOfThread() {
    const int processor = sched_getcpu();
    return processor < 0 ? 0 : static_cast<unsigned>(processor);
  }

  // Blocks that wait for those before them come one by one: a stretch would wait for the whole one before it.
  // (A scan by look-back of 2^24 numbers on two processors: 1.6 times as fast.)
  BlockShares::Length stretchLength() const {
    if ((kernel_.flags & MUSA_KERNEL_LOOKS_BACK) != 0) return {1, 1};
    return {shortest_.load(std::memory_order_relaxed), longest_.load(std::memory_order_relaxed)};
  }

  unsigned mostHelpers() const {
    return static_cast<unsigned>(std::min<uint64_t>(blocks_ - 1, Scheduler::instance().processors() - 1));
  }

  // Chooses how many blocks to run at a stretch. Returns how many helpers those that are left are worth.
  unsigned plan(float blockTime, const Scheduler& scheduler) {
    if (blockTime <= 0) return 0;
    const auto blocksIn = [blockTime](int64_t time) {
      return static_cast<uint64_t>(std::clamp(static_cast<double>(time) / blockTime, 1.0, 1e9));
    };
    shortest_.store(blocksIn(kShortStretch), std::memory_order_relaxed);
    longest_.store(blocksIn(kStretch), std::memory_order_relaxed);
    const float all = blockTime * static_cast<float>(shares_.left());
    if (all <= kWorthHelp) return 0;
    const unsigned awake = scheduler.helpersAwake();
    const unsigned most =
        all > kWorthWaking * static_cast<float>(awake + 1) ? mostHelpers() : std::min(awake, mostHelpers());
    return static_cast<unsigned>(std::min(all / kWorthHelper, static_cast<float>(most)));
  }

  // Learns from the first blocks how long they take. How many were run.
  uint64_t warmUp(Scheduler& scheduler) {
    int64_t start = monotonicNow(), elapsed = 0;
    uint64_t ran = 0;
    for (uint64_t most = 1; elapsed < kWarmUp; most *= 2) {
      const BlockShares::Stretch stretch = shares_.takeNext(most);
      if (!stretch) return ran;
      runStretch(stretch);
      ran += stretch.count;
      elapsed = monotonicNow() - start;
    }
    if (const unsigned helpers = plan(static_cast<float>(elapsed) / static_cast<float>(ran), scheduler))
      scheduler.want(*this, helpers);
    return ran;
  }

  // All but where the block's shared memory is.
  MusaBlockContext contextOf(uint64_t block) {
    MusaBlockContext context;
    context.grid_dim = launch_.grid;
    context.block_dim = launch_.block;
    context.block_idx = {static_cast<uint32_t>(block % launch_.grid.x),
                         static_cast<uint32_t>(block / launch_.grid.x % launch_.grid.y),
                         static_cast<uint32_t>(block / launch_.grid.x / launch_.grid.y)};
    context.warp_size = device_.profile().warpSize;
    context.dynamic_shared_offset = staticSharedBytes();
    context.dynamic_shared_bytes = launch_.dynamicSharedBytes;
    context.cooperative = launch_.cooperative;
    context.params = params_.data();
    context.shared = nullptr;
    context.grid_state = &state_;
    context.block_state = nullptr;
    return context;
  }

  uint32_t staticSharedBytes() const { return (kernel_.static_shared_bytes + 15) & ~15u; }
  size_t sharedBytes() const { return size_t{staticSharedBytes()} + launch_.dynamicSharedBytes; }

  void runStretch(const BlockShares::Stretch& stretch) {
    MusaBlockContext context = contextOf(stretch.first);
    context.shared = support::PerThread<SharedMemory>::get().atLeast(sharedBytes());
    for (uint64_t done = 0; done < stretch.count;) {
      Status status = devrt::runBlocks(context, kernel_, stretch.count - done);
      if (status.isOk()) return;
      if (!keepAssertion(status)) return stopAtFault(std::move(status));
      const MusaDim3& at = context.block_idx;
      done = at.x + uint64_t{launch_.grid.x} * (at.y + uint64_t{launch_.grid.y} * at.z) + 1 - stretch.first;
      char* const shared = context.shared;
      context = contextOf(stretch.first + done);
      context.shared = shared;
    }
  }

  // The first blocks of a grid run side by side on hardware, and the failed assertions of each are told. So
  // the others run nevertheless, until as many as there are multiprocessors have failed.
  bool keepAssertion(Status& status) {
    if (blocks_ == 1 || status.code() != StatusCode::kAssert || !isOrderFree() || !devrt::runsBlocksInOrder())
      return false;
    std::lock_guard lock(assertionMutex_);
    if (++assertions_ >= device_.profile().multiprocessors) return false;
    if (assertion_.isOk()) assertion_ = std::move(status);
    return true;
  }

  void stopAtFault(Status status) {
    if (status.isOk()) return;
    device_.raiseFault(std::move(status));  // before those that wait see it, and give up
    shares_.stop();
  }

  // Blocks that wait for each other. As many as fit the device, so few: the launch was checked.
  void runTogether() {
    Status status = devrt::runTogether(contextOf(0), kernel_, static_cast<uint32_t>(blocks_), sharedBytes());
    if (!status.isOk()) device_.raiseFault(std::move(status));
  }

  const KernelLaunch& launch_;
  const MusaKernelInfo& kernel_;
  CpuDevice& device_;
  const AlignedParams params_;
  devrt::GridState state_;
  const uint64_t blocks_;
  std::atomic<uint64_t> shortest_{1}, longest_{1};  // stretches
  BlockShares shares_;
  std::atomic<uint64_t> ends_{0};  // of blocks that take turns
  std::mutex assertionMutex_;
  unsigned assertions_ = 0;  // blocks of which one has failed
  Status assertion_;         // the first one's
};

void runWithChildren(const KernelLaunch& launch, CpuDevice& device, unsigned depth) {
  devrt::ChildLaunches children(depth, device.profile().sharedBytesPerBlock);
  Grid(launch, device, children).run();
  for (const devrt::ChildLaunch& child : children.take()) {
    if (device.skipsWork()) return;  // after a fault
    const Kernel kernel{child.kernel, launch.kernel->arch};
    KernelLaunch next{&kernel,           child.grid, child.block,
                      child.sharedBytes, false,      ParamBuffer(child.params.size())};
    std::memcpy(next.params.data(), child.params.data(), child.params.size());
    runWithChildren(next, device, depth + 1);
  }
}

}  // namespace

void runGrid(const KernelLaunch& launch, CpuDevice& device) { runWithChildren(launch, device, 0); }

}  // namespace musashim::backend::cpu
