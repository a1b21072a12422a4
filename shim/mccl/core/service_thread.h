// Threads that serve the library and last as long as the process.
#pragma once

namespace musashim::mccl {

// Runs `body`, which never returns. The user's signals stay with the user's threads; faults
// stay deliverable.
void startServiceThread(void (*body)());

}  // namespace musashim::mccl
