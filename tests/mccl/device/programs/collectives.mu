// Collectives that kernels make themselves, on the memory of the LSA team. collectives ROUNDS RANKS [RANK]
#include "ranks.h"

// In every step each rank takes from its left neighbour what that one took in the step before.
__global__ void ringAllGather(mcclDevComm comm, mcclWindow_t window, size_t count) {
  mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamTagLsa(), blockIdx.x};
  const int left = (comm.lsaRank + comm.lsaSize - 1) % comm.lsaSize;
  const size_t first = threadIdx.x + blockIdx.x * blockDim.x, all = blockDim.x * gridDim.x;
  for (int step = 1; step < comm.lsaSize; ++step) {
    barrier.sync(mcclCoopCta(), musa::memory_order_acq_rel);
    const size_t part = static_cast<size_t>((comm.lsaRank - step + comm.lsaSize) % comm.lsaSize) * count;
    const float* from = static_cast<const float*>(mcclGetLsaPointer(window, part * sizeof(float), left));
    float* to = static_cast<float*>(mcclGetLocalPointer(window, part * sizeof(float)));
    for (size_t i = first; i < count; i += all) to[i] = from[i];
  }
  barrier.sync(mcclCoopCta(), musa::memory_order_release);
}

__global__ void allReduce(mcclDevComm comm, mcclWindow_t window, size_t offset, size_t count) {
  mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamLsa(comm), comm.lsaBarrier,
                                             blockIdx.x};
  barrier.sync(mcclCoopCta(), musa::memory_order_acquire);
  const size_t first = threadIdx.x + blockDim.x * (comm.lsaRank + blockIdx.x * comm.lsaSize);
  const size_t all = static_cast<size_t>(blockDim.x) * gridDim.x * comm.lsaSize;
  for (size_t i = first; i < count; i += all) {
    int sum = 0;
    for (int peer = 0; peer < comm.lsaSize; ++peer)
      sum += static_cast<int*>(mcclGetPeerPointer(window, offset, mcclTeamLsa(comm), peer))[i];
    for (int peer = 0; peer < comm.nRanks; ++peer)
      static_cast<int*>(mcclGetPeerPointer(window, offset, peer))[i] = sum;
  }
  barrier.sync(mcclCoopCta(), musa::memory_order_release);
}

// Each block of each rank tells its peers the round, and looks whether all are there.
__global__ void storm(mcclDevComm comm, mcclWindow_t window, int rounds, int* wrong) {
  mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamTagLsa(), blockIdx.x};
  const size_t row = sizeof(int) * blockIdx.x * comm.lsaSize;
  for (int round = 1; round <= rounds; ++round) {
    const int peer = static_cast<int>(threadIdx.x);
    if (peer < comm.lsaSize) static_cast<int*>(mcclGetLsaPointer(window, row, peer))[comm.lsaRank] = round;
    barrier.sync(mcclCoopCta(), musa::memory_order_acq_rel);
    if (peer < comm.lsaSize && static_cast<int*>(mcclGetLocalPointer(window, row))[peer] != round)
      atomicAdd(wrong, 1);
    barrier.arrive(mcclCoopCta(), musa::memory_order_release);
    barrier.wait(mcclCoopCta(), musa::memory_order_acquire);
  }
}

// A barrier for each warp, and for each tile of 8 threads: they go round at their own speed.
template <typename Coop>
__global__ void smallStorm(mcclDevComm comm, mcclLsaBarrierHandle barriers, mcclWindow_t window, int rounds,
                           int* wrong) {
  Coop coop;
  const unsigned number = threadIdx.x / coop.size();
  mcclLsaBarrierSession<Coop> barrier{coop, comm, mcclTeamLsa(comm), barriers, number};
  const size_t row = sizeof(int) * number * comm.lsaSize;
  for (int round = 1; round <= rounds; ++round) {
    if (coop.thread_rank() == 0) {
      for (int peer = 0; peer < comm.lsaSize; ++peer)
        static_cast<int*>(mcclGetLsaPointer(window, row, peer))[comm.lsaRank] =
            round * static_cast<int>(number + 1);
    }
    barrier.sync(coop, musa::memory_order_acq_rel);
    for (int peer = coop.thread_rank(); peer < comm.lsaSize; peer += coop.size()) {
      if (static_cast<int*>(mcclGetLocalPointer(window, row))[peer] != round * static_cast<int>(number + 1))
        atomicAdd(wrong, 1);
    }
    barrier.sync(coop, musa::memory_order_acq_rel);
  }
}

