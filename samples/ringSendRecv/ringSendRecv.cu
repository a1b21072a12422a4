// ringSendRecv: every rank sends to the next and receives from the one before,
// until each token has come around. A token carries its owner and a count of
// hops, so that a lost, repeated or misrouted message shows.
#include <nccl.h>

#include <vector>

#include "../common/check.h"
#include "../common/check_nccl.h"
#include "../common/devices.h"
#include "../common/options.h"

// Token i of owner o after h hops.
__host__ __device__ static int tokenOf(int owner, int hops, size_t i) {
  return owner * 1000000 + static_cast<int>(i % 1000) * 100 + hops;
}

__global__ void countHop(int* tokens, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) tokens[i] += 1;
}

struct Rank {
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
  int* current = nullptr;
  int* incoming = nullptr;
};

// One hop of all tokens: a group of sends and receives, then the count.
static void hop(std::vector<Rank>& ranks, size_t count) {
  const int size = static_cast<int>(ranks.size());
  CHECK_NCCL(ncclGroupStart());
  for (int rank = 0; rank < size; ++rank) {
    const Rank& own = ranks[static_cast<size_t>(rank)];
    CHECK_NCCL(ncclSend(own.current, count, ncclInt, (rank + 1) % size, own.comm, own.stream));
    CHECK_NCCL(ncclRecv(own.incoming, count, ncclInt, (rank + size - 1) % size, own.comm, own.stream));
  }
  CHECK_NCCL(ncclGroupEnd());
  for (int rank = 0; rank < size; ++rank) {
    Rank& own = ranks[static_cast<size_t>(rank)];
    CHECK(cudaSetDevice(rank));
    countHop<<<static_cast<unsigned>((count + 255) / 256), 256, 0, own.stream>>>(own.incoming, count);
    CHECK_LAUNCH();
    int* const sent = own.current;
    own.current = own.incoming;
    own.incoming = sent;
  }
}

static size_t wrongTokens(const Rank& rank, size_t count, int owner, int hops) {
  std::vector<int> tokens(count);
  CHECK(
      cudaMemcpyAsync(tokens.data(), rank.current, count * sizeof(int), cudaMemcpyDeviceToHost, rank.stream));
  CHECK(cudaStreamSynchronize(rank.stream));
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) wrong += tokens[i] != tokenOf(owner, hops, i) ? 1 : 0;
  return wrong;
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Tokens travel a ring of devices by send and receive.");
  const long long asked = options.size("--devices", 0, "devices to use, 0 for all", 0);
  const size_t count = static_cast<size_t>(options.size("--count", 50000, "integers in a message"));
  options.finish();
  const int size = devicesToUse(asked);

  std::vector<ncclComm_t> comms(static_cast<size_t>(size));
  CHECK_NCCL(ncclCommInitAll(comms.data(), size, nullptr));
  std::vector<Rank> ranks(static_cast<size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    Rank& own = ranks[static_cast<size_t>(rank)];
    own.comm = comms[static_cast<size_t>(rank)];
    CHECK(cudaSetDevice(rank));
    CHECK(cudaStreamCreate(&own.stream));
    CHECK(cudaMalloc(&own.current, count * sizeof(int)));
    CHECK(cudaMalloc(&own.incoming, count * sizeof(int)));
    std::vector<int> tokens(count);
    for (size_t i = 0; i < count; ++i) tokens[i] = tokenOf(rank, 0, i);
    CHECK(cudaMemcpy(own.current, tokens.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  }

  size_t wrong = 0;
  for (int hops = 1; hops <= size; ++hops) {
    hop(ranks, count);
    for (int rank = 0; rank < size; ++rank) {
      CHECK(cudaSetDevice(rank));
      const int owner = (rank - hops % size + size) % size;
      const size_t bad = wrongTokens(ranks[static_cast<size_t>(rank)], count, owner, hops);
      printf("hop %d: rank %d holds the tokens of rank %d, %zu wrong\n", hops, rank, owner, bad);
      wrong += bad;
    }
  }
  for (int rank = 0; rank < size; ++rank) {
    Rank& own = ranks[static_cast<size_t>(rank)];
    CHECK(cudaSetDevice(rank));
    CHECK(cudaFree(own.current));
    CHECK(cudaFree(own.incoming));
    CHECK(cudaStreamDestroy(own.stream));
    CHECK_NCCL(ncclCommDestroy(own.comm));
  }
  return verdict(wrong == 0);
}
