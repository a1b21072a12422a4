// The processors that a program may use.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <vector>

namespace peers {

// Empty when the kernel does not tell.
inline std::vector<int> allowedProcessors() {
  std::vector<int> processors;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  }
  return processors;
}

// The calling thread does.
inline void stayOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

}  // namespace peers
