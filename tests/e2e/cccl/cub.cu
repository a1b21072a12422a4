// CUB's device-wide algorithms and a block's, against the host's standard library.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

#define CALL(call)                                                       \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      return 1;                                                          \
    }                                                                    \
  } while (0)

static int failures = 0;
static void check(bool right, const char* what, int n) {
  if (!right) {
    std::printf("%s of %d is wrong\n", what, n);
    ++failures;
  }
}

__global__ void blockSums(const int* in, int* out) {
  typedef cub::BlockReduce<int, 256> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[blockIdx.x * 256 + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Pairs whose last bytes nobody sets: the compiler keeps 40 bits of each.
typedef cub::KeyValuePair<int, char> Pair;
__global__ void countInRuns(int* counts) {
  typedef cub::BlockScan<Pair, 64, cub::BLOCK_SCAN_WARP_SCANS> Scan;
  __shared__ typename Scan::TempStorage storage;
  Pair pair(threadIdx.x / 5, 1), before, last;
  Scan(storage).ExclusiveScan(pair, before, cub::ReduceByKeyOp<cub::Sum>(), last);
  counts[threadIdx.x] = threadIdx.x == 0 ? 0 : 100 * before.key + before.value;
}

static bool runsAreCounted() {
  int* counts;
  if (cudaMallocManaged(&counts, 64 * sizeof(int)) != cudaSuccess) return false;
  countInRuns<<<1, 64>>>(counts);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 1; i < 64; ++i) right = right && counts[i] == 100 * ((i - 1) / 5) + (i - 1) % 5 + 1;
  cudaFree(counts);
  return right;
}

template <typename Algorithm>
static cudaError_t twice(Algorithm algorithm) {
  size_t bytes = 0;
  void* storage = nullptr;
  cudaError_t error = algorithm(nullptr, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&storage, bytes);
  if (error == cudaSuccess) error = algorithm(storage, bytes);
  cudaFree(storage);
  return error;
}

// Runs of more than one item, of 1 to 10 items each, or after `single` items that have none. What lies before
// the lengths is nobody's.
static bool runsAreRight(int single, int n) {
  std::vector<char> items(n);
  std::vector<int> offsets, lengths;
  unsigned state = 1;
  for (int i = 0, length; i < n; i += length) {
    state = state * 1664525u + 1013904223u;
    length = i < single ? 1 : std::min(n - i, single > 0 ? 2 : 1 + int(state >> 24) % 10);
    const char item = i == 0 ? 0 : items[i - 1] + 1;
    std::fill_n(items.begin() + i, length, item);
    if (length > 1) offsets.push_back(i), lengths.push_back(length);
  }
  char* in;
  int *starts, *sizes, *count;
  if (cudaMalloc(&in, n) != cudaSuccess || cudaMallocManaged(&starts, n * sizeof(int)) != cudaSuccess ||
      cudaMallocManaged(&sizes, (n + 1) * sizeof(int)) != cudaSuccess ||
      cudaMallocManaged(&count, sizeof(int)) != cudaSuccess)
    return false;
  cudaMemcpy(in, items.data(), n, cudaMemcpyHostToDevice);
  sizes[0] = -7;
  const cudaError_t error = twice([=](void* storage, size_t& bytes) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(storage, bytes, in, starts, sizes + 1, count, n);
  });
  const bool right = error == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess && sizes[0] == -7 &&
                     *count == int(offsets.size()) && std::equal(offsets.begin(), offsets.end(), starts) &&
                     std::equal(lengths.begin(), lengths.end(), sizes + 1);
  for (void* memory : {(void*)in, (void*)starts, (void*)sizes, (void*)count}) cudaFree(memory);
  return right;
}

// The caching allocator gives up what it holds where memory runs out, and works on.
static bool allocatorGivesUp() {
  cub::CachingDeviceAllocator allocator(2, 10, 30);
  void *cached[2], *large = nullptr, *after = nullptr;
  for (void*& block : cached)
    if (allocator.DeviceAllocate(&block, 1 << 20) != cudaSuccess) return false;
  for (void* block : cached)
    if (allocator.DeviceFree(block) != cudaSuccess) return false;
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  const cudaError_t error = allocator.DeviceAllocate(&large, total + 1);
  const bool emptied = allocator.cached_bytes[0].free == 0;
  return error == cudaErrorMemoryAllocation && emptied &&
         allocator.DeviceAllocate(&after, 1 << 20) == cudaSuccess &&
         allocator.DeviceFree(after) == cudaSuccess;
}

int main() {
  const int most = 200000;
  int *in, *out;
  CALL(cudaMalloc(&in, most * sizeof(int)));
  CALL(cudaMalloc(&out, most * sizeof(int)));
  for (int n : {1, 31, 1000, most}) {
    std::vector<int> host(n), result(n);
    unsigned state = n;
    for (int& x : host) x = int((state = state * 1664525u + 1013904223u) >> 8) - (1 << 23);
    CALL(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    unsigned sum = 0;
    bool same = true;
    CALL(twice([=](void* storage, size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
    }));
    CALL(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) same = same && result[i] == int(sum += unsigned(host[i]));
    check(same, "DeviceScan", n);

    CALL(twice(
        [=](void* storage, size_t& bytes) { return cub::DeviceReduce::Sum(storage, bytes, in, out, n); }));
    CALL(cudaMemcpy(result.data(), out, sizeof(int), cudaMemcpyDeviceToHost));
    check(result[0] == int(sum), "DeviceReduce", n);

    CALL(twice([=](void* storage, size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
    }));
    CALL(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::vector<int> sorted = host;
    std::sort(sorted.begin(), sorted.end());
    check(result == sorted, "DeviceRadixSort", n);

    const int blocks = n / 256;
    if (blocks == 0) continue;
    blockSums<<<blocks, 256>>>(in, out);
    CALL(cudaMemcpy(result.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    same = true;
    for (int b = 0; b < blocks; ++b) {
      unsigned want = 0;
      for (int i = 0; i < 256; ++i) want += unsigned(host[b * 256 + i]);
      same = same && result[b] == int(want);
    }
    check(same, "BlockReduce", n);
  }
  check(allocatorGivesUp(), "CachingDeviceAllocator", 2);
  check(runsAreCounted(), "BlockScan of pairs", 64);
  check(runsAreRight(0, 10000), "DeviceRunLengthEncode", 10000);
  check(runsAreRight(480, 10000), "DeviceRunLengthEncode whose first warp has no run", 10000);
  if (failures == 0) std::printf("passed\n");
  return failures != 0;
}
