// multiGpuPeer: a relay over all devices. Each device adds its number to what it
// reads directly from its neighbour's memory; events across devices keep the
// order, and the host waits once, at the end.
#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"

__global__ void addFromPeer(const int* peer, int* own, size_t count, int amount) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) own[i] = peer[i] + amount;
}

struct Station {
  int* values = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t done = nullptr;
};

// Enables access both ways between neighbours; false where the hardware has none.
static bool enableNeighbours(int devices) {
  for (int device = 0; device < devices; ++device) {
    for (const int peer : {(device + 1) % devices, (device + devices - 1) % devices}) {
      if (peer == device) continue;
      int can = 0;
      CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
      if (can == 0) {
        printf("device %d cannot access device %d\n", device, peer);
        return false;
      }
      CHECK(cudaSetDevice(device));
      const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
      if (error == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();  // two devices are each other's neighbour twice
      } else {
        CHECK(error);
      }
    }
  }
  return true;
}

int main(int argc, char** argv) {
  Options options(argc, argv, "A relay over all devices: peer reads in kernels, events between devices.");
  const int devices = devicesToUse(options.size("--devices", 0, "devices to use, 0 for all", 0));
  const size_t count = static_cast<size_t>(options.size("--count", 100000, "integers"));
  const int rounds = static_cast<int>(options.size("--rounds", 3, "times around"));
  options.finish();
  for (int device = 0; device < devices; ++device) printDevice(device);
  if (devices < 2) {
    printf("At least two devices are needed.\n");
    return verdict(false);
  }
  if (!enableNeighbours(devices)) return verdict(false);

  std::vector<Station> stations(static_cast<size_t>(devices));
  for (int device = 0; device < devices; ++device) {
    Station& station = stations[static_cast<size_t>(device)];
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&station.values, count * sizeof(int)));
    CHECK(cudaMemset(station.values, 0, count * sizeof(int)));
    CHECK(cudaStreamCreateWithFlags(&station.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&station.done, cudaEventDisableTiming));
    CHECK(cudaDeviceSynchronize());
  }

  int expected = 0;
  for (int step = 0; step < rounds * devices; ++step) {
    const Station& from = stations[static_cast<size_t>(step % devices)];
    const int device = (step + 1) % devices;
    const Station& to = stations[static_cast<size_t>(device)];
    CHECK(cudaSetDevice(device));
    if (step > 0) CHECK(cudaStreamWaitEvent(to.stream, from.done, 0));
    addFromPeer<<<static_cast<unsigned>((count + 255) / 256), 256, 0, to.stream>>>(from.values, to.values,
                                                                                   count, device + 1);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(to.done, to.stream));
    expected += device + 1;
  }

  const Station& last = stations[0];
  CHECK(cudaEventSynchronize(last.done));
  std::vector<int> values(count);
  CHECK(cudaMemcpy(values.data(), last.values, count * sizeof(int), cudaMemcpyDefault));
  size_t wrong = 0;
  for (const int value : values) wrong += value != expected ? 1 : 0;
  printf("%d devices, %d rounds: every element %d, %zu wrong\n", devices, rounds, expected, wrong);

  for (int device = 0; device < devices; ++device) {
    Station& station = stations[static_cast<size_t>(device)];
    CHECK(cudaSetDevice(device));
    CHECK(cudaEventDestroy(station.done));
    CHECK(cudaStreamDestroy(station.stream));
    CHECK(cudaFree(station.values));
  }
  return verdict(wrong == 0);
}
