// Times between events: when they exist and when not.
#include "../../framework/gate.h"

CONFORMANCE_CASE("event.elapsed_time");

int main() {
  cudaEvent_t start;
  cudaEvent_t end;
  cudaEvent_t untimed;
  cudaEvent_t never;
  SETUP(cudaEventCreate(&start));
  SETUP(cudaEventCreate(&end));
  SETUP(cudaEventCreate(&never));
  SETUP(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));

  float ms = -1.0f;
  Gate gate;
  SETUP(cudaEventRecord(start, stream));
  gate.block(stream);
  SETUP(cudaEventRecord(end, stream));
  OBSERVE("pending", cudaEventElapsedTime(&ms, start, end));
  gate.open();
  SETUP(cudaEventSynchronize(end));
  OBSERVE("done", cudaEventElapsedTime(&ms, start, end));
  OBSERVE("positive", ms > 0.0f);
  float back = 0.0f;
  OBSERVE("backwards", cudaEventElapsedTime(&back, end, start));
  OBSERVE("backwards_is_negative", back == -ms);
  OBSERVE("same", cudaEventElapsedTime(&ms, start, start));
  OBSERVE("same_value", ms);

  OBSERVE("never_recorded", cudaEventElapsedTime(&ms, start, never));
  OBSERVE("both_never_recorded", cudaEventElapsedTime(&ms, never, never));
  SETUP(cudaEventRecord(untimed, stream));
  SETUP(cudaEventSynchronize(untimed));
  OBSERVE("without_timing", cudaEventElapsedTime(&ms, start, untimed));
  OBSERVE("null_result", cudaEventElapsedTime(nullptr, start, end));
  OBSERVE("null_event", cudaEventElapsedTime(&ms, start, nullptr));
}
