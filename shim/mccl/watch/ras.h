// Tells others of the same user on this machine what the communicators of this process are doing: who waits
// for whom, in which call. What NCCL's RAS is for; `mcclras` asks all processes and shows it.
#pragma once

#include <string>

namespace musashim::mccl {

// A block of lines per communicator; the first says "communicator NAME", its ranks and how it is. `verbose`:
// with a line for each rank, else only for those that something is to be said of.
std::string rasReport(bool verbose);

// Where a process answers: one line, "STATUS" or "VERBOSE STATUS", gets its report.
std::string rasDoorPrefix();  // of all of this user
std::string rasDoorOf(int pid);

// Answers from now on, unless MCCL_RAS_ENABLE=0.
void startRas();

}  // namespace musashim::mccl
