// Puts, signals, counters and barriers of all ranks (GIN), teams, pointers. gin ROUNDS RANKS [RANK]
#include "ranks.h"

// To the right neighbour: a row of numbers with a signal, a single value, and a signal alone.
__global__ void puts(mcclDevComm comm, mcclWindow_t to, mcclWindow_t from, size_t count, int rounds,
                     int* wrong) {
  mcclGin gin{comm, 0};
  const mcclTeam world = mcclTeamWorld(comm);
  const mcclGinSignal_t signal = 2 * blockIdx.x, bare = 2 * blockIdx.x + 1;
  const mcclGinCounter_t counter = blockIdx.x;
  const uint64_t signalled = gin.readSignal(signal), counted = gin.readCounter(counter);
  mcclBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), mcclTeamTagWorld(), gin, blockIdx.x};
  const int right = (comm.rank + 1) % comm.nRanks, left = (comm.rank + comm.nRanks - 1) % comm.nRanks;
  const mcclSymPtr<int> source(from, blockIdx.x * (count + 1) * sizeof(int)), target(to, source.offset);
  int* const sent = source.localPtr();
  const int* const got = target.localPtr();
  for (int round = 1; round <= rounds; ++round) {
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
      sent[i] = static_cast<int>(i) + 1000 * round + comm.rank;
    barrier.sync(mcclCoopCta(), musa::memory_order_acq_rel);
    gin.put(world, right, target, source, count, mcclGin_SignalAdd{signal, 3}, mcclGin_CounterInc{counter},
            mcclCoopCta());
    gin.flush(mcclCoopCta());
    if (threadIdx.x == 0) {
      gin.putValue(world, right, target + static_cast<ptrdiff_t>(count), round * 7 + comm.rank,
                   mcclGin_SignalInc{signal});
      gin.signal(world, right, mcclGin_SignalInc{bare});
    }
    gin.waitCounter(mcclCoopCta(), counter, counted + static_cast<uint64_t>(round));
    gin.waitSignal(mcclCoopCta(), signal, signalled + 4 * static_cast<uint64_t>(round));
    gin.waitSignal(mcclCoopCta(), bare, static_cast<uint64_t>(round) & 0xf, 4);
    for (size_t i = threadIdx.x; i < count; i += blockDim.x) {
      if (got[i] != static_cast<int>(i) + 1000 * round + left) atomicAdd(wrong, 1);
    }
    if (threadIdx.x == 0 && got[count] != round * 7 + left) atomicAdd(wrong, 1);
  }
  barrier.sync(mcclCoopCta(), musa::memory_order_acq_rel);
  if (threadIdx.x == 0) {
    gin.resetSignal(bare);
    gin.resetCounter(counter);
    if (gin.readSignal(bare) != 0 || gin.readCounter(counter) != 0) atomicAdd(wrong, 1);
  }
}

// Barriers by GIN: of all ranks, and of a rail, which is this rank alone.
__global__ void ginBarriers(mcclDevComm comm, mcclGinBarrierHandle handle, mcclWindow_t window, int rounds,
                            int* wrong) {
  mcclGin gin{comm, 0};
  mcclGinBarrierSession<mcclCoopCta> all{mcclCoopCta(), gin, mcclTeamWorld(comm), handle, blockIdx.x};
  mcclGinBarrierSession<mcclCoopCta> rail{mcclCoopCta(), gin, mcclTeamTagRail(), blockIdx.x};
  for (int round = 1; round <= rounds; ++round) {
    const int right = (comm.rank + 1) % comm.nRanks;
    if (threadIdx.x == 0) static_cast<int*>(mcclGetPeerPointer(window, 4 * blockIdx.x, right))[0] = round;
    all.sync(mcclCoopCta(), musa::memory_order_acq_rel, mcclGinFenceLevel::Relaxed);
    if (static_cast<int*>(mcclGetLocalPointer(window, 4 * blockIdx.x))[0] != round) atomicAdd(wrong, 1);
    rail.sync(mcclCoopCta(), musa::memory_order_acq_rel);
    all.sync(mcclCoopCta(), musa::memory_order_acq_rel);
  }
}

