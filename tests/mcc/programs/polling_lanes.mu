// Threads that poll for each other (locks, semaphores, flags, barriers of their own), in kernels in which
// lanes of a warp also exchange data with no barrier in between: lanes that poll meet the others when they
// are through, and those that they poll for go on. Checks itself.
#include <musa_runtime.h>

#include <cstdio>

constexpr int kThreads = 256, kPlaces = 3;

// What the threads of a block wait with.
struct Words {
  unsigned lock, places, arrived, next, flag;
  volatile unsigned serving, sum;
};

__device__ void begin(Words& words) {
  if (threadIdx.x == 0) {
    words.lock = words.arrived = words.next = words.serving = words.sum = words.flag = 0;
    words.places = kPlaces;
  }
  __syncthreads();
}

__device__ unsigned look(const unsigned* place) { return *static_cast<const volatile unsigned*>(place); }

// --- Ways to wait -----------------------------------------------------------------------------------------

struct Lock {
  static __device__ void wait(Words& words) {
    while (atomicCAS(&words.lock, 0u, 1u) != 0) {
    }
    words.sum = words.sum + 1;
    __threadfence_block();
    atomicExch(&words.lock, 0u);
  }
};

// Looks before it tries.
struct PolledLock {
  static __device__ void wait(Words& words) {
    do {
      while (look(&words.lock) != 0) {
      }
    } while (atomicExch(&words.lock, 1u) != 0);
    words.sum = words.sum + 1;
    __threadfence_block();
    atomicExch(&words.lock, 0u);
  }
};

// Who has it does its work within the loop.
struct LockInside {
  static __device__ void wait(Words& words) {
    for (bool done = false; !done;) {
      if (atomicCAS(&words.lock, 0u, 1u) == 0) {
        words.sum = words.sum + 1;
        __threadfence_block();
        atomicExch(&words.lock, 0u);
        done = true;
      }
    }
  }
};

struct Ticket {
  static __device__ void wait(Words& words) {
    const unsigned mine = atomicAdd(&words.next, 1u);
    while (words.serving != mine) {
    }
    words.sum = words.sum + 1;
    __threadfence_block();
    words.serving = mine + 1;
  }
};

struct Semaphore {
  static __device__ void wait(Words& words) {
    for (bool mine = false; !mine;) {
      unsigned old = look(&words.places);
      while (!mine && old != 0) {
        const unsigned was = atomicCAS(&words.places, old, old - 1);
        mine = was == old;
        old = was;
      }
      while (!mine && look(&words.places) == 0) {
      }
    }
    atomicAdd(const_cast<unsigned*>(&words.sum), 1u);
    atomicAdd(&words.places, 1u);
  }
};

struct Barrier {
  static __device__ void wait(Words& words) {
    atomicAdd(const_cast<unsigned*>(&words.sum), 1u);
    __threadfence_block();
    atomicAdd(&words.arrived, 1u);
    while (look(&words.arrived) < blockDim.x) {
    }
  }
};

// For what the last warp says, in all lanes alike.
struct Flag {
  static __device__ void wait(Words& words) {
    atomicAdd(const_cast<unsigned*>(&words.sum), 1u);
    if (threadIdx.x == blockDim.x - 1) {
      __threadfence_block();
      atomicExch(&words.flag, 1u);
    } else if (threadIdx.x / warpSize != (blockDim.x - 1) / warpSize) {
      while (look(&words.flag) == 0) {
      }
    }
  }
};

// --- Exchanges --------------------------------------------------------------------------------------------

// All read their neighbours' before any writes its own.
__device__ unsigned rotate(unsigned* s, unsigned value) {
  const unsigned t = threadIdx.x, group = t & ~31u, lane = t & 31u;
  s[t] = value;
  for (unsigned i = 0; i < 3; ++i) {
    const unsigned got = s[group | ((lane + 1 + i) & 31u)];
    s[t] = got * 3 + lane;
  }
  return s[t];
}
unsigned rotated(unsigned t, const unsigned* values) {
  unsigned s[32], got[32];
  const unsigned group = t & ~31u;
  for (unsigned i = 0; i < 32; ++i) s[i] = values[group + i];
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < 32; ++i) got[i] = s[(i + 1 + round) & 31u];
    for (unsigned i = 0; i < 32; ++i) s[i] = got[i] * 3 + i;
  }
  return s[t - group];
}

