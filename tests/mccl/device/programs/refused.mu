// What kernels may not do ends them with a fault, and a line that says what is to be done. refused WHAT
#include <cstring>

#include "ranks.h"

__global__ void faulty(mcclDevComm comm, mcclWindow_t window, int what) {
  if (what == 0) mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamTagLsa(), 2};
  if (what == 1) mcclLsaBarrierSession<mcclCoopCta> barrier{mcclCoopCta(), comm, mcclTeamTagLsa(), 0, true};
  if (what == 2) *static_cast<int*>(mcclGetLsaMultimemPointer(window, 0, comm)) = 1;
  if (what == 3) mcclGin gin{comm, 0};
}

int main(int argc, char** argv) {
  const int what = argc > 1 ? std::atoi(argv[1]) : 0;
  return runRanks(1, nullptr, [=](Rank& rank) {
    SharedArray<int> array(rank, 1024);
    mcclDevCommRequirements requirements{};
    requirements.lsaBarrierCount = 2;
    DeviceComm device(rank, requirements);
    faulty<<<1, 1, 0, rank.stream>>>(device.comm, array.window(), what);
    std::printf("%s\n", musaGetErrorString(musaStreamSynchronize(rank.stream)));
    std::fflush(stdout);
    std::_Exit(0);
  });
}
