// streamsOverlap: copy in, compute, copy out, cut into chunks that several
// streams work on at a time; events time the whole and make one stream wait for
// the others. Compares with the same work in one stream.
#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"

__global__ void iterate(int* values, size_t count, int rounds) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned value = static_cast<unsigned>(values[i]);
  for (int round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  values[i] = static_cast<int>(value);
}

static int iterated(int start, int rounds) {
  unsigned value = static_cast<unsigned>(start);
  for (int round = 0; round < rounds; ++round) value = value * 1664525u + 1013904223u;
  return static_cast<int>(value);
}

// Does all chunks, chunk i in stream i modulo their number; milliseconds.
static float process(int* host, int* device, size_t count, int chunks, int rounds,
                     const std::vector<cudaStream_t>& streams) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, streams[0]));
  for (size_t i = 1; i < streams.size(); ++i) CHECK(cudaStreamWaitEvent(streams[i], start, 0));

  const size_t chunk = (count + static_cast<size_t>(chunks) - 1) / static_cast<size_t>(chunks);
  for (size_t first = 0, number = 0; first < count; first += chunk, ++number) {
    const size_t length = first + chunk < count ? chunk : count - first;
    const cudaStream_t stream = streams[number % streams.size()];
    CHECK(
        cudaMemcpyAsync(device + first, host + first, length * sizeof(int), cudaMemcpyHostToDevice, stream));
    iterate<<<static_cast<unsigned>((length + 255) / 256), 256, 0, stream>>>(device + first, length, rounds);
    CHECK_LAUNCH();
    CHECK(
        cudaMemcpyAsync(host + first, device + first, length * sizeof(int), cudaMemcpyDeviceToHost, stream));
  }

  for (size_t i = 1; i < streams.size(); ++i) {
    cudaEvent_t done;
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaEventRecord(done, streams[i]));
    CHECK(cudaStreamWaitEvent(streams[0], done, 0));
    CHECK(cudaEventDestroy(done));
  }
  CHECK(cudaEventRecord(stop, streams[0]));
  CHECK(cudaEventSynchronize(stop));
  float milliseconds = 0.0f;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return milliseconds;
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Overlaps copies and kernels in several streams.");
  const size_t count = static_cast<size_t>(options.size("--count", 1 << 20, "integers"));
  const int chunks = static_cast<int>(options.size("--chunks", 8, "pieces"));
  const int streamCount = static_cast<int>(options.size("--streams", 4, "streams"));
  const int rounds = static_cast<int>(options.size("--rounds", 20, "work on each element"));
  options.finish();
  printDevice(0);

  int *host, *device;
  CHECK(cudaMallocHost(&host, count * sizeof(int)));
  CHECK(cudaMalloc(&device, count * sizeof(int)));
  bool passed = true;
  for (const int used : {1, streamCount}) {
    std::vector<cudaStream_t> streams(static_cast<size_t>(used));
    for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (size_t i = 0; i < count; ++i) host[i] = static_cast<int>(i);
    const float milliseconds = process(host, device, count, chunks, rounds, streams);
    size_t wrong = 0;
    for (size_t i = 0; i < count; ++i) wrong += host[i] != iterated(static_cast<int>(i), rounds) ? 1 : 0;
    printf("%2d stream%s, %d chunks: %8.3f ms, %zu wrong\n", used, used == 1 ? " " : "s", chunks,
           milliseconds, wrong);
    passed = passed && wrong == 0;
    for (const cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  }
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(host));
  return verdict(passed);
}
