// The processes of one job, as a launcher has started them.
//
// Process 0 listens on a local socket whose name follows from the job, or at an address where processes are
// on several hosts (launcher.h); the others connect. What they tell each other is little: the unique id,
// times, counts of errors.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/perf/launcher.h"

namespace musashim::perf {

class Processes {
 public:
  // From the environment. Exits with a message when the others do not come.
  Processes();

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Among the processes of its host, which share devices, and how many these are.
  int rankHere() const { return rankHere_; }
  int sizeHere() const { return sizeHere_; }

  // Process 0's value for all.
  void broadcast(void* data, size_t bytes);
  // Those of all processes, one behind the other, for all.
  std::vector<char> gather(const void* data, size_t bytes);
  // The sum, the smallest and the largest of all processes' values.
  struct Range {
    double sum, smallest, largest;
  };
  Range combine(double value);
  void barrier() { (void)combine(0); }

 private:
  void connect(const std::string& job);
  void connectHosts(const Launched& launched);
  void welcome(const Place& place);
  void goTo(const Place& place);
  void findNeighbours();

  int rank_ = 0, size_ = 1, rankHere_ = 0, sizeHere_ = 1;
  mccl::Fd listener_;
  std::vector<mccl::Fd> others_;  // process 0: one per other process; else: process 0
};

}  // namespace musashim::perf
