// A rank ends, errs or stays away: the others are told, and why.
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "array.h"
#include "checks.h"
#include "job.h"
#include "scenarios.h"

namespace rank_program {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

// The last process is killed in the middle of work; the others report it and go on without it.
void killed(Job& job) {
  job.open();
  const bool victim = job.first + job.count == job.ranks && job.first > 0;
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 200000));
  const auto start = Clock::now();
  bool failed = false;
  for (int round = 0; !failed; ++round) {
    if (victim && round == 20) raise(SIGKILL);
    CHECK(mcclGroupStart() == mcclSuccess);
    mcclResult_t result = mcclSuccess;
    for (Rank& r : job.here) {
      MUST_MUSA(musaSetDevice(deviceOf(r.rank)));
      const mcclResult_t one = mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, 200000, mcclFloat,
                                             mcclSum, r.comm, r.stream);
      if (one != mcclSuccess) result = one;
    }
    const mcclResult_t ended = mcclGroupEnd();
    failed = result != mcclSuccess || ended != mcclSuccess;
    job.synchronize();  // never hangs
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(job.here[0].comm, &state));
    if (state != mcclSuccess) {
      CHECK(state == mcclRemoteError);
      failed = true;
    }
    CHECK(secondsSince(start) < 10);
  }
  CHECK(std::strstr(mcclGetLastError(job.here[0].comm), "has ended without leaving"));
  // Calls that come later say so, too, and what can be done.
  int count = 0;
  CHECK(mcclCommCount(job.here[0].comm, &count) == mcclRemoteError);
  CHECK(std::strstr(mcclGetLastError(job.here[0].comm), "has ended without leaving"));
  CHECK(std::strstr(mcclGetLastError(job.here[0].comm), "aborted, or shrunk with MCCL_SHRINK_ABORT"));
  // All of the dead process's ranks are left out.
  const int per = job.count;
  std::vector<int> dead;
  for (int rank = job.ranks - per; rank < job.ranks; ++rank) dead.push_back(rank);
  Job rest{job.first, job.count, job.ranks - per, job.here, {}};
  MUST(mcclGroupStart());
  for (size_t i = 0; i < job.here.size(); ++i) {
    MUST_MUSA(musaSetDevice(deviceOf(job.here[i].rank)));
    MUST(mcclCommShrink(job.here[i].comm, dead.data(), per, &rest.here[i].comm, nullptr, MCCL_SHRINK_ABORT));
  }
  MUST(mcclGroupEnd());
  allCollectives(rest, 70000, Kind::kPlain);
  for (Rank& r : rest.here) MUST(mcclCommDestroy(r.comm));
  for (Rank& r : job.here) MUST(mcclCommAbort(r.comm));
}

// The last rank calls with another count: all are told, with both calls.
void mismatch(Job& job) {
  job.open();
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 100));
  // Ranks of other hosts may have found out before this one calls.
  const auto isExpected = [](mcclResult_t result) {
    return result == mcclSuccess || result == mcclInvalidUsage;
  };
  CHECK(mcclGroupStart() == mcclSuccess);
  for (Rank& r : job.here) {
    MUST_MUSA(musaSetDevice(deviceOf(r.rank)));
    const size_t count = r.rank == job.ranks - 1 ? 99 : 100;
    CHECK(isExpected(mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, count, mcclFloat, mcclSum,
                                   r.comm, r.stream)));
  }
  CHECK(isExpected(mcclGroupEnd()));
  job.synchronize();
  for (Rank& r : job.here) {
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(r.comm, &state));
    CHECK(state == mcclInvalidUsage);
    const std::string text = mcclGetLastError(r.comm);
    CHECK(text.find("AllReduce(count 100, float, sum)") != std::string::npos);
    CHECK(text.find("AllReduce(count 99, float, sum)") != std::string::npos);
    MUST(mcclCommAbort(r.comm));
  }
}

// The last rank never comes to its collective and aborts instead.
void abort(Job& job) {
  job.open();
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 100));
  const bool aborts = job.first + job.count == job.ranks;
  if (aborts) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } else {
    job.each([&](Rank& r) {
      return mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, 100, mcclFloat, mcclSum, r.comm,
                           r.stream);
    });
    job.synchronize();
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(job.here[0].comm, &state));
    CHECK(state == mcclRemoteError);
  }
  for (Rank& r : job.here) MUST(mcclCommAbort(r.comm));
}

// Loops until it is killed, or told that another is; for the chaos script.
void forEver(Job& job) {
  std::puts("joining");
  std::fflush(stdout);
  job.open();
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 500000));
  std::puts("running");
  std::fflush(stdout);
  for (size_t round = 0;; ++round) {
    const size_t count = round % 3 == 0 ? 1 : round % 3 == 1 ? 20000 : 500000;
    CHECK(mcclGroupStart() == mcclSuccess);
    for (Rank& r : job.here) {
      MUST_MUSA(musaSetDevice(deviceOf(r.rank)));
      (void)mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, count, mcclFloat, mcclMax, r.comm,
                          r.stream);
    }
    (void)mcclGroupEnd();
    job.synchronize();
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(job.here[0].comm, &state));
    if (state == mcclSuccess) continue;
    CHECK(state == mcclRemoteError);
    std::printf("told: %s\n", mcclGetLastError(job.here[0].comm));
    for (Rank& r : job.here) MUST(mcclCommAbort(r.comm));
    return;
  }
}

// The id's maker is gone.
void stale(Job& job) {
  const auto start = Clock::now();
  mcclComm_t comm = nullptr;
  const mcclResult_t result = mcclCommInitRank(&comm, job.ranks, job.id, 0);
  CHECK(result == mcclSystemError || result == mcclRemoteError);
  CHECK(comm == nullptr && secondsSince(start) < 5);
}

}  // namespace rank_program
