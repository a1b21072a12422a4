// A chain of waits over eight streams runs link by link.
#include "../../framework/buffers.h"
#include "../../framework/gate.h"

CONFORMANCE_CASE("event.chain");

__global__ void link(unsigned* state, unsigned number) { *state = *state * 17u + number; }

int main() {
  constexpr int kLinks = 8;
  DeviceArray<unsigned> state(1);
  cudaStream_t streams[kLinks];
  cudaEvent_t events[kLinks];
  for (int i = 0; i < kLinks; ++i) {
    SETUP(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    SETUP(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming));
  }
  Gate gate;
  gate.block(streams[0]);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kLinks; ++i) {
      if (round + i > 0) SETUP(cudaStreamWaitEvent(streams[i], events[(i + kLinks - 1) % kLinks], 0));
      link<<<1, 1, 0, streams[i]>>>(state.data(), static_cast<unsigned>(round * kLinks + i));
      SETUP(cudaEventRecord(events[i], streams[i]));
    }
  }
  OBSERVE("last_waits", cudaStreamQuery(streams[kLinks - 1]));
  gate.open();
  OBSERVE("last_finishes", cudaEventSynchronize(events[kLinks - 1]));
  OBSERVE("state", state.read()[0]);
}
