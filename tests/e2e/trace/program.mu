// What trace_test.py looks at: kernels and copies in two streams of two devices, a graph, and a kernel that events time.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                        \
  if (const musaError_t error = (call); error != musaSuccess)                              \
  return std::printf("%s: %s\n", #call, musaGetErrorString(error)), 1

__global__ void scale(float* values, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

__global__ void spin(long long ticks) {
  const long long start = clock64();
  while (clock64() - start < ticks) {
  }
}

int main() {
  constexpr int kCount = 1 << 16;
  int devices = 0;
  CHECK(musaGetDeviceCount(&devices));
  std::vector<float> host(kCount, 1.0f);
  for (int device = 0; device < devices; ++device) {
    CHECK(musaSetDevice(device));
    float* memory = nullptr;
    musaStream_t streams[2];
    CHECK(musaMalloc(&memory, kCount * sizeof(float)));
    for (musaStream_t& stream : streams) CHECK(musaStreamCreate(&stream));
    CHECK(musaMemcpy(memory, host.data(), kCount * sizeof(float), musaMemcpyHostToDevice));
    for (int i = 0; i < 10; ++i) scale<<<kCount / 256, 256, 0, streams[i % 2]>>>(memory, kCount, 1.0f);
    CHECK(musaMemsetAsync(memory, 0, kCount, streams[0]));
    CHECK(musaDeviceSynchronize());
    CHECK(musaMemcpy(host.data(), memory, kCount * sizeof(float), musaMemcpyDeviceToHost));

    musaGraph_t graph;
    musaGraphExec_t exec;
    CHECK(musaStreamBeginCapture(streams[0], musaStreamCaptureModeGlobal));
    scale<<<1, 64, 0, streams[0]>>>(memory, 64, 2.0f);
    scale<<<1, 64, 0, streams[0]>>>(memory, 64, 2.0f);
    CHECK(musaStreamEndCapture(streams[0], &graph));
    CHECK(musaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; ++i) CHECK(musaGraphLaunch(exec, streams[1]));
    CHECK(musaStreamSynchronize(streams[1]));

    musaEvent_t begin, end;
    float milliseconds = 0;
    CHECK(musaEventCreate(&begin));
    CHECK(musaEventCreate(&end));
    CHECK(musaEventRecord(begin, streams[0]));
    spin<<<1, 1, 0, streams[0]>>>(75'000'000);
    CHECK(musaEventRecord(end, streams[0]));
    CHECK(musaEventSynchronize(end));
    CHECK(musaEventElapsedTime(&milliseconds, begin, end));
    std::printf("spin on device %d: %.6f ms\n", device, milliseconds);
  }
  if (musaSetDevice(devices) == musaSuccess) return 1;  // an error, to be seen
  return 0;
}
