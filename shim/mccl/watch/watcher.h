// Notices when a process that has ranks of one of our communicators ends, however it ends.
#pragma once

#include <memory>

namespace musashim::mccl {

class Communicator;

class Watcher {
 public:
  // Watches the other processes of `communicator` for as long as it lives. A process that has
  // ended already is noticed at once.
  static void watch(const std::shared_ptr<Communicator>& communicator);
};

}  // namespace musashim::mccl
