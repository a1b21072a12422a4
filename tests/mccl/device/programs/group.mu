// All ranks by one thread: windows and device communicators are made in groups, and kernels launched one
// after the other wait for each other. group RANKS
#include "ranks.h"

__global__ void shift(mcclDevComm comm, mcclWindow_t from, mcclWindow_t to) {
  mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamTagLsa(), blockIdx.x};
  barrier.sync(mcclCoopCta(), musa::memory_order_acquire);
  const size_t at = sizeof(int) * (threadIdx.x + blockIdx.x * blockDim.x);
  *static_cast<int*>(mcclGetPeerPointer(to, at, (comm.rank + 1) % comm.nRanks)) =
      *static_cast<int*>(mcclGetLocalPointer(from, at)) + 1;
  barrier.sync(mcclCoopCta(), musa::memory_order_release);
}

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
  constexpr size_t kBlocks = 16, kThreads = 64, kCount = kBlocks * kThreads;
  std::vector<mcclComm_t> comms(ranks);
  std::vector<musaStream_t> streams(ranks);
  std::vector<int*> memory(2 * ranks);
  std::vector<mcclWindow_t> windows(2 * ranks);
  std::vector<mcclDevComm> devices(ranks);
  MUST(mcclCommInitAll(comms.data(), ranks, nullptr));
  for (int rank = 0; rank < ranks; ++rank) {
    MUST(musaSetDevice(rank));
    MUST(musaStreamCreate(&streams[rank]));
    for (int i = 0; i < 2; ++i)
      MUST(mcclMemAlloc(reinterpret_cast<void**>(&memory[2 * rank + i]), kCount * sizeof(int)));
  }
  mcclDevCommRequirements requirements{};
  requirements.lsaBarrierCount = kBlocks;
  MUST(mcclGroupStart());
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < 2; ++i)
      MUST(mcclCommWindowRegister(comms[rank], memory[2 * rank + i], kCount * sizeof(int),
                                  &windows[2 * rank + i], MCCL_WIN_COLL_SYMMETRIC));
    MUST(mcclDevCommCreate(comms[rank], &requirements, &devices[rank]));
    CHECK(windows[2 * rank] == nullptr);
  }
  MUST(mcclGroupEnd());
  std::vector<int> numbers(kCount);
  for (int rank = 0; rank < ranks; ++rank) {
    for (size_t i = 0; i < kCount; ++i) numbers[i] = rank * 10000 + static_cast<int>(i);
    MUST(musaSetDevice(rank));
    MUST(musaMemcpy(memory[2 * rank], numbers.data(), kCount * sizeof(int), musaMemcpyHostToDevice));
  }
  for (int turn = 0; turn < 20; ++turn) {
    for (int rank = 0; rank < ranks; ++rank) {
      MUST(musaSetDevice(rank));
      const int from = 2 * rank + turn % 2, to = 2 * rank + 1 - turn % 2;
      shift<<<kBlocks, kThreads, 0, streams[rank]>>>(devices[rank], windows[from], windows[to]);
    }
  }
  for (int rank = 0; rank < ranks; ++rank) {
    MUST(musaSetDevice(rank));
    MUST(musaStreamSynchronize(streams[rank]));
    MUST(musaMemcpy(numbers.data(), memory[2 * rank], kCount * sizeof(int), musaMemcpyDeviceToHost));
    const int origin = ((rank - 20) % ranks + ranks) % ranks;
    for (size_t i = 0; i < kCount; ++i) {
      if (numbers[i] != origin * 10000 + static_cast<int>(i) + 20) {
        CHECK(!"shifted");
        break;
      }
    }
  }
  // One is given back, the others end with their communicators.
  MUST(mcclDevCommDestroy(comms[0], &devices[0]));
  MUST(mcclCommWindowDeregister(comms[0], windows[0]));
  for (mcclComm_t comm : comms) MUST(mcclCommDestroy(comm));
  for (int* one : memory) MUST(mcclMemFree(one));
  if (gWrong == 0) std::printf("passed\n");
  return gWrong != 0;
}
