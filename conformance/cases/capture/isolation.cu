// Captures and the rest of the program must not depend on each other.
#include <thread>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.isolation");

static cudaStream_t make() {
  cudaStream_t stream;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

static int statusOf(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  SETUP(cudaStreamIsCapturing(stream, &status));
  return static_cast<int>(status);
}

int main() {
  cudaGraph_t graph = nullptr;
  cudaEvent_t event;
  SETUP(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  {
    cudaStream_t first = make();
    cudaStream_t second = make();
    SETUP(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
    SETUP(cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed));
    OBSERVE("two_at_once", statusOf(first) + statusOf(second));
    SETUP(cudaEventRecord(event, first));
    OBSERVE("merge", cudaStreamWaitEvent(second, event, 0));
    OBSERVE("first_after_merge", statusOf(first));
    OBSERVE("second_after_merge", statusOf(second));
    OBSERVE("end_first_after_merge", cudaStreamEndCapture(first, &graph));
    OBSERVE("end_second_after_merge", cudaStreamEndCapture(second, &graph));
    cudaGetLastError();
  }
  {
    cudaStream_t stream = make();
    cudaStream_t outside = make();
    SETUP(cudaEventRecord(event, outside));
    SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    OBSERVE("depend_on_uncaptured", cudaStreamWaitEvent(stream, event, 0));
    OBSERVE("status_after_uncaptured", statusOf(stream));
    cudaGetLastError();
    timesPlus<<<1, 1, 0, stream>>>(nullptr, 0, 0);
    OBSERVE("launch_when_invalid", cudaGetLastError());
    OBSERVE("fill_when_invalid", cudaMemsetAsync(nullptr, 0, 0, stream));
    OBSERVE("record_when_invalid", cudaEventRecord(event, stream));
    OBSERVE("synchronise_when_invalid", cudaStreamSynchronize(stream));
    OBSERVE("end_when_invalid", cudaStreamEndCapture(stream, &graph));
    OBSERVE("graph_when_invalid", graph != nullptr);
    OBSERVE("status_after_end", statusOf(stream));
    OBSERVE("usable_again", cudaStreamSynchronize(stream));
    cudaGetLastError();
  }
  {
    cudaStream_t stream = make();
    SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cudaError_t ended = cudaSuccess;
    std::thread([&] { ended = cudaStreamEndCapture(stream, &graph); }).join();
    OBSERVE("end_on_other_thread", ended);
    OBSERVE("status_after_wrong_thread", statusOf(stream));
    OBSERVE("end_on_own_thread", cudaStreamEndCapture(stream, &graph));
    cudaGetLastError();
    SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    std::thread([&] { ended = cudaStreamEndCapture(stream, &graph); }).join();
    OBSERVE("end_relaxed_on_other_thread", ended);
    SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    std::thread([&] { ended = cudaStreamEndCapture(stream, &graph); }).join();
    OBSERVE("end_global_on_other_thread", ended);
    OBSERVE("end_global_on_own_thread", cudaStreamEndCapture(stream, &graph));
    cudaGetLastError();
  }
}
