#include "musa/stream/host_work.h"

#include "musa/api/api_call.h"

namespace musashim::musa {

void runQueuedHostWork(void* data, const Status& deviceStatus) {
  auto* work = static_cast<QueuedHostWork*>(data);
  insideHostFunction = true;
  if (work->callback) {
    work->callback(work->stream, Result(deviceStatus).code(), work->userData);
  } else if (deviceStatus.isOk()) {
    work->function(work->userData);
  }
  insideHostFunction = false;
}

}  // namespace musashim::musa
