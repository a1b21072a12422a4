// What the cpu backend asks of the device runtime. Host side; device code never
// calls these. Device code's side is backends/abi/musa_device_abi.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "abi/musa_device_abi.h"
#include "cpu/devrt/checks/check_launch.h"
#include "cpu/devrt/child_launches/child_launches.h"
#include "cpu/devrt/export.h"
#include "interface/device_queries.h"
#include "interface/profile.h"
#include "interface/status.h"

namespace musashim::devrt {

struct DeviceOptions {
  uint32_t clockKHz = 1'000'000;         // of clock64()
  size_t printfBytes = size_t{1} << 20;  // what printf holds until it is flushed
  size_t heapBytes = size_t{8} << 20;    // what malloc() in kernels can give
  size_t fiberStackBytes = size_t{128} << 10;
  backend::DeviceProfile profile = {};  // for the files of profiled programs
};

// A device's printf buffer and heap.
class DeviceState;

struct DeviceStateDeleter {
  MUSADEVRT_API void operator()(DeviceState* state) const;
};
using DeviceStatePointer = std::unique_ptr<DeviceState, DeviceStateDeleter>;

MUSADEVRT_API DeviceStatePointer createDeviceState(const DeviceOptions& options);

// Before any device code of the device runs.
MUSADEVRT_API void answerDeviceCode(DeviceState& state, const backend::DeviceQueries& queries);

// Empties heap and printf buffer. No device code of the device may run.
MUSADEVRT_API void resetDeviceState(DeviceState& state);

// Writes what kernels printed, in order, and flushes the stream.
MUSADEVRT_API void flushPrintf(DeviceState& state, std::FILE* stream);

// What MusaBlockContext::grid_state points to.
struct GridState {
  DeviceState* device = nullptr;
  const MusaKernelInfo* kernel = nullptr;
  checks::LaunchSlot reports = {};    // of a checked kernel
  ChildLaunches* children = nullptr;  // that its blocks launch
};

// Whether kernels run by their bodies for x86-64-v4 processors, where they have one.
MUSADEVRT_API void useWideKernels(bool use);
// Grids that write as much do so by streaming stores, where they were compiled for that; none before this is
// called.
MUSADEVRT_API void writePastCaches(uint64_t bytes);
// How far behind what they read blocks and warps ask for more (musa_device_abi.h).
MUSADEVRT_API void askOnward(uint64_t blocksBytes, uint64_t warpsBytes);
// Whether rows are read by loops of few instructions, where they were compiled for that.
MUSADEVRT_API void readRowsByLoops(bool read);
MusaBlockFunction blockFunction(const MusaKernelInfo& kernel);  // the one that does

// The name of the kernel that the calling thread runs; null outside of kernels.
MUSADEVRT_API const char* runningKernel();

// Runs `count` blocks one after the other on this thread, from context.block_idx on,
// x fastest, in the order that MUSASHIM_SCHEDULE asks for. A fault of device code ends the run
// and is returned with kernel, block, thread and address in its message.
MUSADEVRT_API Status runBlocks(MusaBlockContext& context, const MusaKernelInfo& kernel, uint64_t count);

// Runs all `count` blocks of a cooperative grid on this thread, all in progress at once, so
// that they can wait for each other. `context` is the first one's but for its shared
// memory: each block has `sharedBytes` of its own. Faults as above.
MUSADEVRT_API Status runTogether(const MusaBlockContext& context, const MusaKernelInfo& kernel,
                                 uint32_t count, size_t sharedBytes);

// Where the blocks of a grid come from that several threads run.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // Sets all of the next block's context but its shared memory; false: there are no more.
  virtual bool next(MusaBlockContext& context) = 0;
  // A block has run to its end; how many have, on all threads.
  virtual void countEnd() = 0;
  virtual uint64_t ends() const = 0;
  // After a fault: blocks that wait need not go on.
  virtual bool hasFailed() const = 0;
};

// Runs blocks on this thread until `source` has no more. While one waits for others, those that
// have begun here go on in turn, and when no block of the grid has ended for long, another one
// begins; at once, if this thread is `alone` with the grid. Each block that is in progress has
// `sharedBytes` of its own. Faults as above.
MUSADEVRT_API Status runInTurns(BlockSource& source, const GridState& grid, size_t sharedBytes, bool alone);

}  // namespace musashim::devrt
