// Code of the libraries as work on a stream.
#pragma once

#include <musa_runtime_api.h>

#include <functional>

namespace musashim::libs {

// Queues `work` on `stream` of the current device: it runs behind what is queued there now and before what is
// queued later, on a thread that may touch devices' memory and must not call the runtime. While the stream
// captures it becomes a node of the graph, and runs at each launch. After a fault of the device it is
// dropped. What the work throws becomes a fault of the device (musaErrorLaunchFailure), as nobody else is
// left to hear of it.
musaError_t runOnStream(musaStream_t stream, std::function<void()> work);

}  // namespace musashim::libs
