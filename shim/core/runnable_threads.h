// How busy the machine is just now.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace musashim::core {

// Threads of the whole machine that run or could, the caller among them; 0 when the system does not tell.
// Takes some microseconds.
inline unsigned runnableThreads() {
  const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  unsigned runnable = 0;
  return sscanf(text, "%*s %*s %*s %u/", &runnable) == 1 ? runnable : 0;
}

}  // namespace musashim::core
