#include "worker.h"

#include <algorithm>

namespace musashim::stress {

using test::kernels;

Shared::Shared() {
  for (int device = 0; device < test::kDevices; ++device) {
    PerDevice& mine = devices[device];
    STRESS_MUSA(musaSetDevice(device));
    STRESS_MUSA(musaStreamCreate(&mine.blocking));
    STRESS_MUSA(musaStreamCreateWithFlags(&mine.nonBlocking, musaStreamNonBlocking));
    STRESS_MUSA(::musaEventCreate(&mine.event));
    int* ones = nullptr;
    STRESS_MUSA(::musaMalloc(reinterpret_cast<void**>(&ones), kValues * sizeof(int)));
    STRESS_MUSA(test::launch(kernels.fill, 1, kValues, 0, nullptr, ones, kValues, 1));
    STRESS_MUSA(musaDeviceSynchronize());
    mine.ones = ones;
    musaMemPoolProps properties = {};
    properties.allocType = musaMemAllocationTypePinned;
    properties.location = {musaMemLocationTypeDevice, device};
    STRESS_MUSA(musaMemPoolCreate(&mine.pool, &properties));
    musaGraph_t graph = nullptr;
    STRESS_MUSA(musaStreamBeginCapture(mine.nonBlocking, musaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 3; ++i) STRESS_MUSA(test::launch(kernels.empty, 2, 1, 0, mine.nonBlocking));
    STRESS_MUSA(musaStreamEndCapture(mine.nonBlocking, &graph));
    STRESS_MUSA(::musaGraphInstantiate(&mine.graph, graph, 0));
    STRESS_MUSA(musaGraphDestroy(graph));
  }
}

Shared::~Shared() {
  for (int device = 0; device < test::kDevices; ++device) {
    PerDevice& mine = devices[device];
    STRESS_MUSA(musaSetDevice(device));
    STRESS_MUSA(musaDeviceSynchronize());
    STRESS_MUSA(musaGraphExecDestroy(mine.graph));
    STRESS_MUSA(musaMemPoolDestroy(mine.pool));
    STRESS_MUSA(musaFree(const_cast<int*>(mine.ones)));
    STRESS_MUSA(musaEventDestroy(mine.event));
    STRESS_MUSA(musaStreamDestroy(mine.nonBlocking));
    STRESS_MUSA(musaStreamDestroy(mine.blocking));
  }
}

Worker::Worker(Shared& shared, int device, uint64_t seed) : shared_(shared), device_(device), random_(seed) {
  STRESS_MUSA(musaSetDevice(device));
  for (musaStream_t& stream : streams_)
    STRESS_MUSA(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  STRESS_MUSA(::musaEventCreate(&event_));
  STRESS_MUSA(::musaMalloc(reinterpret_cast<void**>(&buffer_), kValues * sizeof(int)));
  STRESS_MUSA(::musaMallocHost(reinterpret_cast<void**>(&pinned_), kValues * sizeof(int)));
  STRESS_MUSA(musaMemsetAsync(buffer_, 0, kValues * sizeof(int), streams_[0]));
  finishOwnWork();
}

Worker::~Worker() {
  finishOwnWork();
  checkBuffer();
  STRESS_MUSA(musaFreeHost(pinned_));
  STRESS_MUSA(musaFree(buffer_));
  STRESS_MUSA(musaEventDestroy(event_));
  for (musaStream_t stream : streams_) STRESS_MUSA(musaStreamDestroy(stream));
}

void Worker::operate() {
  (this->*operations()[below(static_cast<uint32_t>(operations().size()))])();
  STRESS_CHECK(musaGetLastError() == musaSuccess);
}

void Worker::finishOwnWork() {
  for (musaStream_t stream : streams_) STRESS_MUSA(musaStreamSynchronize(stream));
}

void Worker::checkBuffer() {
  int values[kValues];
  STRESS_MUSA(musaMemcpyAsync(values, buffer_, sizeof values, musaMemcpyDeviceToHost, streams_[0]));
  STRESS_MUSA(musaStreamSynchronize(streams_[0]));
  STRESS_CHECK(std::all_of(values, values + kValues, [&](int value) { return value == value_; }));
}

const std::vector<Worker::Operation>& Worker::operations() {
  static const std::vector<Operation> all = {
      &Worker::launch,
      &Worker::launchByDefaultStreams,
      &Worker::orderByEvents,
      &Worker::useSharedStreams,
      &Worker::callHostFunctions,
      &Worker::renewStream,
      &Worker::query,
      &Worker::writeAndWaitForValues,
      &Worker::changeAttributes,
      &Worker::copy,
      &Worker::fill,
      &Worker::copyToPeer,
      &Worker::allocate,
      &Worker::allocateInStream,
      &Worker::allocateHost,
      &Worker::registerHost,
      &Worker::useManaged,
      &Worker::useImages,
      &Worker::usePool,
      &Worker::askAboutPointers,
      &Worker::captureAndLaunch,
      &Worker::buildGraph,
      &Worker::launchSharedGraph,
      &Worker::useUserObjects,
      &Worker::useModule,
      &Worker::useLibrary,
      &Worker::useContext,
      &Worker::mapMemory,
      &Worker::makeMistakes,
      &Worker::askAboutDevices,
  };
  return all;
}

}  // namespace musashim::stress
