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
    if (ids.empty()) {
      MUST(mcclCommInitRank(&rank.comm, ranks, id, rank.rank));
    } else {
      MUST(mcclCommInitRankScalable(&rank.comm, ranks, rank.rank, static_cast<int>(ids.size()), ids.data(),
                                    nullptr));
    }
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
