// Where threads run. The kernel often wakes a thread where its waker runs, and may leave the two there for
// long, though another processor is idle.
#pragma once

#include <sched.h>

#include <optional>

namespace musashim::support {

// Where the calling thread may run.
class Processors {
 public:
  // None when the system does not tell.
  static std::optional<Processors> ofThread() {
    Processors processors;
    if (sched_getaffinity(0, sizeof processors.set_, &processors.set_) != 0) return std::nullopt;
    return processors;
  }

  int count() const { return CPU_COUNT(&set_); }
  bool has(int processor) const { return CPU_ISSET(processor, &set_); }

  // The thread goes on there, and may be moved anywhere of these again. It takes some microseconds.
  void moveTo(int processor) const {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    moveInto(one);
  }
  // The same to any other than `processor`, if there is one.
  void moveFrom(int processor) const {
    cpu_set_t others = set_;
    CPU_CLR(processor, &others);
    moveInto(others);
  }

 private:
  void moveInto(const cpu_set_t& some) const {
    if (sched_setaffinity(0, sizeof some, &some) == 0) (void)sched_setaffinity(0, sizeof set_, &set_);
  }

  cpu_set_t set_;
};

// If the calling thread is on `processor`, and may run elsewhere, it does from now on.
inline void leaveProcessor(int processor) {
  if (sched_getcpu() != processor) return;
  if (const std::optional<Processors> processors = Processors::ofThread()) processors->moveFrom(processor);
}

}  // namespace musashim::support
