#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "mtshmem/include/mtshmem_detail/layout.h"
#include "mtshmem/job/job.h"
#include "mtshmem/job/meeting.h"
#include "mtshmem/job/pmix.h"

namespace musashim::mtshmem {
namespace {

struct Launcher {
  const char* name;
  const char* rank;
  const char* size;
  const char* job;  // empty: the process that started this one
  const char* more;
  const char* here;  // how many are on this host
};

// In this order: a launcher of ours may run below another's.
constexpr Launcher kLaunchers[] = {
    {"mtshmrun", "MTSHMEM_PE", "MTSHMEM_NPES", "MTSHMEM_JOB", "", ""},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", "",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI", "PMI_RANK", "PMI_SIZE", "", "", "MPI_LOCALNRANKS"},
    {"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID", ""},
};

int numberOf(const char* variable, const char* text) {
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 0 || value > MTSHMEMI_MAX_PES)
    throw std::runtime_error(std::string(variable) + " is '" + text + "'; it must be a number up to " +
                             std::to_string(MTSHMEMI_MAX_PES));
  return static_cast<int>(value);
}

}  // namespace

JobPlace placeFromLauncher() {
  for (const Launcher& launcher : kLaunchers) {
    const char* const rank = std::getenv(launcher.rank);
    const char* const size = std::getenv(launcher.size);
    if (rank == nullptr || size == nullptr) continue;
    JobPlace place{launcher.name, numberOf(launcher.rank, rank), numberOf(launcher.size, size), ""};
    if (place.me >= place.size)
      throw std::runtime_error(std::string(launcher.rank) + " is " + rank + ", but there are only " + size +
                               " PEs by " + launcher.size);
    const char* const job = *launcher.job ? std::getenv(launcher.job) : nullptr;
    place.key += "-" + (job != nullptr ? std::string(job) : std::to_string(getppid()));
    if (const char* const more = *launcher.more ? std::getenv(launcher.more) : nullptr)
      place.key += std::string("-") + more;
    if (const char* const meeting = std::getenv("MTSHMEM_MEETING")) {
      place.meeting = meeting;
    } else if (const char* const here = *launcher.here ? std::getenv(launcher.here) : nullptr) {
      const bool isWhole = numberOf(launcher.here, here) == place.size;
      if (!isWhole) place.meeting = fromFirstRank(place.me, [] { return Meeting::open(); });
    }
    return place;
  }
  return {"alone-" + std::to_string(getpid()), 0, 1, ""};
}

}  // namespace musashim::mtshmem
