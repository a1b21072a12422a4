#include "job.h"

#include "checks.h"

namespace rank_program {

int deviceOf(int rank) {
  int devices = 1;
  MUST_MUSA(musaGetDeviceCount(&devices));
  return rank % devices;
}

void Job::open() {
  MUST(mcclGroupStart());
  for (int i = 0; i < count; ++i) {
    here.push_back({first + i});
    MUST_MUSA(musaSetDevice(deviceOf(first + i)));
    MUST_MUSA(musaStreamCreateWithFlags(&here.back().stream, musaStreamNonBlocking));
  }
  for (Rank& rank : here) {
    MUST_MUSA(musaSetDevice(deviceOf(rank.rank)));
    MUST(mcclCommInitRank(&rank.comm, ranks, id, rank.rank));
  }
  MUST(mcclGroupEnd());
}

void Job::each(const std::function<mcclResult_t(Rank&)>& call) {
  MUST(mcclGroupStart());
  for (Rank& rank : here) {
    MUST_MUSA(musaSetDevice(deviceOf(rank.rank)));
    MUST(call(rank));
  }
  MUST(mcclGroupEnd());
}

void Job::synchronize() {
  for (Rank& rank : here) {
    MUST_MUSA(musaSetDevice(deviceOf(rank.rank)));
    MUST_MUSA(musaStreamSynchronize(rank.stream));
  }
}

void Job::close() {
  for (Rank& rank : here) {
    MUST(mcclCommDestroy(rank.comm));
    MUST_MUSA(musaStreamDestroy(rank.stream));
  }
}

}  // namespace rank_program