// A barrier stands between the two.
template <class Way>
__global__ void waitThenExchange(unsigned* out, const unsigned* in) {
  __shared__ Words words;
  __shared__ unsigned s[kThreads];
  begin(words);
  Way::wait(words);
  __syncthreads();
  out[threadIdx.x] = rotate(s, in[threadIdx.x]) + words.sum;
}

template <class Way>
__global__ void exchangeThenWait(unsigned* out, const unsigned* in) {
  __shared__ Words words;
  __shared__ unsigned s[kThreads];
  begin(words);
  const unsigned value = rotate(s, in[threadIdx.x]);
  Way::wait(words);
  __syncthreads();
  out[threadIdx.x] = value + words.sum;
}

// No barrier: what one lane sees when it polls, all see, so they leave the loop together.
template <class Way>
__global__ void meetBehind(unsigned* out, const unsigned* in) {
  __shared__ Words words;
  __shared__ unsigned s[kThreads];
  begin(words);
  Way::wait(words);
  const unsigned value = rotate(s, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = value + words.sum;
}

// --- One half of the lanes polls for the other, which exchanges before -------------------------------------

__global__ void halfForHalf(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[kThreads], ready[kThreads / 32];
  const unsigned t = threadIdx.x, lane = t & 31u, group = t & ~31u;
  s[t] = in[t];
  if (lane == 0) ready[t / 32] = 0;
  __syncthreads();
  if (lane < 16) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned got = s[group | ((lane + 1 + i) & 15u)];
      s[t] = got * 5 + lane;
    }
    __threadfence_block();
    atomicAdd(&ready[t / 32], 1u);
  } else {
    while (look(&ready[t / 32]) != 16) {
    }
    s[t] += look(&s[t - 16]);
  }
  out[t] = s[t];
}
unsigned halved(unsigned t, const unsigned* values) {
  unsigned s[16], got[16];
  const unsigned group = t & ~31u;
  for (unsigned i = 0; i < 16; ++i) s[i] = values[group + i];
  for (unsigned round = 0; round < 4; ++round) {
    for (unsigned i = 0; i < 16; ++i) got[i] = s[(i + 1 + round) & 15u];
    for (unsigned i = 0; i < 16; ++i) s[i] = got[i] * 5 + i;
  }
  return (t & 31u) < 16 ? s[t - group] : values[t] + s[t - group - 16];
}

// ----------------------------------------------------------------------------------------------------------

using Kernel = void (*)(unsigned* out, const unsigned* in);

static unsigned *in, *out;

template <class Expected>
static int check(const char* name, int way, Kernel kernel, int threads, Expected expected) {
  for (int i = 0; i < threads; ++i) out[i] = 0;
  kernel<<<1, threads>>>(out, in);
  const musaError_t error = musaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < threads; ++i) wrong += out[i] != expected(static_cast<unsigned>(i));
  if (error == musaSuccess && wrong == 0) return 0;
  std::printf("%s, way %d, %d threads: %s, %d wrong\n", name, way, threads, musaGetErrorString(error), wrong);
  return 1;
}

int main() {
  musaMallocManaged(&in, kThreads * sizeof *in);
  musaMallocManaged(&out, kThreads * sizeof *out);
  for (int i = 0; i < kThreads; ++i) in[i] = static_cast<unsigned>(i * i + 7);
  int all = 0;
  const Kernel waiting[] = {waitThenExchange<Lock>,       waitThenExchange<PolledLock>,
                            waitThenExchange<LockInside>, waitThenExchange<Ticket>,
                            waitThenExchange<Semaphore>,  waitThenExchange<Barrier>,
                            waitThenExchange<Flag>};
  const Kernel others[] = {exchangeThenWait<LockInside>, exchangeThenWait<Semaphore>, meetBehind<Barrier>,
                           meetBehind<Flag>};
  for (const int threads : {32, 128, kThreads}) {
    const auto expected = [threads](unsigned t) { return rotated(t, in) + static_cast<unsigned>(threads); };
    for (int i = 0; i < 7; ++i) all += check("wait, then exchange", i, waiting[i], threads, expected);
    for (int i = 0; i < 4; ++i) all += check("exchange, or meet behind", i, others[i], threads, expected);
    all += check("half for half", 0, halfForHalf, threads, [](unsigned t) { return halved(t, in); });
  }
  return all > 0 ? 1 : 0;
}
