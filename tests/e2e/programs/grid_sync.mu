// Blocks of a cooperative launch wait for each other.
#include <cooperative_groups.h>
#include <musa_runtime.h>
#include <stdio.h>

#include <vector>

namespace cg = cooperative_groups;

static int failures = 0;
#define EXPECT(condition)                                            \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                    \
    }                                                                \
  } while (0)

// Every round: each block sums its part in shared memory, and every block adds up all parts.
// Shared memory, local variables and local arrays live on over the barriers.
__device__ void persist(unsigned* partial, unsigned* out, int rounds) {
  __shared__ unsigned sums[1024];
  cg::grid_group grid = cg::this_grid();
  unsigned kept[4] = {0, unsigned(grid.thread_rank()), 0, 0}, history = 0;
  for (int round = 0; round < rounds; ++round) {
    sums[threadIdx.x] = unsigned(grid.thread_rank()) + unsigned(round) * 7u + history % 3u;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) partial[grid.block_rank()] = sums[0];
    grid.sync();
    unsigned total = 0;
    for (unsigned block = 0; block < grid.num_blocks(); ++block) total += partial[block];
    history = history * 31u + total;
    kept[round % 4] += total ^ sums[0];
    grid.sync();  // before the next round's parts
  }
  out[grid.thread_rank()] = history + kept[0] + 3u * kept[1] + 5u * kept[2] + 7u * kept[3];
}

__global__ void persistent(unsigned* partial, unsigned* out, int rounds) { persist(partial, out, rounds); }

std::vector<unsigned> expectedPersistent(unsigned blocks, unsigned threads, int rounds) {
  std::vector<unsigned> kept(size_t(blocks) * threads * 4), partial(blocks), out(size_t(blocks) * threads);
  for (unsigned i = 0; i < blocks * threads; ++i) kept[i * 4 + 1] = i;
  unsigned history = 0;
  for (int round = 0; round < rounds; ++round) {
    unsigned total = 0;
    for (unsigned block = 0; block < blocks; ++block) {
      partial[block] = 0;
      for (unsigned thread = 0; thread < threads; ++thread) {
        partial[block] += block * threads + thread + unsigned(round) * 7u + history % 3u;
      }
      total += partial[block];
    }
    history = history * 31u + total;
    for (unsigned i = 0; i < blocks * threads; ++i)
      kept[i * 4 + unsigned(round) % 4] += total ^ partial[i / threads];
  }
  for (unsigned i = 0; i < blocks * threads; ++i) {
    out[i] = history + kept[i * 4] + 3u * kept[i * 4 + 1] + 5u * kept[i * 4 + 2] + 7u * kept[i * 4 + 3];
  }
  return out;
}

// With warp operations: the block runs warp by warp.
__global__ void rotateWarps(unsigned* values, unsigned* out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const unsigned count = unsigned(grid.num_threads()), rank = unsigned(grid.thread_rank());
  unsigned value = rank;
  for (int round = 0; round < rounds; ++round) {
    value += __shfl_xor_sync(0xffffffffu, value, 1 << (round % 5), 32);
    values[rank] = value;
    auto token = grid.barrier_arrive();
    grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token));
    value = values[(rank + blockDim.x + 1) % count];
    cg::sync(grid);
  }
  out[rank] = value;
}

// Threads come to the barrier from different places, and some have left.
__global__ void parted(unsigned* values, unsigned* out, unsigned left) {
  cg::grid_group grid = cg::this_grid();
  const unsigned rank = unsigned(grid.thread_rank());
  if (threadIdx.x >= blockDim.x - left) return;
  values[rank] = rank * 3u;
  if (threadIdx.x % 3 == 0) {
    values[rank] += 1;
    grid.sync();
  } else {
    for (unsigned i = 0; i < threadIdx.x % 5; ++i) values[rank] += i;
    grid.sync();
  }
  const unsigned other = (rank + blockDim.x) % unsigned(grid.num_threads());
  out[rank] = values[other];
}

// Threads wait in a function that calls itself: each has a stack of its own.
__device__ __noinline__ unsigned descend(unsigned* values, unsigned rank, unsigned count, int depth) {
  if (depth == 0) return values[rank];
  const unsigned before = values[(rank + 7) % count];
  cg::this_grid().sync();
  values[rank] += before;
  cg::this_grid().sync();
  return descend(values, rank, count, depth - 1) + before;
}
__global__ void recursive(unsigned* values, unsigned* out, int depth) {
  const unsigned rank = unsigned(cg::this_grid().thread_rank());
  values[rank] = rank;
  cg::this_grid().sync();
  out[rank] = descend(values, rank, unsigned(cg::this_grid().num_threads()), depth);
}

