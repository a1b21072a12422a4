#include "mccl/core/system_error.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>

namespace musashim::mccl {
namespace {

// Sockets, memory and threads' wake-ups of the library; those of a program with one small communicator.
constexpr int kOwnDescriptors = 16;
// Of a rank of another process: its connection, and what tells that it has ended.
constexpr int kDescriptorsOfRank = 2;

}  // namespace

std::string describeSystemError(int error, int ranks) {
  if (error == ENFILE) return "too many files are open on this machine (sysctl fs.file-max)";
  if (error != EMFILE) return std::strerror(error);
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return fmt::format(
      "too few file descriptors: this process may have {}, and needs about {} besides its own and one for "
      "each "
      "device (ulimit -n)",
      static_cast<unsigned long>(limit.rlim_cur), kOwnDescriptors + kDescriptorsOfRank * ranks);
}

}  // namespace musashim::mccl
