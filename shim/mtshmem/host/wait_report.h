// What all PEs wait for, as they have told in their heaps' heads.
#pragma once

#include <string>

#include "mtshmem/include/mtshmem_detail/layout.h"

namespace musashim::mtshmem {

// mtshmemi_told_wait_t::isTold
constexpr uint64_t kWaitFree = 0, kWaitIsTold = 1, kWaitIsWritten = 2;

// Reads what the variable is now.
void noteValue(mtshmemi_told_wait_t& told);

// A line for each wait, and for each PE without one. `now`: ns of this host.
std::string waitReport(uint64_t now);

}  // namespace musashim::mtshmem