// Blocks pass a token on, sleeping while they wait, in between two barriers.
__global__ void relay(unsigned* values, unsigned* out) {
  cg::this_grid().sync();
  const unsigned next = gridDim.x - 1 - blockIdx.x;  // the last block goes first
  if (threadIdx.x == 0) {
    while (atomicAdd(values, 0u) != next) __nanosleep(20);
    out[blockIdx.x] = next;
    __threadfence();
    atomicAdd(values, 1u);
  }
  cg::this_grid().sync();
  if (threadIdx.x == 1) out[blockIdx.x] += values[0];
}

__global__ void validity(unsigned* values, unsigned* out) { out[blockIdx.x] = cg::this_grid().is_valid(); }

// kind 0: block 2 ends without the barrier; 1: it traps between two; 2: it reads where nothing is.
__global__ void unsound(unsigned* values, unsigned* out, int kind) {
  cg::this_grid().sync();
  if (blockIdx.x == 2) {
    if (kind == 0) return;
    if (kind == 1 && threadIdx.x == 3) __trap();
    if (kind == 2 && threadIdx.x == 3) out[threadIdx.x] = *reinterpret_cast<volatile unsigned*>(16);
  }
  cg::this_grid().sync();
  out[blockIdx.x] = values[blockIdx.x];
}

struct Buffers {
  unsigned *values, *out;
  explicit Buffers(size_t count) : size(count) {
    EXPECT(musaMalloc(&values, count * sizeof(unsigned)) == musaSuccess);
    EXPECT(musaMalloc(&out, count * sizeof(unsigned)) == musaSuccess);
    EXPECT(musaMemset(values, 0, count * sizeof(unsigned)) == musaSuccess);
    EXPECT(musaMemset(out, 0, count * sizeof(unsigned)) == musaSuccess);
  }
  ~Buffers() {
    musaFree(values);
    musaFree(out);
  }
  std::vector<unsigned> result() const {
    std::vector<unsigned> copy(size);
    EXPECT(musaMemcpy(copy.data(), out, size * sizeof(unsigned), musaMemcpyDeviceToHost) == musaSuccess);
    return copy;
  }
  size_t size;
};

template <typename Kernel, typename... Last>
musaError_t launch(Kernel kernel, unsigned blocks, unsigned threads, Buffers& buffers, Last... last) {
  void* arguments[] = {&buffers.values, &buffers.out, &last...};
  const musaError_t error = musaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                                        dim3(threads), arguments, 0, nullptr);
  return error != musaSuccess ? error : musaDeviceSynchronize();
}

void testPersistent(unsigned blocks, unsigned threads, int rounds) {
  Buffers buffers(size_t(blocks) * threads);
  EXPECT(launch(persistent, blocks, threads, buffers, rounds) == musaSuccess);
  EXPECT(buffers.result() == expectedPersistent(blocks, threads, rounds));
}

void testWarps(unsigned blocks, unsigned threads, int rounds) {
  const unsigned count = blocks * threads;
  Buffers buffers(count);
  EXPECT(launch(rotateWarps, blocks, threads, buffers, rounds) == musaSuccess);
  std::vector<unsigned> now(count), sums(count);
  for (unsigned i = 0; i < count; ++i) now[i] = i;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = 0; i < count; ++i) sums[i] = now[i] + now[i ^ (1u << (round % 5))];
    for (unsigned i = 0; i < count; ++i) now[i] = sums[(i + threads + 1) % count];
  }
  EXPECT(buffers.result() == now);
}

void testParted(unsigned blocks, unsigned threads, unsigned left) {
  Buffers buffers(blocks * threads);
  EXPECT(launch(parted, blocks, threads, buffers, left) == musaSuccess);
  const std::vector<unsigned> result = buffers.result();
  for (unsigned rank = 0; rank < blocks * threads; ++rank) {
    const unsigned thread = rank % threads, other = (rank + threads) % (blocks * threads);
    unsigned expected = other * 3u + (thread % 3 == 0 ? 1 : 0);
    if (thread % 3 != 0) {
      for (unsigned i = 0; i < thread % 5; ++i) expected += i;
    }
    EXPECT(result[rank] == (thread >= threads - left ? 0u : expected));
  }
}

