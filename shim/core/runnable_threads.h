// How busy the machine is just now.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace musashim::core {

class RunnableThreads {
 public:
  // The file stays open: one that came and went at any time could get a number that a program counts on.
  RunnableThreads() : file_(open("/proc/loadavg", O_RDONLY | O_CLOEXEC)) {}
  ~RunnableThreads() {
    if (file_ >= 0) close(file_);
  }
  RunnableThreads(const RunnableThreads&) = delete;
  RunnableThreads& operator=(const RunnableThreads&) = delete;

  // Threads of the whole machine that run or could, the caller among them; 0 when the system does not tell.
  // Takes some microseconds.
  unsigned count() const {
    char text[128];
    const ssize_t length = pread(file_, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    unsigned runnable = 0;
    return sscanf(text, "%*s %*s %*s %u/", &runnable) == 1 ? runnable : 0;
  }

 private:
  const int file_;
};

}  // namespace musashim::core
