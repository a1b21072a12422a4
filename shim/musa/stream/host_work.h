// Functions of the user's that streams and graphs call.
#pragma once

#include <memory>

#include "interface/status.h"
#include "musa.h"

namespace musashim::musa {

// What a queued host function needs when its turn comes.
struct QueuedHostWork {
  MUhostFn function = nullptr;
  MUstreamCallback callback = nullptr;  // instead; is called after a fault as well
  MUstream stream = nullptr;
  void* userData = nullptr;
};

// A HostCall on QueuedHostWork. The function may not call the API meanwhile.
void runQueuedHostWork(void* work, const Status& deviceStatus);

}  // namespace musashim::musa
