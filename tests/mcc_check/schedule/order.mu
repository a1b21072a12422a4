// Prints the order in which the blocks of a grid and the threads of a block ran, and
// whether a kernel with a hidden race still gave its expected result.
#include <cstdio>

constexpr int kBlocks = 12, kThreads = 96;

__global__ void blockTickets(int* next, int* order) {
  if (threadIdx.x == 0) order[atomicAdd(next, 1)] = blockIdx.x;
}

// `before` in order of start, `after` in order of going on behind a barrier.
__global__ void threadTickets(int* next, int* before, int* after) {
  before[atomicAdd(next, 1)] = threadIdx.x;
  __syncthreads();
  after[atomicAdd(next + 1, 1)] = threadIdx.x;
}

// Right only as long as lower threads run first: a barrier is missing.
__global__ void race(int* tile, int* wrong) {
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x > 0 && tile[threadIdx.x - 1] != static_cast<int>(threadIdx.x) - 1) atomicAdd(wrong, 1);
  __syncthreads();
}

void print(const char* name, const int* values, int count) {
  printf("%s:", name);
  for (int i = 0; i < count; ++i) printf(" %d", values[i]);
  printf("\n");
}

int main() {
  int* data;
  musaMallocManaged(&data, 4096);
  for (int i = 0; i < 1024; ++i) data[i] = 0;
  int *blocks = data + 2, *before = data + 100, *after = data + 300;
  blockTickets<<<kBlocks, 32>>>(data, blocks);
  threadTickets<<<1, kThreads>>>(data + 500, before, after);
  race<<<1, kThreads>>>(data + 600, data + 1);
  if (musaDeviceSynchronize() != musaSuccess) return 1;
  print("blocks", blocks, kBlocks);
  print("before", before, kThreads);
  print("after", after, kThreads);
  printf("race: %s\n", data[1] == 0 ? "hidden" : "shown");
}
