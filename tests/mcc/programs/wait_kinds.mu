// Loops that wait by each kind of read that looks at memory anew, and by atomic updates, for a thread of the
// same warp, of another one and of another block. Checks itself.
#include <musa_runtime.h>
#include <stdio.h>

constexpr int kThreads = 128, kValue = 41;

// What is polled: 0, then 5. What is written before: kValue.
struct Flag {
  int state;
  int value;
};

struct CacheGlobal {
  static __device__ bool isSet(Flag* flag) { return __ldcg(&flag->state) != 0; }
};
struct CacheGlobalOfVector {
  static __device__ bool isSet(Flag* flag) { return __ldcg(reinterpret_cast<const int2*>(flag)).x != 0; }
};
struct DontCache {
  static __device__ bool isSet(Flag* flag) { return __ldcv(&flag->state) != 0; }
};
struct Volatile {
  static __device__ bool isSet(Flag* flag) { return *static_cast<volatile int*>(&flag->state) != 0; }
};
struct AtomicLoad {
  static __device__ bool isSet(Flag* flag) { return __atomic_load_n(&flag->state, __ATOMIC_ACQUIRE) != 0; }
};
// By an object of a class, as std::atomic_ref is.
struct Reference {
  int* place;
  __device__ explicit Reference(int* at) : place(at) {}
  __device__ int load() const { return __atomic_load_n(place, __ATOMIC_RELAXED); }
  static __device__ bool isSet(Flag* flag) { return Reference(&flag->state).load() != 0; }
};
struct AddNothing {
  static __device__ bool isSet(Flag* flag) { return atomicAdd(&flag->state, 0) != 0; }
};
struct ExchangeSame {
  static __device__ bool isSet(Flag* flag) { return atomicCAS(&flag->state, 0, 0) != 0; }
};
struct Largest {
  static __device__ bool isSet(Flag* flag) { return atomicMax(&flag->state, 0) != 0; }
};

__device__ void set(Flag* flag) {
  flag->value = kValue;
  __threadfence();
  atomicAdd(&flag->state, 5);
}
__device__ int valueOf(Flag* flag) {
  __threadfence();
  return *static_cast<volatile int*>(&flag->value);
}

// All threads but one wait.
template <class Kind>
__global__ void waitInLoop(Flag* flag, int* out, int writer) {
  const int me = static_cast<int>(threadIdx.x);
  if (me == writer) {
    set(flag);
    out[me] = kValue;
  } else {
    while (!Kind::isSet(flag)) {
    }
    out[me] = valueOf(flag);
  }
}

// The first look is before the loop.
template <class Kind>
__global__ void waitAfterLook(Flag* flag, int* out, int writer) {
  const int me = static_cast<int>(threadIdx.x);
  if (me == writer) {
    set(flag);
  } else {
    bool isSet = Kind::isSet(flag);
    while (!isSet) isSet = Kind::isSet(flag);
  }
  out[me] = valueOf(flag);
}

// One thread waits, and tells the others at a barrier.
template <class Kind>
__global__ void waitForBlock(Flag* flag, int* out, int writer) {
  __shared__ int told;
  const int me = static_cast<int>(threadIdx.x);
  if (me == writer) set(flag);
  if (me == kThreads - 1 - writer) {
    bool done;
    do {
      done = Kind::isSet(flag);
      if (!done) __nanosleep(20);
    } while (!done);
    told = valueOf(flag);
  }
  __syncthreads();
  out[me] = told;
}

// The second block's threads wait for the first one's, or the other way about.
template <class Kind>
__global__ void waitForOther(Flag* flag, int* out, int writer) {
  const int me = static_cast<int>(threadIdx.x);
  const bool writes = static_cast<int>(blockIdx.x) == (writer == 0 ? 0 : 1);
  if (writes && me == writer) set(flag);
  if (writes) return;
  while (!Kind::isSet(flag)) {
  }
  out[me] = valueOf(flag);
}