__global__ void places(mcclDevComm comm, mcclWindow_t window, mcclDevResourceHandle buffer, int* wrong) {
  const auto expect = [wrong](bool holds) {
    if (!holds) atomicAdd(wrong, 1);
  };
  const mcclTeam world = mcclTeamWorld(comm), lsa = mcclTeamLsa(comm), rail = mcclTeamRail(comm);
  expect(world.nRanks == comm.nRanks && world.rank == comm.rank && lsa.rank == comm.lsaRank &&
         rail.nRanks == 1);
  expect(mcclGetLocalPointer(window, 8) == mcclGetLsaPointer(window, 8, comm.lsaRank));
  expect(mcclGetPeerPointer(window, 8, comm.nRanks) == nullptr &&
         mcclGetLsaPointer(window, 0, -1) == nullptr);
  expect(mcclGetPeerPointer(window, 8, 0) == mcclGetPeerPointer(window, 8, world, 0));
  const mcclSymPtr<double> pointer(window, 16);
  expect((pointer + 3).offset == 40 && (pointer + 3) - pointer == 3 && (pointer + 3) - 3 == pointer);
  expect(static_cast<mcclSymPtr<char>>(pointer).peerPtr(0) == mcclGetPeerPointer(window, 16, 0));
  // Memory that the device communicator has for its user: all zero, the same offset everywhere.
  for (int peer = 0; peer < comm.lsaSize; ++peer) {
    auto* place = static_cast<unsigned*>(mcclGetResourceBufferLsaPointer(comm, buffer, peer));
    expect(reinterpret_cast<uintptr_t>(place) % 1024 == 0);
    atomicAdd(place + 10, 1u);
    expect(place == mcclGetResourceBufferPeerPointer(comm, buffer, lsa, peer));
  }
  // Every second rank of eight, seen from the rank 3.
  const mcclTeam eight{8, 3, 1}, odd = mcclTeamOuterFactor(eight, 2), pair = mcclTeamInnerFactor(eight, 2);
  expect(odd.nRanks == 4 && odd.rank == 1 && odd.stride == 2 && pair.nRanks == 2 && pair.rank == 1);
  for (int i = 0; i < 4; ++i) {
    expect(mcclTeamRankToTeam(eight, odd, i) == 2 * i + 1 && mcclTeamRankIsMember(eight, odd, i));
    expect(mcclTeamRankInDifference(eight, odd, i) == 2 * i);
  }
  expect(!mcclTeamRankIsMember(odd, eight, 2) && mcclTeamRankIsMember(odd, eight, 7) &&
         mcclTeamRankToTeam(odd, eight, 7) == 3);
  const int others[] = {0, 1, 4, 5, 6, 7};
  for (int i = 0; i < 6; ++i) expect(mcclTeamRankInDifference(eight, pair, i) == others[i]);
}

// What a block finds in shared memory is not zero.
__global__ void leaveNumbers() {
  extern __shared__ int numbers[];
  for (int i = static_cast<int>(threadIdx.x); i < 4096; i += static_cast<int>(blockDim.x))
    numbers[i] = 7 * i + 5;
}

__global__ void spans(int* wrong) {
  __shared__ int seen[4];
  mcclCoopWarpSpan half(threadIdx.x / 64 * 2, 2, 1 + threadIdx.x / 64);
  if (threadIdx.x % 64 == 0) seen[threadIdx.x / 64] = 0;
  half.sync();
  for (int round = 0; round < 20; ++round) {
    atomicAdd(&seen[threadIdx.x / 64], 1);
    half.sync();
    if (seen[threadIdx.x / 64] != 64 * (round + 1) ||
        half.thread_rank() != static_cast<int>(threadIdx.x % 64))
      atomicAdd(wrong, 1);
    half.sync();
  }
  mcclCoopLanes evens{0x55555555};
  if (threadIdx.x % 2 == 0) {
    evens.sync();
    if (evens.size() != 16 || evens.thread_rank() != static_cast<int>(threadIdx.x % 32 / 2))
      atomicAdd(wrong, 1);
  }
}

