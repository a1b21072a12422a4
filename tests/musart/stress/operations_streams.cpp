// Launches, events, callbacks, streams.
#include <musa.h>

#include "worker.h"

namespace musashim::stress {

using test::kernels;

void Worker::launch() {
  musaStream_t stream = anyOwnStream();
  finishOwnWork();
  const int times = 1 + static_cast<int>(below(8));
  for (int i = 0; i < times; ++i)
    STRESS_MUSA(test::launch(kernels.addOne, 1, 1, 0, stream, buffer_, kValues, 1));
  value_ += times;
  if (below(4) == 0) {
    finishOwnWork();
    checkBuffer();
  }
}

void Worker::launchByDefaultStreams() {
  STRESS_MUSA(test::launch(kernels.empty, 1 + below(4), 1, 0, nullptr));
  STRESS_MUSA(test::launch(kernels.empty, 1, 32, 0, musaStreamPerThread));
  if (below(2) == 0) STRESS_MUSA(musaStreamSynchronize(below(2) == 0 ? nullptr : musaStreamPerThread));
  // Never the whole device: that ends the captures of other threads.
}

void Worker::orderByEvents() {
  finishOwnWork();
  STRESS_MUSA(test::launch(kernels.addOne, 1, 1, 0, streams_[0], buffer_, kValues, 2));
  STRESS_MUSA(musaEventRecord(event_, streams_[0]));
  STRESS_MUSA(musaStreamWaitEvent(streams_[1], event_, 0));
  STRESS_MUSA(test::launch(kernels.addOne, 1, 1, 0, streams_[1], buffer_, kValues, 3));
  value_ += 5;
  STRESS_MUSA(musaStreamSynchronize(streams_[1]));
  STRESS_MUSA(musaEventSynchronize(event_));
  musaEvent_t later = nullptr;
  STRESS_MUSA(::musaEventCreate(&later));
  STRESS_MUSA(musaEventRecord(later, streams_[0]));
  STRESS_MUSA(musaEventSynchronize(later));
  float milliseconds = -1;
  STRESS_MUSA(musaEventElapsedTime(&milliseconds, event_, later));
  STRESS_CHECK(milliseconds >= 0);
  STRESS_MUSA(musaEventDestroy(later));
}

void Worker::useSharedStreams() {
  Shared::PerDevice& ours = shared();
  STRESS_MUSA(test::launch(kernels.empty, 1, 1, 0, ours.blocking));
  STRESS_MUSA(musaEventRecord(ours.event, below(2) == 0 ? ours.blocking : ours.nonBlocking));
  STRESS_MUSA(musaStreamWaitEvent(streams_[below(2)], ours.event, 0));
  if (below(4) == 0) STRESS_MUSA(musaEventSynchronize(ours.event));
  if (below(4) == 0) STRESS_MUSA(musaStreamSynchronize(ours.blocking));
  // Another device's event: streams of any device may wait for it.
  Shared::PerDevice& other = shared_.devices[below(test::kDevices)];
  STRESS_MUSA(musaStreamWaitEvent(ours.nonBlocking, other.event, 0));
}

void Worker::callHostFunctions() {
  std::atomic<int> calls{0};
  STRESS_MUSA(musaLaunchHostFunc(
      streams_[0], [](void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }, &calls));
  STRESS_MUSA(musaStreamAddCallback(
      streams_[0],
      [](musaStream_t, musaError_t status, void* data) {
        STRESS_CHECK(status == musaSuccess);
        static_cast<std::atomic<int>*>(data)->fetch_add(2);
      },
      &calls, 0));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_CHECK(calls == 3);
}

void Worker::renewStream() {
  musaStream_t& stream = streams_[below(2)];
  const bool busy = below(2) == 0;
  if (busy) STRESS_MUSA(test::launch(kernels.empty, 4, 1, 0, stream));
  finishOwnWork();
  if (busy) STRESS_MUSA(test::launch(kernels.empty, 4, 1, 0, stream));
  STRESS_MUSA(musaStreamDestroy(stream));
  STRESS_MUSA(musaStreamCreateWithPriority(&stream, musaStreamNonBlocking, -static_cast<int>(below(6))));
  // One that takes part in the legacy stream's order comes and goes.
  musaStream_t blocking = nullptr;
  STRESS_MUSA(musaStreamCreate(&blocking));
  STRESS_MUSA(test::launch(kernels.empty, 1, 1, 0, blocking));
  STRESS_MUSA(musaStreamDestroy(blocking));
}

void Worker::query() {
  for (musaError_t answer : {musaStreamQuery(streams_[0]), musaEventQuery(event_), musaStreamQuery(nullptr),
                             musaEventQuery(shared().event), musaStreamQuery(shared().blocking)}) {
    STRESS_CHECK(answer == musaSuccess || answer == musaErrorNotReady);
  }
}

void Worker::writeAndWaitForValues() {
  unsigned* word = nullptr;
  STRESS_MUSA(::musaMallocHost(reinterpret_cast<void**>(&word), sizeof *word));
  *word = 0;
  const auto address = reinterpret_cast<MUdeviceptr>(word);
  const unsigned value = 1 + below(100);
  STRESS_MU(muStreamWaitValue32(streams_[0], address, value, MU_STREAM_WAIT_VALUE_EQ));
  STRESS_MU(muStreamWriteValue32(streams_[1], address, value, 0));
  finishOwnWork();
  STRESS_CHECK(*word == value);
  STRESS_MUSA(musaFreeHost(word));
}

void Worker::changeAttributes() {
  musaLaunchAttributeValue value = {};
  value.priority = -static_cast<int>(below(6));
  STRESS_MUSA(musaStreamSetAttribute(streams_[0], musaLaunchAttributePriority, &value));
  value.syncPolicy = 1 + static_cast<int>(below(4));
  STRESS_MUSA(musaStreamSetAttribute(shared().blocking, musaLaunchAttributeSynchronizationPolicy, &value));
  STRESS_MUSA(musaStreamGetAttribute(shared().blocking, musaLaunchAttributeSynchronizationPolicy, &value));
  STRESS_CHECK(value.syncPolicy >= 1 && value.syncPolicy <= 4);
  STRESS_MUSA(musaStreamCopyAttributes(streams_[1], shared().blocking));
}

}  // namespace musashim::stress
