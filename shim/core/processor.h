// Where threads run. The kernel often wakes a thread where its waker runs, and may leave the two there for
// long, though another processor is idle.
#pragma once

#include <sched.h>

namespace musashim::core {

// If the calling thread is on `processor`, and may run elsewhere, it does from now on. It takes some
// microseconds.
inline void leaveProcessor(int processor) {
  if (sched_getcpu() != processor) return;
  cpu_set_t all, others;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  others = all;
  CPU_CLR(processor, &others);
  if (sched_setaffinity(0, sizeof others, &others) == 0) (void)sched_setaffinity(0, sizeof all, &all);
}

}  // namespace musashim::core
