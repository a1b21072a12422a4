// Hosts that end, or can no longer be reached, and failures that the hosts of a communicator tell each other.
//
// A thread in the process of each host's first rank sends mail to that of the next host, once a second: who
// no longer takes it has ended, or is not reached. Whoever finds that out tells all other hosts, by mail as
// well; so do those whose own ranks fail or abort.
#pragma once

#include <memory>

namespace musashim::mccl {

class Communicator;

class HostWatch {
 public:
  static void watch(const std::shared_ptr<Communicator>& communicator);

  // The host's first rank leaves the communicator: what happens to its process is no more the others' affair.
  // If the communicator has failed, they are told first: the process may end at once.
  static void leave(const Communicator& communicator);
};

}  // namespace musashim::mccl
