#include <cstdlib>

#include "mtshmem/job/net_job.h"
#include "mtshmem/job/shared_job.h"

namespace musashim::mtshmem {

std::unique_ptr<Job> joinJob(const JobPlace& place) {
  if (place.meeting.empty()) return std::make_unique<SharedJob>(place);
  return std::make_unique<NetJob>(place);
}

double bootstrapSeconds() {
  const char* const text = std::getenv("MTSHMEM_BOOTSTRAP_TIMEOUT");
  const double seconds = text != nullptr ? std::atof(text) : 0;
  return seconds > 0 ? seconds : 60;
}

}  // namespace musashim::mtshmem