static void all(const Rank& rank, int rounds) {
  constexpr size_t kCount = 333;
  constexpr int kBlocks = 4;
  SharedArray<int> to(rank, kBlocks * (kCount + 1)), from(rank, kBlocks * (kCount + 1));
  mcclGinBarrierHandle barrier{};
  mcclDevResourceRequirements forBarrier{}, forMemory{};
  mcclDevResourceHandle buffer = 0;
  mcclGinSignal_t signals = 0;
  mcclGinCounter_t counters = 0;
  MUST(mcclGinBarrierCreateRequirement(rank.comm, mcclTeamWorld(rank.comm), kBlocks, &barrier, &forBarrier));
  forBarrier.next = &forMemory;
  forMemory.bufferSize = 1000, forMemory.bufferAlign = 1024, forMemory.outBufferHandle = &buffer;
  forMemory.ginSignalCount = 5, forMemory.outGinSignalStart = &signals;
  forMemory.ginCounterCount = 2, forMemory.outGinCounterStart = &counters;
  mcclDevCommRequirements requirements{};
  requirements.barrierCount = kBlocks;
  requirements.railGinBarrierCount = kBlocks;
  requirements.ginSignalCount = 2 * kBlocks;
  requirements.ginCounterCount = kBlocks;
  requirements.resourceRequirementsList = &forBarrier;
  DeviceComm device(rank, requirements);
  CHECK(signals >= 2 * kBlocks && counters == kBlocks && device.comm.ginContextCount == 1);
  int* wrong = nullptr;
  MUST(musaMalloc(&wrong, sizeof(int)));
  MUST(musaMemset(wrong, 0, sizeof(int)));
  MUST(musaDeviceSynchronize());
  for (int turn = 0; turn < 3; ++turn)
    puts<<<kBlocks, 64, 0, rank.stream>>>(device.comm, to.window(), from.window(), kCount, rounds, wrong);
  ginBarriers<<<kBlocks, 32, 0, rank.stream>>>(device.comm, barrier, to.window(), rounds, wrong);
  places<<<1, 1, 0, rank.stream>>>(device.comm, to.window(), buffer, wrong);
  ginBarriers<<<kBlocks, 32, 0, rank.stream>>>(device.comm, barrier, to.window(), 1, wrong);
  leaveNumbers<<<64, 128, 4096 * sizeof(int), rank.stream>>>();
  spans<<<64, 128, 0, rank.stream>>>(wrong);
  finish(rank);
  int count = 0;
  MUST(musaMemcpy(&count, wrong, sizeof count, musaMemcpyDeviceToHost));
  CHECK(count == 0);
  MUST(musaFree(wrong));

  const mcclTeam world = mcclTeamWorld(rank.comm), lsa = mcclTeamLsa(rank.comm),
                 rail = mcclTeamRail(rank.comm);
  CHECK(world.nRanks == rank.ranks && world.rank == rank.rank && world.stride == 1);
  CHECK(lsa.nRanks == rank.ranks && lsa.rank == rank.rank && rail.nRanks == 1 && rail.stride == rank.ranks);
  CHECK(mcclTeamRankToWorld(rank.comm, lsa, 0) == 0 &&
        mcclTeamRankToLsa(rank.comm, world, rank.ranks - 1) == rank.ranks - 1);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int rounds = std::atoi(argv[1]);
  return runRanks(std::atoi(argv[2]), argc > 3 ? argv[3] : nullptr, [=](Rank& rank) { all(rank, rounds); });
}
