// Waits that take long: PEs that have ended are noticed, and after MTSHMEM_WAIT_TIMEOUT seconds what all PEs
// wait for is told, and the job ends.
#pragma once

#include "mtshmem/include/mtshmem_detail/layout.h"

namespace musashim::mtshmem {

// Of MTSHMEM_WAIT_TIMEOUT. Throws std::runtime_error if that is no number of seconds.
void readWaitLimit();

// Of a thread of the host, a stream or a kernel that waits; mtshmemi_state_t::look.
void lookAtWait(mtshmemi_wait_t* wait, int isOver);

}  // namespace musashim::mtshmem
