#include "mccl/comm/roster.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstring>
#include <mutex>

namespace musashim::mccl {

std::array<uint64_t, 2> randomBytes() {
  std::array<uint64_t, 2> bytes{};
  if (getrandom(bytes.data(), sizeof bytes, 0) != sizeof bytes) bytes = {};
  return bytes;
}

const ProcessToken& processToken() {
  struct State {
    std::mutex mutex;
    pid_t pid = 0;
    ProcessToken* token = nullptr;
  };
  static State* const kState = new State;
  std::lock_guard lock(kState->mutex);
  if (kState->pid != getpid()) {  // also after a fork
    kState->pid = getpid();
    kState->token = new ProcessToken(randomBytes());  // the old one may be in use
  }
  return *kState->token;
}

std::string RankInfo::describe(int rank) const {
  return fmt::format("rank {} (process {} on host {})", rank, pid, host);
}

std::string RankInfo::place() const {
  return fmt::format("{}/{}", host, bus[0] ? std::string(bus) : std::to_string(device));
}

RankInfo ownInfo(int device, const std::string& bus, int capability) {
  RankInfo info;
  info.process = processToken();
  info.pid = getpid();
  info.device = device;
  info.capability = capability;
  std::strncpy(info.bus, bus.c_str(), sizeof info.bus - 1);
  gethostname(info.host, sizeof info.host - 1);
  return info;
}

bool Roster::allLocal() const {
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (!isLocal(static_cast<int>(rank))) return false;
  }
  return true;
}

int Roster::leaderOf(int rank) const {
  for (int other = 0; other < rank; ++other) {
    if (ranks[other].process == ranks[rank].process) return other;
  }
  return rank;
}

}  // namespace musashim::mccl
