// nvcc's -time: how long the steps of a command took.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace musashim::mcc {

// A table with a row for each step, with nvcc's columns. Times are in milliseconds.
class StepTimes {
 public:
  // The rows are added to the end of the file `name`, below a heading where it is empty; "-": printed.
  explicit StepTimes(std::string name) : name_(std::move(name)) {}

  void add(const std::vector<std::string>& command, std::chrono::steady_clock::duration time);
  // Returns an exit status.
  int write() const;

 private:
  std::string name_;
  std::vector<std::string> rows_;
};

}  // namespace musashim::mcc
