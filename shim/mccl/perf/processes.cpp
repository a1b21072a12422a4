#include "mccl/perf/processes.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace musashim::perf {
namespace {

const char* firstSet(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) return value;
  }
  return nullptr;
}

[[noreturn]] void die(const char* what) {
  std::fprintf(stderr, "mccl-tests: %s\n", what);
  std::exit(1);
}

bool waitOn() { return true; }

}  // namespace

Processes::Processes() {
  const char* rank = firstSet({"MCCL_TESTS_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"});
  const char* size = firstSet({"MCCL_TESTS_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"});
  if (!rank || !size || std::atoi(size) < 2) return;
  rank_ = std::atoi(rank);
  size_ = std::atoi(size);
  // The launcher's own name for the job, or else its process.
  const char* job = firstSet({"MCCL_TESTS_JOB", "PMIX_NAMESPACE", "PMI_JOBID", "SLURM_JOB_ID"});
  connect(fmt::format("mccl-tests-{}-{}", getuid(), job ? job : std::to_string(getppid())));
}

void Processes::connect(const std::string& job) {
  if (rank_ == 0) {
    listener_ = mccl::listenAtDoor(job);
    if (!listener_) die("the job's socket cannot be opened: another job has its name");
    others_.resize(static_cast<size_t>(size_) - 1);
    for (int i = 1; i < size_; ++i) {
      mccl::Fd one(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      int other = 0;
      if (!mccl::receiveAll(one.get(), &other, sizeof other, waitOn) || other < 1 || other >= size_) {
        die("a process of the job has left");
      }
      others_[static_cast<size_t>(other) - 1] = std::move(one);
    }
    return;
  }
  for (int attempt = 0; attempt < 3000; ++attempt) {
    mccl::Fd one = mccl::connectToDoor(job);
    if (one && mccl::sendAll(one.get(), &rank_, sizeof rank_)) {
      others_.push_back(std::move(one));
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  die("process 0 of the job does not appear");
}

void Processes::broadcast(void* data, size_t bytes) {
  for (mccl::Fd& other : others_) {
    const bool good = rank_ == 0 ? mccl::sendAll(other.get(), data, bytes)
                                 : mccl::receiveAll(other.get(), data, bytes, waitOn);
    if (!good) die("a process of the job has left");
  }
}

Processes::Range Processes::combine(double value) {
  Range range{value, value, value};
  if (rank_ != 0) {
    if (!mccl::sendAll(others_[0].get(), &value, sizeof value)) die("process 0 of the job has left");
  } else {
    for (mccl::Fd& other : others_) {
      double one = 0;
      if (!mccl::receiveAll(other.get(), &one, sizeof one, waitOn)) die("a process of the job has left");
      range.sum += one;
      range.smallest = std::min(range.smallest, one);
      range.largest = std::max(range.largest, one);
    }
  }
  broadcast(&range, sizeof range);
  return range;
}

}  // namespace musashim::perf
