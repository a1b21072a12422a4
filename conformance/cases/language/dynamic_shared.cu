// extern __shared__: seen as several types, from several functions, by kernels with static arrays too.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.dynamic_shared");

constexpr int kThreads = 64;

extern __shared__ unsigned char bytes[];
extern __shared__ double doubles[];

struct alignas(16) Packet {
  float position[3];
  int id;
};

__device__ __noinline__ int* integers() {
  extern __shared__ int values[];
  return values;
}

// One region, divided by hand: packets, then doubles, then bytes.
__global__ void divided(int* out) {
  Packet* packets = reinterpret_cast<Packet*>(bytes);
  double* reals = reinterpret_cast<double*>(packets + kThreads);
  unsigned char* flags = reinterpret_cast<unsigned char*>(reals + kThreads);
  const int me = static_cast<int>(threadIdx.x);
  packets[me] = {{me * 1.0f, me * 2.0f, me * 4.0f}, me};
  reals[me] = me / 8.0;
  flags[me] = static_cast<unsigned char>(me * 5);
  __syncthreads();
  const int other = (me * 3 + 1) % kThreads;
  out[me] = static_cast<int>(packets[other].position[2]) + packets[other].id * 1000 +
            static_cast<int>(reals[other] * 8) * 7 + flags[other];
}

// All names are the same memory.
__global__ void aliases(int* out) {
  const int me = static_cast<int>(threadIdx.x);
  doubles[me] = me % 2 == 0 ? 1.0 : -2.0;
  __syncthreads();
  int value = integers()[me * 2 + 1] + bytes[me * 8 + 7];
  out[me] = value ^ static_cast<int>(reinterpret_cast<char*>(integers()) - reinterpret_cast<char*>(doubles));
}

template <class T>
__device__ T* dynamicOf() {
  return reinterpret_cast<T*>(bytes);
}

template <class T>
__global__ void reversed(int* out) {
  __shared__ T fixed[kThreads];
  const int me = static_cast<int>(threadIdx.x);
  fixed[me] = static_cast<T>(me + 1);
  dynamicOf<T>()[me] = static_cast<T>(me * 2);
  __syncthreads();
  out[me] +=
      static_cast<int>(fixed[kThreads - 1 - me]) * 100 + static_cast<int>(dynamicOf<T>()[kThreads - 1 - me]);
}

int main() {
  DeviceArray<int> out(kThreads);
  divided<<<1, kThreads, kThreads * (sizeof(Packet) + sizeof(double) + 1)>>>(out.data());
  OBSERVE("divided", joined(out.read()));
  aliases<<<1, kThreads, kThreads * sizeof(double)>>>(out.data());
  OBSERVE("aliases", joined(out.read()));
  SETUP(cudaMemset(out.data(), 0, out.bytes()));
  reversed<char><<<1, kThreads, kThreads>>>(out.data());
  reversed<short><<<1, kThreads, kThreads * 2>>>(out.data());
  reversed<float><<<1, kThreads, kThreads * 4>>>(out.data());
  reversed<long long><<<1, kThreads, kThreads * 8>>>(out.data());
  OBSERVE("templates", joined(out.read()));
}
