#include "mccl/perf/processes.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "mccl/comm/roster.h"
#include "mccl/core/log.h"
#include "mccl/net/interfaces.h"

namespace musashim::perf {
namespace {

constexpr auto kJoinFor = std::chrono::seconds(60);

// What a process says to process 0 first.
struct Greeting {
  std::array<uint64_t, 2> secret{};
  int32_t rank = 0;
};

[[noreturn]] void die(const char* what) {
  std::fprintf(stderr, "mccl-tests: %s\n", what);
  std::exit(1);
}

bool waitOn() { return true; }

}  // namespace

Processes::Processes() {
  const Launched launched = Launched::byEnvironment();
  rank_ = launched.rank;
  size_ = launched.size;
  if (size_ < 2) return;
  if (launched.hasSeveralHosts) {
    connectHosts(launched);
  } else {
    connect(fmt::format("mccl-tests-{}-{}", getuid(), launched.job));
  }
  findNeighbours();
}

// Hosts that MCCL_HOSTID tells apart are one machine, with one set of devices.
void Processes::findNeighbours() {
  rankHere_ = rank_;
  sizeHere_ = size_;
  const bool isOneMachine = std::getenv("MCCL_HOSTID") || std::getenv("NCCL_HOSTID");
  const mccl::MachineToken own = isOneMachine ? mccl::MachineToken{} : mccl::machineToken();
  const std::vector<char> all = gather(&own, sizeof own);
  rankHere_ = sizeHere_ = 0;
  for (int other = 0; other < size_; ++other) {
    if (std::memcmp(all.data() + static_cast<size_t>(other) * sizeof own, &own, sizeof own) != 0) continue;
    ++sizeHere_;
    if (other < rank_) ++rankHere_;
  }
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

void Processes::connectHosts(const Launched& launched) {
  std::optional<Place> named = placeInEnvironment(launched);
  Place place = named.value_or(Place{});
  if (rank_ == 0) {
    if (!named) {
      mccl::Interface chosen;
      if (mccl::chooseInterface(chosen) != mcclSuccess) die(mccl::lastError().c_str());
      place = {chosen.address, mccl::randomBytes()};
    }
    listener_ = mccl::listenTcp(place.address);
    if (!listener_)
      die(fmt::format("cannot listen at {}: {}", place.address.text(), std::strerror(errno)).c_str());
  }
  if (!named) {
    if (const std::string why = sharePlace(launched, place); !why.empty()) die(why.c_str());
  }
  if (rank_ == 0) {
    welcome(place);
  } else {
    goTo(place);
  }
}

// Whoever does not know the secret is no process of the job.
void Processes::welcome(const Place& place) {
  others_.resize(static_cast<size_t>(size_) - 1);
  const auto end = std::chrono::steady_clock::now() + kJoinFor;
  for (int left = size_ - 1; left > 0;) {
    pollfd door{listener_.get(), POLLIN, 0};
    if (std::chrono::steady_clock::now() > end) die("not all processes of the job have come");
    if (poll(&door, 1, 100) <= 0) continue;
    mccl::Fd one(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    Greeting greeting;
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    const bool isGood = one &&
                        mccl::receiveAll(one.get(), &greeting, sizeof greeting,
                                         [&] { return std::chrono::steady_clock::now() < patience; }) &&
                        greeting.secret == place.secret && greeting.rank > 0 && greeting.rank < size_;
    if (!isGood || others_[static_cast<size_t>(greeting.rank) - 1]) continue;
    others_[static_cast<size_t>(greeting.rank) - 1] = std::move(one);
    --left;
  }
}

void Processes::goTo(const Place& place) {
  for (const auto end = std::chrono::steady_clock::now() + kJoinFor;
       std::chrono::steady_clock::now() < end;) {
    mccl::Fd one = mccl::connectTcp(place.address, std::chrono::seconds(5));
    const Greeting greeting{place.secret, rank_};
    if (one && mccl::sendAll(one.get(), &greeting, sizeof greeting)) {
      const int yes = 1;
      (void)setsockopt(one.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      others_.push_back(std::move(one));
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  die(fmt::format("process 0 of the job does not answer at {}", place.address.text()).c_str());
}

void Processes::broadcast(void* data, size_t bytes) {
  for (mccl::Fd& other : others_) {
    const bool good = rank_ == 0 ? mccl::sendAll(other.get(), data, bytes)
                                 : mccl::receiveAll(other.get(), data, bytes, waitOn);
    if (!good) die("a process of the job has left");
  }
}

std::vector<char> Processes::gather(const void* data, size_t bytes) {
  std::vector<char> all(static_cast<size_t>(size_) * bytes);
  std::memcpy(all.data(), data, bytes);
  if (rank_ != 0 && !mccl::sendAll(others_[0].get(), data, bytes)) die("process 0 of the job has left");
  for (size_t other = 0; rank_ == 0 && other < others_.size(); ++other) {
    if (!mccl::receiveAll(others_[other].get(), all.data() + (other + 1) * bytes, bytes, waitOn))
      die("a process of the job has left");
  }
  broadcast(all.data(), all.size());
  return all;
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
