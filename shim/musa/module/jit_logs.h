// What options of the JIT ask for beside the code: texts of errors and information, and how long it took.
#pragma once

#include <cstddef>
#include <string>

#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class JitLogs {
 public:
  // The caller keeps the options' values as long as the logs are. Options of how code is optimised say
  // nothing.
  JitLogs(const MUjit_option* options, void** values, unsigned count);

  void inform(const std::string& line) { information_.write("info: " + line + "\n"); }
  // An error goes to the buffer for errors.
  Result told(Result result);
  void setWallTime(float milliseconds);

 private:
  struct Log {
    char* buffer = nullptr;
    size_t size = 0, used = 0;
    void** sizeOption = nullptr;  // takes how much is used

    void write(const std::string& line);
  };
  Log errors_, information_;
  void** wallTime_ = nullptr;
};

}  // namespace musashim::musa
