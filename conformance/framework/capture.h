// Collects what is written to standard output, by the host or by kernels.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <string>

class CapturedOutput {
 public:
  CapturedOutput() {
    fflush(stdout);
    saved_ = dup(STDOUT_FILENO);
    file_ = tmpfile();
    dup2(fileno(file_), STDOUT_FILENO);
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput() { fclose(file_); }

  // What was written until now; capturing goes on.
  std::string soFar() {
    fflush(stdout);
    std::string text;
    char part[4096];
    off_t offset = 0;
    for (;;) {
      const ssize_t got = pread(fileno(file_), part, sizeof part, offset);
      if (got <= 0) return text;
      text.append(part, static_cast<size_t>(got));
      offset += got;
    }
  }

  // Gives standard output back and returns what was written meanwhile.
  std::string finish() {
    const std::string text = soFar();
    dup2(saved_, STDOUT_FILENO);
    close(saved_);
    return text;
  }

 private:
  int saved_ = -1;
  FILE* file_ = nullptr;
};
