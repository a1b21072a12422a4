// What a call is: its type, and its names in PyTorch's records of communication and in its profiler.
#pragma once

#include <string>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <vector>

namespace torch_musa {

struct Collective {
  c10d::OpType type;
  std::string name;   // "allreduce"
  std::string title;  // "mccl:all_reduce"
  std::vector<int64_t> inputSplits = {}, outputSplits = {};
};

}  // namespace torch_musa
