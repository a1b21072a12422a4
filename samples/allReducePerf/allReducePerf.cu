// allReducePerf: sums over all devices for a range of sizes, in the table that
// nccl-tests made familiar. One thread drives all ranks in groups; each size runs
// out of place and in place, and every result is compared with the exact sum.
#include <nccl.h>
#include <stdint.h>

#include <chrono>
#include <vector>

#include "../common/check.h"
#include "../common/check_nccl.h"
#include "../common/devices.h"
#include "../common/options.h"

struct Rank {
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  float* send = nullptr;
  float* receive = nullptr;
  unsigned long long* wrong = nullptr;  // on the device: values that differ from the sum
};

// Small integers: their sums are exact in any order.
__host__ __device__ static float valueOf(int rank, size_t i) {
  return static_cast<float>((i * 7 + rank * 3) % 32);
}

__global__ void fill(float* values, size_t count, int rank) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    values[i] = valueOf(rank, i);
  }
}

__global__ void countWrong(const float* values, size_t count, int ranks, unsigned long long* wrong) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    float sum = 0.0f;
    for (int rank = 0; rank < ranks; ++rank) sum += valueOf(rank, i);
    if (values[i] != sum) atomicAdd(wrong, 1ull);
  }
}

class Sweep {
 public:
  Sweep(int ranks, size_t maxBytes, int warmups, int iterations)
      : ranks_(static_cast<size_t>(ranks)), warmups_(warmups), iterations_(iterations) {
    std::vector<ncclComm_t> comms(static_cast<size_t>(ranks));
    std::vector<int> devices;
    for (int device = 0; device < ranks; ++device) devices.push_back(device);
    CHECK_NCCL(ncclCommInitAll(comms.data(), ranks, devices.data()));
    for (int rank = 0; rank < ranks; ++rank) {
      Rank& own = ranks_[static_cast<size_t>(rank)];
      own.comm = comms[static_cast<size_t>(rank)];
      CHECK(cudaSetDevice(rank));
      CHECK(cudaStreamCreateWithFlags(&own.stream, cudaStreamNonBlocking));
      CHECK(cudaMalloc(&own.send, maxBytes));
      CHECK(cudaMalloc(&own.receive, maxBytes));
      CHECK(cudaMalloc(&own.wrong, sizeof *own.wrong));
    }
  }

  ~Sweep() {
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      CHECK(cudaSetDevice(static_cast<int>(rank)));
      CHECK(cudaFree(ranks_[rank].send));
      CHECK(cudaFree(ranks_[rank].receive));
      CHECK(cudaFree(ranks_[rank].wrong));
      CHECK(cudaStreamDestroy(ranks_[rank].stream));
      CHECK_NCCL(ncclCommDestroy(ranks_[rank].comm));
    }
  }
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  int size() const { return static_cast<int>(ranks_.size()); }

  // One result of the table.
  struct Result {
    double microseconds;
    double algorithmBandwidth;  // GB/s
    double busBandwidth;
    unsigned long long wrong;
  };

  Result run(size_t count, bool inPlace) {
    // Summing in place again and again would overflow: check once, then time.
    prepare(count, inPlace);
    allReduce(count, inPlace);
    synchronise();
    Result result;
    result.wrong = wrongValues(count);
    for (int i = 0; i < warmups_; ++i) allReduce(count, inPlace);
    synchronise();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < iterations_; ++i) allReduce(count, inPlace);
    synchronise();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const double seconds = elapsed.count() / iterations_;
    result.microseconds = seconds * 1e6;
    result.algorithmBandwidth = static_cast<double>(count * sizeof(float)) / 1e9 / seconds;
    result.busBandwidth = result.algorithmBandwidth * 2.0 * (size() - 1) / size();
    return result;
  }

 private:
  void prepare(size_t count, bool inPlace) {
    for (int rank = 0; rank < size(); ++rank) {
      const Rank& own = ranks_[static_cast<size_t>(rank)];
      CHECK(cudaSetDevice(rank));
      fill<<<32, 256, 0, own.stream>>>(inPlace ? own.receive : own.send, count, rank);
      CHECK_LAUNCH();
      if (!inPlace) CHECK(cudaMemsetAsync(own.receive, 0xff, count * sizeof(float), own.stream));
    }
    synchronise();
  }

  void allReduce(size_t count, bool inPlace) {
    CHECK_NCCL(ncclGroupStart());
    for (const Rank& own : ranks_) {
      CHECK_NCCL(ncclAllReduce(inPlace ? own.receive : own.send, own.receive, count, ncclFloat, ncclSum,
                               own.comm, own.stream));
    }
    CHECK_NCCL(ncclGroupEnd());
  }

  void synchronise() {
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      CHECK(cudaSetDevice(static_cast<int>(rank)));
      CHECK(cudaStreamSynchronize(ranks_[rank].stream));
    }
  }

  unsigned long long wrongValues(size_t count) {
    unsigned long long total = 0;
    for (int rank = 0; rank < size(); ++rank) {
      const Rank& own = ranks_[static_cast<size_t>(rank)];
      CHECK(cudaSetDevice(rank));
      CHECK(cudaMemsetAsync(own.wrong, 0, sizeof *own.wrong, own.stream));
      countWrong<<<32, 256, 0, own.stream>>>(own.receive, count, size(), own.wrong);
      CHECK_LAUNCH();
      unsigned long long wrong = 0;
      CHECK(cudaMemcpyAsync(&wrong, own.wrong, sizeof wrong, cudaMemcpyDeviceToHost, own.stream));
      CHECK(cudaStreamSynchronize(own.stream));
      total += wrong;
    }
    return total;
  }

  std::vector<Rank> ranks_;
  int warmups_;
  int iterations_;
};