static int wrongOf(const Rank& rank, int* counter) {
  int wrong = 0;
  finish(rank);
  MUST(musaMemcpy(&wrong, counter, sizeof wrong, musaMemcpyDeviceToHost));
  MUST(musaFree(counter));
  return wrong;
}

static int* newCounter() {
  int* counter = nullptr;
  MUST(musaMalloc(&counter, sizeof(int)));
  MUST(musaMemset(counter, 0, sizeof(int)));
  MUST(musaDeviceSynchronize());
  return counter;
}

static void gatherInARing(const Rank& rank) {
  constexpr size_t kCount = 1000;
  SharedArray<float> array(rank, kCount * rank.ranks);
  mcclDevCommRequirements requirements{};
  requirements.lsaBarrierCount = 4;
  DeviceComm device(rank, requirements);
  for (int turn = 1; turn <= 3; ++turn) {
    std::vector<float> own(kCount * rank.ranks, -1.0f);
    for (size_t i = 0; i < kCount; ++i)
      own[rank.rank * kCount + i] = static_cast<float>(turn * rank.rank * 1000 + i);
    array.write(own);
    ringAllGather<<<4, 64, 0, rank.stream>>>(device.comm, array.window(), kCount);
    finish(rank);
    const std::vector<float> got = array.read();
    bool isGathered = true;
    for (size_t i = 0; i < got.size(); ++i)
      isGathered = isGathered && got[i] == static_cast<float>(turn * (i / kCount) * 1000 + i % kCount);
    CHECK(isGathered);
    // Nobody writes the next turn's numbers while others still read.
    ringAllGather<<<4, 64, 0, rank.stream>>>(device.comm, array.window(), 0);
    finish(rank);
  }
}

static void reduce(const Rank& rank) {
  constexpr size_t kCount = 20000, kBegin = 4096;
  SharedArray<int> array(rank, kBegin / sizeof(int) + kCount);
  mcclDevCommRequirements requirements{};
  requirements.lsaBarrierCount = 16;
  DeviceComm device(rank, requirements);
  std::vector<int> own(kBegin / sizeof(int) + kCount);
  for (size_t i = 0; i < own.size(); ++i) own[i] = static_cast<int>(i) * (rank.rank + 1);
  array.write(own);
  for (int turn = 0; turn < 5; ++turn)
    allReduce<<<16, 128, 0, rank.stream>>>(device.comm, array.window(), kBegin, kCount);
  finish(rank);
  const std::vector<int> got = array.read();
  int factor = rank.ranks * (rank.ranks + 1) / 2;
  for (int turn = 1; turn < 5; ++turn) factor *= rank.ranks;
  bool isReduced = true;
  for (size_t i = 0; i < own.size(); ++i) {
    const unsigned expected = static_cast<unsigned>(i >= kBegin / sizeof(int) ? factor : rank.rank + 1);
    isReduced = isReduced && static_cast<unsigned>(got[i]) == static_cast<unsigned>(i) * expected;
  }
  CHECK(isReduced);
}

static void barriers(const Rank& rank, int rounds) {
  SharedArray<int> array(rank, 64 * rank.ranks);
  mcclLsaBarrierHandle own{};
  mcclDevResourceRequirements more{};
  MUST(mcclLsaBarrierCreateRequirement(mcclTeamLsa(rank.comm), 32, &own, &more));
  mcclDevCommRequirements requirements{};
  requirements.lsaBarrierCount = 8;
  requirements.resourceRequirementsList = &more;
  DeviceComm device(rank, requirements);
  for (const int blocks : {1, 8}) {
    int* counter = newCounter();
    storm<<<blocks, 64, 0, rank.stream>>>(device.comm, array.window(), rounds, counter);
    CHECK(wrongOf(rank, counter) == 0);
  }
  int* counter = newCounter();
  smallStorm<mcclCoopWarp><<<1, 128, 0, rank.stream>>>(device.comm, own, array.window(), rounds / 4, counter);
  smallStorm<mcclCoopTile<8>>
      <<<1, 128, 0, rank.stream>>>(device.comm, own, array.window(), rounds / 4, counter);
  smallStorm<mcclCoopThread>
      <<<1, 32, 0, rank.stream>>>(device.comm, own, array.window(), rounds / 4, counter);
  CHECK(wrongOf(rank, counter) == 0);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int rounds = std::atoi(argv[1]);
  return runRanks(std::atoi(argv[2]), argc > 3 ? argv[3] : nullptr, [=](Rank& rank) {
    gatherInARing(rank);
    reduce(rank);
    barriers(rank, rounds);
  });
}
