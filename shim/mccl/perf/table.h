// The output: nccl-tests' table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mccl/perf/collectives.h"
#include "mccl/perf/options.h"
#include "mccl/perf/processes.h"

namespace musashim::perf {

struct Result {
  double microseconds = 0, algorithmBandwidth = 0, busBandwidth = 0;  // GB/s
  int64_t wrong = -1;                                                 // -1: not checked
};

class Table {
 public:
  // Only process 0 prints.
  Table(const Options& options, const std::string& program, Processes& processes);

  void devices(const std::vector<char>& lines);  // zero bytes between those of processes
  void header();
  void row(size_t bytes, size_t count, const char* type, const char* operation, int root,
           const Result& outOfPlace, const Result* inPlace);
  // The averages; the exit status.
  int footer(int64_t errors);

 private:
  void half(const Result* result);

  const Options& options_;
  const std::string program_;
  const bool prints_;
  double busSum_ = 0;
  int64_t wrong_ = 0;
  int rows_ = 0;
  std::vector<std::string> json_;
};

}  // namespace musashim::perf