static void printHeader() {
  printf("#\n");
  printf(
      "#                                                              out-of-place                       "
      "in-place          \n");
  printf(
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw "
      "  busbw #wrong\n");
  printf(
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s) "
      " (GB/s)       \n");
}

static void printResult(const Sweep::Result& result) {
  printf("  %7.2f  %6.2f  %6.2f  %5llu", result.microseconds, result.algorithmBandwidth, result.busBandwidth,
         result.wrong);
}

int main(int argc, char** argv) {
  Options options(argc, argv, "All-reduce over all devices for a range of sizes.");
  const size_t minBytes = static_cast<size_t>(options.size("-b", 8, "smallest size in bytes (K, M, G)", 4));
  const size_t maxBytes =
      static_cast<size_t>(options.size("-e", 4 << 20, "largest size in bytes (K, M, G)", 4));
  const size_t factor = static_cast<size_t>(options.size("-f", 2, "factor between sizes", 2));
  const long long asked = options.size("-g", 0, "devices to use, 0 for all", 0);
  const int warmups = static_cast<int>(options.size("-w", 1, "warm-up iterations", 0));
  const int iterations = static_cast<int>(options.size("-n", 5, "timed iterations"));
  options.finish();
  const int devices = devicesToUse(asked);
  if (minBytes > maxBytes) {
    fprintf(stderr, "-b must not be above -e\n");
    return 2;
  }

  printf("# nGpus %d minBytes %zu maxBytes %zu step: %zu(factor) warmup iters: %d iters: %d\n", devices,
         minBytes, maxBytes, factor, warmups, iterations);
  for (int device = 0; device < devices; ++device) {
    printf("#  Rank %2d ", device);
    printDevice(device);
  }
  printHeader();

  unsigned long long wrong = 0;
  double bandwidth = 0.0;
  int results = 0;
  {
    Sweep sweep(devices, maxBytes, warmups, iterations);
    for (size_t bytes = minBytes; bytes <= maxBytes; bytes *= factor) {
      const size_t count = bytes / sizeof(float);
      printf("%12zu  %12zu  %8s  %6s      -1", count * sizeof(float), count, "float", "sum");
      for (const bool inPlace : {false, true}) {
        const Sweep::Result result = sweep.run(count, inPlace);
        printResult(result);
        wrong += result.wrong;
        bandwidth += result.busBandwidth;
        ++results;
      }
      printf("\n");
      fflush(stdout);
    }
  }
  printf("# Out of bounds values : %llu %s\n", wrong, wrong == 0 ? "OK" : "FAILED");
  printf("# Avg bus bandwidth    : %g\n#\n", bandwidth / results);
  return verdict(wrong == 0);
}
