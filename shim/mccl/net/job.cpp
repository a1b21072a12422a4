#include "mccl/net/job.h"

#include <cstdlib>
#include <cstring>

namespace musashim::mccl {

bool isJobOfOneHost() {
  struct Sizes {
    const char *all, *here;
  };
  constexpr Sizes kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                  {"PMI_SIZE", "MPI_LOCALNRANKS"},
                                  {"SLURM_NTASKS", "SLURM_NTASKS_PER_NODE"},
                                  {"WORLD_SIZE", "LOCAL_WORLD_SIZE"}};
  for (const Sizes& launcher : kLaunchers) {
    const char *all = std::getenv(launcher.all), *here = std::getenv(launcher.here);
    if (all && here) return std::strcmp(all, here) == 0;
  }
  const char* const nodes = std::getenv("SLURM_NNODES");
  return nodes && std::strcmp(nodes, "1") == 0;
}

}  // namespace musashim::mccl
