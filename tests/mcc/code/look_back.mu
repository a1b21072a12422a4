// Kernels whose blocks wait for what other blocks write, and kernels that only look as if they did.
constexpr unsigned kFull = 0xffffffff;

// A scan's look-back: a block waits for the sum up to the one before.
__global__ void byThread(volatile int* ready, volatile int* sums) {
  if (threadIdx.x == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + 1;
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}

__global__ void byAtomic(int* ready) {
  if (threadIdx.x == 0 && blockIdx.x > 0)
    while (atomicAdd(ready + blockIdx.x - 1, 0) == 0) __threadfence();
  atomicExch(ready + blockIdx.x, 1);
}

__global__ void byWarp(volatile int* ready) {
  if (blockIdx.x > 0)
    while (__any_sync(kFull, ready[(blockIdx.x - 1) * 32 + threadIdx.x] == 0)) {
    }
  ready[blockIdx.x * 32 + threadIdx.x] = 1;
}

// All wait for one value of a counter that grows.
__global__ void byCount(int* count, int rounds) {
  for (int goal = gridDim.x; rounds > 0; --rounds, goal += gridDim.x) {
    if (threadIdx.x == 0) {
      atomicAdd(count, 1);
      while (*static_cast<volatile int*>(count) != goal) {
      }
    }
    __syncthreads();
  }
}

// Who waits while another block has the lock may keep that one from running.
__global__ void byLock(int* lock, volatile int* ready) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  ready[blockIdx.x] = 1;
  atomicExch(lock, 0);
  while (ready[gridDim.x - 1] == 0) {
  }
}

__global__ void plain(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

// A ticket is taken, not waited for.
__global__ void counted(int* count, int* last) {
  if (threadIdx.x == 0 && atomicAdd(count, 1) == static_cast<int>(gridDim.x) - 1) *last = blockIdx.x;
}

// Threads of one block wait for each other.
__global__ void inShared(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) flag = 1;
  while (flag == 0) {
  }
  out[threadIdx.x] = flag;
}

__global__ void inDynamic(int* out) {
  extern __shared__ volatile int flags[];
  if (threadIdx.x == 0) flags[0] = 0;
  __syncthreads();
  if (threadIdx.x == 32) flags[0] = 1;
  while (flags[0] == 0) {
  }
  out[threadIdx.x] = flags[0];
}

int main() {}
