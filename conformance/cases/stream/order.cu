// Work of one stream runs in order, whatever its kind.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("stream.order");

// Not commutative, so that any other order shows.
__global__ void step(unsigned* state, unsigned number) { *state = *state * 31u + number; }

static void CUDART_CB addOnHost(void* data) {
  unsigned* log = static_cast<unsigned*>(data);
  log[0] = log[0] * 31u + 1u;
}

int main() {
  DeviceArray<unsigned> state(1);
  unsigned* host = nullptr;
  SETUP(cudaMallocHost(reinterpret_cast<void**>(&host), 2 * sizeof(unsigned)));
  host[0] = 7;
  cudaStream_t stream;
  SETUP(cudaStreamCreate(&stream));
  for (unsigned i = 0; i < 200; ++i) {
    step<<<1, 1, 0, stream>>>(state.data(), i);
    if (i % 20 == 19) {
      SETUP(cudaMemcpyAsync(host + 1, state.data(), sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
      SETUP(cudaLaunchHostFunc(stream, addOnHost, host));
    }
  }
  OBSERVE("synchronise", cudaStreamSynchronize(stream));
  OBSERVE("state", state.read()[0]);
  OBSERVE("copied_last", host[1] == state.read()[0]);
  OBSERVE("host_steps", host[0]);

  SETUP(cudaMemsetAsync(state.data(), 0, sizeof(unsigned), stream));
  step<<<1, 1, 0, stream>>>(state.data(), 9);
  SETUP(cudaMemcpyAsync(host, state.data(), sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
  SETUP(cudaMemsetAsync(state.data(), 0xff, sizeof(unsigned), stream));
  SETUP(cudaStreamSynchronize(stream));
  OBSERVE("between_fills", host[0]);
}
