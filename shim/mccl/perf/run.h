// The ranks of one process: their buffers, calls, times and results.
#pragma once

#include <barrier>
#include <string>
#include <vector>

#include "mccl/perf/collectives.h"
#include "mccl/perf/options.h"
#include "mccl/perf/processes.h"
#include "mccl/perf/table.h"

namespace musashim::perf {

class Run {
 public:
  Run(const Options& options, const Collective& collective, Processes& processes);

  // All sizes, types, operations and roots. The number of calls that failed.
  int64_t go(Table& table);

 private:
  struct Rank {
    int rank = 0, device = 0;
    mcclComm_t comm = nullptr;
    musaStream_t stream = nullptr;
    char *send = nullptr, *recv = nullptr;
    void* handles[2] = {};
  };
  struct Case {
    mcclDataType_t type;
    Operation operation;
    int root;
    Counts counts;
    bool inPlace;
  };

  void open(Table& table);
  void openRanks(int thread);
  void close();
  template <class Body>
  void onThreads(Body&& body);
  Result measure(const Case& one);
  double timeThread(int thread, const Case& one, const std::vector<mcclRedOp_t>& operations,
                    std::barrier<>& barrier);
  void callOnce(int thread, const Case& one, const std::vector<mcclRedOp_t>& operations);
  void synchronize(int thread);
  Call callOf(const Rank& rank, const Case& one, mcclRedOp_t op) const;
  void fill(const Case& one, int round);
  int64_t check(const Case& one, int round);

  const Options& options_;
  const Collective& collective_;
  Processes& processes_;
  const int local_;  // ranks here
  const int ranks_;  // in all
  size_t bufferBytes_ = 0;
  mcclUniqueId id_{};
  std::vector<Rank> here_;
};

}  // namespace musashim::perf
