// Kernels that wait for a rank that comes no more. lost WHAT RANKS RANK: the last rank dies, or aborts.
#include <chrono>
#include <csignal>
#include <cstring>

#include "ranks.h"

__global__ void waits(mcclDevComm comm, int what) {
  if (what == 0) {
    mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamTagLsa(), blockIdx.x};
    for (;;) barrier.sync(mcclCoopCta(), musa::memory_order_acq_rel);
  }
  mcclGin gin{comm, 0};
  if (what == 1) gin.waitSignal(mcclCoopCta(), 0, 1);
  if (what == 2) gin.waitCounter(mcclCoopCta(), 0, 1);
  mcclBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), mcclTeamTagWorld(), gin, blockIdx.x};
  for (;;) barrier.sync(mcclCoopCta(), musa::memory_order_acq_rel);
}

static void goAway(const Rank& rank, const char* how) {
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (std::strcmp(how, "killed") == 0) std::raise(SIGKILL);
  if (std::strcmp(how, "exits") == 0) std::_Exit(7);
  MUST(mcclCommAbort(rank.comm));  // its own kernel ends, too
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const char* const how = argv[1];
  const int what = std::atoi(argv[2]);
  return runRanks(std::atoi(argv[3]), argv[4], [=](Rank& rank) {
    mcclDevCommRequirements requirements{};
    requirements.lsaBarrierCount = requirements.barrierCount = 2;
    requirements.ginSignalCount = requirements.ginCounterCount = 1;
    mcclDevComm comm{};
    MUST(mcclDevCommCreate(rank.comm, &requirements, &comm));
    waits<<<2, 64, 0, rank.stream>>>(comm, what);
    MUST(musaGetLastError());
    if (rank.rank == rank.ranks - 1) goAway(rank, how);
    std::printf("%s\n", musaGetErrorString(musaStreamSynchronize(rank.stream)));
    mcclResult_t seen = mcclSuccess;
    if (rank.rank != rank.ranks - 1) {
      MUST(mcclCommGetAsyncError(rank.comm, &seen));
      std::printf("%s: %s\n", mcclGetErrorString(seen), mcclGetLastError(rank.comm));
      MUST(mcclCommAbort(rank.comm));
    }
    std::fflush(stdout);
    std::_Exit(seen == mcclRemoteError || rank.rank == rank.ranks - 1 ? 0 : 1);
  });
}
