// PMIx, by which Open MPI and Slurm let processes tell each other something before they can talk.
#pragma once

#include <functional>
#include <string>

namespace musashim::mtshmem {

// What rank 0 makes by `make`, at all ranks. Throws std::runtime_error where there is no PMIx.
std::string fromFirstRank(int me, const std::function<std::string()>& make);

// Once the job is over, if fromFirstRank() was called.
void leavePmix();

}  // namespace musashim::mtshmem
