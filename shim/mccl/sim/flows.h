// Streams of data that share links.
#pragma once

#include <span>
#include <vector>

#include "mccl/sim/fabric.h"

namespace musashim::mccl::sim {

// All that one channel moves. Its parts wait for each other, so they get on at one rate: for each byte of
// that, a link carries its part in bytes.
struct Flow {
  std::vector<Share> uses;  // each link once
};

// GB/s of each, fair: no flow could have more without taking from one that has no more than it. 0 where a
// link is dead.
std::vector<double> maxMinRates(std::span<const Flow> flows, std::span<const double> bandwidth);

// Collects what a flow uses. Links come in any order, and many times.
class UseCounter {
 public:
  explicit UseCounter(size_t links) : load_(links) {}
  void add(uint32_t link, double part) {
    if (load_[link] == 0 && part > 0) touched_.push_back(link);
    load_[link] += part;
  }
  // What was added since the last one.
  Flow take();

 private:
  std::vector<double> load_;
  std::vector<uint32_t> touched_;
};

}  // namespace musashim::mccl::sim
