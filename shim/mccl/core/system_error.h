// Why the system has refused something, and what can be done about it.
#pragma once

#include <string>

namespace musashim::mccl {

// `ranks`: of the communicator to be, of which each needs descriptors in the process that it meets the others
// in.
std::string describeSystemError(int error, int ranks);

}  // namespace musashim::mccl
