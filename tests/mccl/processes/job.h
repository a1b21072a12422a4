// The ranks of this process, and the job that they are a part of.
#pragma once

#include <musa_runtime_api.h>

#include <functional>
#include <vector>

#include "mccl.h"

namespace rank_program {

// The rank's device among those that the process sees.
int deviceOf(int rank);

struct Rank {
  int rank = 0;
  mcclComm_t comm = nullptr;
  musaStream_t stream = nullptr;
};

struct Job {
  int first = 0, count = 0, ranks = 0;
  std::vector<Rank> here;
  mcclUniqueId id{};
  std::vector<mcclUniqueId> ids = {};  // several, for mcclCommInitRankScalable

  // Communicators of all ranks, and what they need.
  void open();
  // The call of each rank, in one group.
  void each(const std::function<mcclResult_t(Rank&)>& call);
  void synchronize();
  void close();
};

}  // namespace rank_program
