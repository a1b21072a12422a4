// Launching kernels, and how many blocks of one a device can hold.
#pragma once

#include <cstddef>
#include <cstdint>

#include "musa/api/result.h"
#include "musa/module/module.h"
#include "musa/stream/stream.h"

namespace musashim::musa {

struct LaunchRequest {
  MusaDim3 grid{1, 1, 1};
  MusaDim3 block{1, 1, 1};
  uint32_t sharedBytes = 0;
  bool cooperative = false;
  void** params = nullptr;  // one pointer per parameter, or
  void** extra = nullptr;   // a buffer, packed as the kernel wants it
};

// Checks the request and makes the command.
Result prepareLaunch(Function& function, const LaunchRequest& request, backend::KernelLaunch& command);
Result launch(Function& function, Stream& stream, const LaunchRequest& request);

// Blocks of `blockSize` threads that one multiprocessor holds at a time: the least of
// what its threads, block slots and shared memory allow. 0 when not even one fits.
uint32_t activeBlocks(const Function& function, uint32_t blockSize, size_t dynamicShared);

}  // namespace musashim::musa
