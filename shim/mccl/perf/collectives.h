// What each of the programs times.
#pragma once

#include <musa_runtime_api.h>

#include <cstddef>
#include <string>

#include "mccl.h"
#include "mccl/perf/options.h"

namespace musashim::perf {

// Elements for a size given on the command line.
struct Counts {
  size_t call = 0;                          // the call's count
  size_t send = 0, recv = 0;                // a rank's buffers
  size_t sendInPlace = 0, recvInPlace = 0;  // times the rank: where they begin when in place
  size_t shown = 0;                         // the table's size and count
};

// One call of one rank. In place, `send` and `recv` lie in one buffer.
struct Call {
  const char* send;
  char* recv;
  size_t count;
  mcclDataType_t type;
  mcclRedOp_t op;
  int root, rank, ranks;
  mcclComm_t comm;
  musaStream_t stream;
};

struct Collective {
  const char* title;  // "AllReduce"
  bool reduces, rooted, inPlace;
  Counts (*counts)(size_t elements, size_t elementBytes, size_t ranks);
  mcclResult_t (*run)(const Call& call);
  // Whether `rank` receives, and what element `index` of its result comes from: the rank and
  // the element there (for reductions, the rank is -1).
  bool (*receives)(int rank, int root);
  void (*source)(size_t index, size_t count, int rank, int root, int ranks, int& from, size_t& at);
  double (*busFactor)(double ranks);  // of the bandwidth that the algorithm sees
};

// The program's collective by its file name, "all_reduce_perf"; null when there is none.
const Collective* collectiveOf(const std::string& program);

}  // namespace musashim::perf