// Updates that wait: a token is taken, a state is changed, a count is taken down and put back.
__global__ void takeTokens(Flag* flag, int* out, int) {
  const int me = static_cast<int>(threadIdx.x), warp = me / 32;
  out[me] = kValue;
  if (me % 32 != 0) return;
  if (warp != 0) {
    while (atomicCAS(&flag->state, 0, warp) != 0) {
    }
    return;
  }
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    int token;
    while ((token = atomicExch(&flag->state, 0)) == 0) {
    }
    sum += token;
  }
  out[0] = sum == 6 ? kValue : 0;
}
__global__ void changeState(Flag* flag, int* out, int writer) {
  const int me = static_cast<int>(threadIdx.x);
  if (me == writer) set(flag);
  if (me == (writer + 64) % kThreads) {
    while (atomicCAS(&flag->state, 5, 6) != 5) {
    }
    flag->value += 0;
  }
  __syncthreads();
  out[me] = flag->state == 6 ? flag->value : 0;
}
__global__ void takeDown(Flag* flag, int* out, int writer) {
  const int me = static_cast<int>(threadIdx.x);
  if (me == writer) set(flag);
  if (me == (writer + 3) % kThreads) {
    while (atomicSub(&flag->state, 1) < 1) atomicAdd(&flag->state, 1);
  }
  __syncthreads();
  out[me] = flag->state == 4 ? flag->value : 0;
}
// Who holds a lock polls for another thread that waits for the lock first.
__global__ void holdLock(Flag* flag, int* out, int) {
  const int me = static_cast<int>(threadIdx.x);
  if (me % 64 == 0) {
    while (atomicCAS(&flag->state, 0, 1) != 0) {
    }
    while (*static_cast<volatile int*>(&flag[1].state) == 0) {
    }
    flag->value += 1;
    __threadfence();
    atomicExch(&flag->state, 0);
  }
  if (me == 97) atomicExch(&flag[1].state, 1);
  __syncthreads();
  out[me] = flag->value == 2 ? kValue : 0;
}

using Kernel = void (*)(Flag*, int*, int);
static int run(const char* name, Kernel kernel, int blocks = 1) {
  Flag* flag;
  int *out, seen[kThreads], wrong = 0;
  if (musaMalloc(&flag, 2 * sizeof *flag) != musaSuccess || musaMalloc(&out, sizeof seen) != musaSuccess)
    return 1;
  for (const int writer : {0, 5, kThreads - 1}) {
    musaMemset(flag, 0, 2 * sizeof *flag);
    musaMemset(out, 0, sizeof seen);
    kernel<<<blocks, kThreads>>>(flag, out, writer);
    const musaError_t error = musaMemcpy(seen, out, sizeof seen, musaMemcpyDeviceToHost);
    for (const int value : seen) wrong += value != kValue;
    if (error != musaSuccess) printf("%s: %s\n", name, musaGetErrorString(error));
    wrong += error != musaSuccess;
  }
  if (wrong > 0) printf("%s: %d wrong\n", name, wrong);
  musaFree(flag);
  musaFree(out);
  return wrong;
}

template <class Kind>
static int runKind(const char* name) {
  printf("%s\n", name);
  fflush(stdout);
  return run("in a loop", waitInLoop<Kind>) + run("after a look", waitAfterLook<Kind>) +
         run("for the block", waitForBlock<Kind>) + run("for another block", waitForOther<Kind>, 2);
}

int main() {
  int wrong = runKind<CacheGlobal>("__ldcg") + runKind<CacheGlobalOfVector>("__ldcg of a vector") +
              runKind<DontCache>("__ldcv") + runKind<Volatile>("volatile") +
              runKind<AtomicLoad>("atomic load") + runKind<Reference>("reference") +
              runKind<AddNothing>("atomicAdd") + runKind<ExchangeSame>("atomicCAS") +
              runKind<Largest>("atomicMax");
  wrong +=
      run("tokens", takeTokens) + run("state", changeState) + run("count", takeDown) + run("lock", holdLock);
  return wrong > 0 ? 1 : 0;
}
