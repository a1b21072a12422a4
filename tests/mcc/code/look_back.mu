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

// By plain reads, which a fence or a vote keeps in the loop.
__global__ void byWeakVote(int* ready) {
  const int* place = ready + (static_cast<int>(blockIdx.x) - 1) * 32 + threadIdx.x;
  if (blockIdx.x > 0) {
    int seen = __ldcg(place);
    while (__any_sync(kFull, seen == 0)) {
      __threadfence_block();
      seen = __ldcg(place);
    }
  }
  ready[blockIdx.x * 32 + threadIdx.x] = 1;
}

// Two words at once, and what they say goes through a shuffle.
__global__ void byWeakShuffle(uint2* ready) {
  if (blockIdx.x > 0) {
    uint2 seen;
    do {
      __threadfence();
      seen = __ldcg(ready + blockIdx.x - 1);
    } while (__shfl_sync(kFull, seen.x + seen.y, 3) == 0);
  }
  ready[blockIdx.x] = make_uint2(1, 1);
}

// Sleeps in large grids only.
__global__ void bySleep(volatile int* ready) {
  if (blockIdx.x > 0)
    while (__any_sync(kFull, ready[(blockIdx.x - 1) * 32 + threadIdx.x] == 0)) {
      if (gridDim.x < 500)
        __threadfence_block();
      else
        __nanosleep(100);
    }
  ready[blockIdx.x * 32 + threadIdx.x] = 1;
}

// Walks along memory, and waits for nobody.
__global__ void byWalking(const int* keys, int* slots, int key) {
  int slot = threadIdx.x;
  while (__any_sync(kFull, __ldcg(keys + slot) != key)) {
    __threadfence_block();
    slot = (slot + 1) & 1023;
  }
  slots[threadIdx.x] = slot;
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

// Each thread of the first block waits for some of the others: a barrier of the grid by a flag for each block.
__global__ void byFlag(volatile int* arrived) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) arrived[0] = 1;
    __syncthreads();
    for (int peer = threadIdx.x; peer < gridDim.x; peer += blockDim.x)
      while (arrived[peer] == 0) __threadfence_block();
    __syncthreads();
    for (int peer = threadIdx.x; peer < gridDim.x; peer += blockDim.x) arrived[peer] = 0;
  } else if (threadIdx.x == 0) {
    arrived[blockIdx.x] = 1;
    while (arrived[blockIdx.x] == 1) __threadfence_block();
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
