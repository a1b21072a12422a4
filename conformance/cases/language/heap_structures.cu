// Structures that kernels build with malloc and new, and that other kernels walk; printf and
// assertions that hold beside barriers; __managed__ variables between host and device.
#include <assert.h>

#include "../../framework/buffers.h"
#include "../../framework/capture.h"

CONFORMANCE_CASE("language.heap_structures");

constexpr int kThreads = 64;

struct Link {
  int value;
  Link* next;
};
__device__ Link* heads[8];
__managed__ int managedCounts[8];
struct State {
  double sum;
  Link* first;
};
__managed__ State managedState;

__global__ void push() {
  const int me = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Link* link = static_cast<Link*>(malloc(sizeof(Link)));
  assert(link != nullptr);
  link->value = me;
  unsigned long long* head = reinterpret_cast<unsigned long long*>(&heads[me % 8]);
  unsigned long long seen = atomicAdd(head, 0ull), before;
  do {
    before = seen;
    link->next = reinterpret_cast<Link*>(before);
    __threadfence();
    seen = atomicCAS(head, before, reinterpret_cast<unsigned long long>(link));
  } while (seen != before);
  atomicAdd(&managedCounts[me % 8], 1);
}

__global__ void walk(int* out) {
  __shared__ int total;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) total = 0;
  __syncthreads();
  int sum = 0;
  for (const Link* link = heads[me]; link != nullptr; link = link->next) {
    assert(link->value % 8 == me);
    sum += link->value;
  }
  atomicAdd(&total, sum);
  __syncthreads();
  if (me == 0) printf("total %d of %s\n", total, "lists");
  out[me] = sum;
  if (me == 0) {
    managedState.sum += total / 2.0;
    managedState.first = heads[0];
  }
  for (Link* link = heads[me]; link != nullptr;) {
    Link* next = link->next;
    free(link);
    link = next;
  }
}

// One thread allocates, all use, one frees.
__global__ void shareBuffer(int* out) {
  __shared__ int* buffer;
  const int me = static_cast<int>(threadIdx.x);
  if (me == 0) buffer = new int[kThreads * 4];
  __syncthreads();
  assert(buffer != nullptr);
  for (int i = 0; i < 4; ++i) buffer[i * kThreads + me] = me * i;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum = sum * 3 + buffer[me * 4 + i];
  out[me] = sum;
  __syncthreads();
  if (me == kThreads - 1) delete[] buffer;
}

int main() {
  managedState.sum = 0.25;
  push<<<4, kThreads>>>();
  SETUP(cudaDeviceSynchronize());
  std::string counts;
  for (const int count : managedCounts) counts += std::to_string(count) + ",";
  OBSERVE("counts", counts);

  DeviceArray<int> sums(8);
  CapturedOutput output;
  walk<<<1, 8>>>(sums.data());
  SETUP(cudaDeviceSynchronize());
  OBSERVE("printed", output.finish());
  OBSERVE("sums", joined(sums.read()));
  OBSERVE("managed_sum", managedState.sum);
  OBSERVE("managed_pointer", managedState.first != nullptr);

  DeviceArray<int> out(kThreads);
  shareBuffer<<<1, kThreads>>>(out.data());
  OBSERVE("shared_buffer", joined(out.read()));
}
