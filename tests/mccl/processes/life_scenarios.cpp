// Communicators come and go: made in parts, ended at once, or without enough descriptors.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "array.h"
#include "checks.h"
#include "job.h"
#include "scenarios.h"

namespace rank_program {

void split(Job& job) {
  job.open();
  Job parts{job.first, job.count, job.ranks / 2, job.here, {}};
  MUST(mcclGroupStart());
  for (int i = 0; i < job.count; ++i) {
    const int rank = job.here[i].rank;
    MUST_MUSA(musaSetDevice(deviceOf(rank)));
    MUST(mcclCommSplit(job.here[i].comm, rank % 2, -rank, &parts.here[i].comm, nullptr));
  }
  MUST(mcclGroupEnd());
  std::map<int, Array> data;
  for (Rank& r : job.here) {
    data.emplace(r.rank, Array(r.rank, 1));
    data.at(r.rank).set({static_cast<float>(r.rank)});
  }
  parts.each([&](Rank& r) {
    int count = 0;
    MUST(mcclCommCount(r.comm, &count));
    CHECK(count == job.ranks / 2);
    return mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, 1, mcclFloat, mcclSum, r.comm, r.stream);
  });
  parts.synchronize();
  for (Rank& r : job.here) {
    float expected = 0;
    for (int rank = r.rank % 2; rank < job.ranks; rank += 2) expected += static_cast<float>(rank);
    CHECK(data.at(r.rank).get(1)[0] == expected);
  }
  for (Rank& r : parts.here) MUST(mcclCommDestroy(r.comm));
  job.close();
}

void makeIdAndLeave(Job&) {}

// Ends as soon as the communicator is there.
void brief(Job& job) {
  job.open();
  job.close();
  std::_Exit(0);
}

// The ranks have a smaller communicator as well, with the last as its first, and end as soon as that is
// there.
void briefSplit(Job& job) {
  job.open();
  for (Rank& r : job.here) {
    mcclComm_t part = nullptr;
    MUST(mcclCommSplit(r.comm, 0, -r.rank, &part, nullptr));
    MUST(mcclCommDestroy(part));
  }
  job.close();
  std::_Exit(0);
}

// Few descriptors are left: ROOM. The ranks get a communicator, or are told.
void fewDescriptors(Job& job) {
  MUST_MUSA(musaSetDevice(deviceOf(job.first)));
  MUST_MUSA(musaFree(nullptr));
  const int next = dup(0);  // the first that is free
  CHECK(close(next) == 0);
  const rlim_t most = static_cast<rlim_t>(next + std::atoi(std::getenv("ROOM")));
  const rlimit limit{most, most};
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  mcclComm_t comm = nullptr;
  const mcclResult_t result = mcclCommInitRank(&comm, job.ranks, job.id, job.first);
  const std::string text = mcclGetLastError(nullptr);
  CHECK(result == mcclSuccess || text.find("ulimit -n") != std::string::npos || job.first > 0);
  std::printf("%s\n", result == mcclSuccess ? "" : text.c_str());
  if (comm) MUST(mcclCommDestroy(comm));
  std::_Exit(0);
}

// As brief, without blocking calls.
void briefNonBlocking(Job& job) {
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  mcclComm_t comm = nullptr;
  MUST_MUSA(musaSetDevice(deviceOf(job.first)));
  mcclResult_t state = mcclCommInitRankConfig(&comm, job.ranks, job.id, job.first, &config);
  CHECK(state == mcclSuccess || state == mcclInProgress);
  for (state = mcclInProgress; state == mcclInProgress;) MUST(mcclCommGetAsyncError(comm, &state));
  CHECK(state == mcclSuccess);
  MUST(mcclCommDestroy(comm));
  std::_Exit(0);
}

}  // namespace rank_program
