// callbacks: the host takes part in a stream. Each of several workloads runs a
// kernel, then a host function that checks the result in stream order, then a
// stream callback that counts it as done; the main thread only waits.
#include <atomic>
#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"

constexpr int kCount = 4096;

__global__ void fill(int* values, int seed) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kCount) values[i] = seed * 1000 + i % 100;
}

struct Workload {
  int number = 0;
  int* host = nullptr;
  int* device = nullptr;
  cudaStream_t stream = nullptr;
  int wrong = -1;        // set by the host function
  bool inOrder = false;  // the callback came after the host function
  std::atomic<int>* done = nullptr;
};

static void CUDART_CB verify(void* data) {
  Workload* work = static_cast<Workload*>(data);
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += work->host[i] != work->number * 1000 + i % 100 ? 1 : 0;
  work->wrong = wrong;
}

static void CUDART_CB countDone(cudaStream_t stream, cudaError_t status, void* data) {
  Workload* work = static_cast<Workload*>(data);
  work->inOrder = work->wrong >= 0 && status == cudaSuccess && stream == work->stream;
  work->done->fetch_add(1);
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Host functions and callbacks in streams.");
  const int count = static_cast<int>(options.size("--workloads", 8, "workloads, a stream each"));
  options.finish();
  printDevice(0);

  std::atomic<int> done{0};
  std::vector<Workload> workloads(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    Workload& work = workloads[static_cast<size_t>(i)];
    work.number = i + 1;
    work.done = &done;
    CHECK(cudaMallocHost(&work.host, kCount * sizeof(int)));
    CHECK(cudaMalloc(&work.device, kCount * sizeof(int)));
    CHECK(cudaStreamCreate(&work.stream));
  }
  for (Workload& work : workloads) {
    fill<<<kCount / 256, 256, 0, work.stream>>>(work.device, work.number);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(work.host, work.device, kCount * sizeof(int), cudaMemcpyDeviceToHost, work.stream));
    CHECK(cudaLaunchHostFunc(work.stream, verify, &work));
    CHECK(cudaStreamAddCallback(work.stream, countDone, &work, 0));
  }
  CHECK(cudaDeviceSynchronize());

  bool passed = done.load() == count;
  printf("%d of %d workloads called back\n", done.load(), count);
  for (Workload& work : workloads) {
    if (work.wrong != 0 || !work.inOrder) {
      printf("workload %d: %d wrong, %s\n", work.number, work.wrong,
             work.inOrder ? "in order" : "OUT OF ORDER");
      passed = false;
    }
    CHECK(cudaStreamDestroy(work.stream));
    CHECK(cudaFree(work.device));
    CHECK(cudaFreeHost(work.host));
  }
  return verdict(passed);
}
