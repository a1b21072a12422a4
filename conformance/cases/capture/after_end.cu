// Events of a capture that has ended; destroying a stream that captures.
#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.after_end");

int main() {
  cudaStream_t stream;
  cudaStream_t other;
  cudaEvent_t event;
  cudaEvent_t plain;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SETUP(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  SETUP(cudaEventCreate(&event));
  SETUP(cudaEventCreate(&plain));
  SETUP(cudaEventRecord(plain, other));
  cudaGraph_t graph = nullptr;
  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("record", cudaEventRecord(event, stream));
  OBSERVE("end", cudaStreamEndCapture(stream, &graph));
  OBSERVE("query", cudaEventQuery(event));
  OBSERVE("synchronise", cudaEventSynchronize(event));
  OBSERVE("wait", cudaStreamWaitEvent(other, event, 0));
  float ms = 0;
  OBSERVE("elapsed", cudaEventElapsedTime(&ms, plain, event));
  OBSERVE("record_again", cudaEventRecord(event, other));
  OBSERVE("synchronise_again", cudaEventSynchronize(event));
  cudaGetLastError();

  SETUP(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OBSERVE("destroy_capturing", cudaStreamDestroy(stream));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  OBSERVE("other_usable", cudaStreamIsCapturing(other, &status));
  OBSERVE("other_runs", cudaStreamSynchronize(other));
  cudaGetLastError();
}