void testRecursive(unsigned blocks, unsigned threads, int depth) {
  const unsigned count = blocks * threads;
  Buffers buffers(count);
  EXPECT(launch(recursive, blocks, threads, buffers, depth) == musaSuccess);
  std::vector<unsigned> values(count), sums(count, 0u);
  for (unsigned i = 0; i < count; ++i) values[i] = i;
  for (int level = 0; level < depth; ++level) {
    std::vector<unsigned> before(count);
    for (unsigned i = 0; i < count; ++i) before[i] = values[(i + 7) % count];
    for (unsigned i = 0; i < count; ++i) values[i] += before[i], sums[i] += before[i];
  }
  for (unsigned i = 0; i < count; ++i) sums[i] += values[i];
  EXPECT(buffers.result() == sums);
}

void testRelay(unsigned blocks) {
  Buffers buffers(blocks);
  EXPECT(launch(relay, blocks, 64, buffers) == musaSuccess);
  const std::vector<unsigned> result = buffers.result();
  for (unsigned block = 0; block < blocks; ++block) EXPECT(result[block] == 2 * blocks - 1 - block);
}

void testValidity() {
  Buffers buffers(2);
  EXPECT(launch(validity, 2, 32, buffers) == musaSuccess);
  EXPECT((buffers.result() == std::vector<unsigned>{1, 1}));
  validity<<<2, 32>>>(buffers.values, buffers.out);
  EXPECT((buffers.result() == std::vector<unsigned>{0, 0}));
}

void testLimit() {
  int perProcessor = 0, processors = 0;
  const void* kernel = reinterpret_cast<const void*>(persistent);
  EXPECT(musaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, kernel, 256, 0) == musaSuccess);
  EXPECT(musaDeviceGetAttribute(&processors, musaDevAttrMultiProcessorCount, 0) == musaSuccess);
  const unsigned fits = unsigned(perProcessor * processors);
  Buffers buffers(size_t(fits + 1) * 256);
  EXPECT(launch(persistent, fits + 1, 256, buffers, 1) == musaErrorCooperativeLaunchTooLarge);
  (void)musaGetLastError();
  testPersistent(fits, 256, 2);
}

// The error is the device's until it is reset; then everything works again.
void testFaults() {
  const struct {
    int kind;
    musaError_t error;
  } faults[] = {{0, musaErrorLaunchTimeout}, {1, musaErrorLaunchFailure}, {2, musaErrorIllegalAddress}};
  for (const auto& fault : faults) {
    {
      Buffers buffers(256);
      const musaError_t error = launch(unsound, 6, 32, buffers, fault.kind);
      if (error != fault.error) printf("kind %d: %s\n", fault.kind, musaGetErrorName(error));
      EXPECT(error == fault.error);
    }
    EXPECT(musaDeviceReset() == musaSuccess);
    (void)musaGetLastError();
    testPersistent(6, 32, 3);
  }
  {
    Buffers buffers(256);
    persistent<<<4, 32>>>(buffers.values, buffers.out, 1);
    const musaError_t error = musaDeviceSynchronize();
    if (error != musaErrorLaunchFailure) printf("not cooperative: %s\n", musaGetErrorName(error));
    EXPECT(error == musaErrorLaunchFailure);
  }
  EXPECT(musaDeviceReset() == musaSuccess);
  (void)musaGetLastError();
  testWarps(5, 64, 4);
}

int main() {
  for (const unsigned blocks : {1u, 2u, 3u, 16u, 64u}) {
    for (const unsigned threads : {1u, 32u, 128u, 256u}) testPersistent(blocks, threads, 9);
    for (const unsigned threads : {32u, 128u, 256u}) testWarps(blocks, threads, 9);
    testParted(blocks, 96, 0);
    testParted(blocks, 96, 5);
    testRelay(blocks);
  }
  testRecursive(1, 32, 3);
  testRecursive(7, 96, 4);
  testPersistent(40, 1024, 5);
  testValidity();
  testLimit();
  testFaults();
  printf("%s\n", failures == 0 ? "passed" : "FAILED");
  return failures != 0;
}
