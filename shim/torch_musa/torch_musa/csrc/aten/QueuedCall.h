// Operators' calls that are queued on a stream instead of done at once.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace at::musa {

// Queues the call whose arguments end the stack, and puts its results, whose sizes are known by PyTorch's
// meta kernels, in their place. False if that cannot be: the sizes depend on values, or the numbers drawn on
// the order of calls. Nothing has been done then.
bool queueCall(const c10::OperatorHandle& op, torch::jit::Stack& stack, c10::DeviceIndex device);

}  // namespace at::musa
