// Work on tensors that is queued on a stream instead of done at once: with MUSASHIM_TORCH_ASYNC=1, and while
// a stream is captured.
#pragma once

#include <functional>
#include <string>

#include "torch_musa/csrc/core/Device.h"

namespace c10::musa {

// Whether operators on the device's current stream are queued.
bool queues(DeviceIndex device);
bool capturing(DeviceIndex device);

// Runs `work` when what was queued on the current stream before is done. What it throws is thrown again by
// throwQueued(), with `what`, the operator's name.
void queueWork(DeviceIndex device, std::string what, std::function<void()> work);

// Throws what queued work threw, once; to be called behind every wait.
void throwQueued();

}  // namespace c10::musa
