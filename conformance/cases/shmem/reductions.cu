// Reductions: every type and operation from the host; some on streams and in kernels.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.reductions");

#define REDUCED(name, type, op)                                                         \
  {                                                                                     \
    Symmetric<type> to(4, 0), from(4, 3 + 2 * pe.me(), 5);                              \
    const int status = nvshmem_##name##_##op##_reduce(NVSHMEM_TEAM_WORLD, to, from, 4); \
    pe.observeAll(#op "_" #name, to.readTogether());                                    \
    pe.observe(#op "_" #name "_status", status);                                        \
  }
#define ARITHMETIC(name, type) \
  REDUCED(name, type, sum) REDUCED(name, type, prod) REDUCED(name, type, min) REDUCED(name, type, max)
#define BITS(name, type) REDUCED(name, type, and) REDUCED(name, type, or) REDUCED(name, type, xor)
#define BIT_TYPES(X)                                                                              \
  X(uchar, unsigned char)                                                                         \
  X(ushort, unsigned short)                                                                       \
  X(uint, unsigned int) X(ulong, unsigned long) X(ulonglong, unsigned long long) X(int8, int8_t)  \
      X(int16, int16_t) X(int32, int32_t) X(int64, int64_t) X(uint8, uint8_t) X(uint16, uint16_t) \
          X(uint32, uint32_t) X(uint64, uint64_t) X(size, size_t)
#define NUMBER_TYPES(X) \
  X(char, char)         \
  X(schar, signed char) \
  X(short, short) X(int, int) X(long, long) X(longlong, long long) X(float, float) X(double, double)

__global__ void byThread(int* to, const int* from, size_t count, int* seen) {
  seen[0] = nvshmem_int_sum_reduce(NVSHMEM_TEAM_WORLD, to, from, count);
}
__global__ void byWarp(int* to, const int* from, size_t count, int* seen) {
  const int status = nvshmemx_int_max_reduce_warp(NVSHMEM_TEAM_WORLD, to, from, count);
  if (threadIdx.x == 0) seen[0] = status;
}
__global__ void byBlock(int* to, const int* from, size_t count, int* seen) {
  const int status = nvshmemx_int_sum_reduce_block(NVSHMEM_TEAM_WORLD, to, from, count);
  if (threadIdx.x == 0) seen[0] = status;
}

static void look(Pes& pe) {
  BIT_TYPES(ARITHMETIC)
  NUMBER_TYPES(ARITHMETIC)
  BIT_TYPES(BITS)
  cudaStream_t stream = nullptr;
  SETUP(cudaStreamCreate(&stream));
  Symmetric<int> seen(1);
  for (const int count : {1, 7, 40000}) {
    const std::string suffix = "_" + std::to_string(count);
    const size_t size = static_cast<size_t>(count);
    Symmetric<int> to(size, -1), from(size, 3 + pe.me(), 2 - 5 * pe.me());
    const auto show = [&](const std::string& key, int status) {
      const std::vector<int> values = to.readTogether();
      pe.observe(key + suffix, checksum(values.data(), values.size() * sizeof(int)));
      pe.observe(key + suffix + "_status", status);
      to.fill(-1, 0);
    };
    show("host", nvshmem_int_sum_reduce(NVSHMEM_TEAM_WORLD, to, from, size));
    const int onStream = nvshmemx_int_min_reduce_on_stream(NVSHMEM_TEAM_WORLD, to, from, size, stream);
    SETUP(cudaStreamSynchronize(stream));
    show("stream", onStream);
    launchTogether(byThread, 1, 1, to, from, size, seen);
    show("thread", seen.read()[0]);
    launchTogether(byWarp, 1, 32, to, from, size, seen);
    show("warp", seen.read()[0]);
    launchTogether(byBlock, 1, 128, to, from, size, seen);
    show("block", seen.read()[0]);
  }
  SETUP(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
