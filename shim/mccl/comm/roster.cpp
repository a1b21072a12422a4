#include "mccl/comm/roster.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string_view>

#include "mccl/core/settings.h"

namespace musashim::mccl {

namespace {

// "net:[4026531840]"
std::string nameSpace(const char* kind) {
  char name[64] = "";
  const std::string path = std::string("/proc/self/ns/") + kind;
  return readlink(path.c_str(), name, sizeof name - 1) > 0 ? name : "";
}

uint64_t hashOf(std::string_view text, uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

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

const MachineToken& machineToken() {
  static const MachineToken* const kToken = [] {
    std::string text = settings().hostId;
    if (text.empty()) {
      char host[256] = "";
      gethostname(host, sizeof host - 1);
      std::string boot;
      std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
      text = fmt::format("{} {} {} {}", host, boot, nameSpace("net"), nameSpace("pid"));
    }
    return new MachineToken{hashOf(text, 0xcbf29ce484222325), hashOf(text, 0x84222325cbf29ce4)};
  }();
  return *kToken;
}

std::string RankInfo::describe(int rank) const {
  return fmt::format("rank {} (process {} on host {})", rank, pid, host);
}

std::string RankInfo::place() const {
  return fmt::format("{:x}{:x}/{}", machine[0], machine[1],
                     bus[0] ? std::string(bus) : std::to_string(device));
}

RankInfo ownInfo(int device, const std::string& bus, int capability) {
  RankInfo info;
  info.process = processToken();
  info.machine = machineToken();
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

std::vector<int> Roster::nearRanks() const {
  std::vector<int> near;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (isNear(static_cast<int>(rank))) near.push_back(static_cast<int>(rank));
  }
  return near;
}

bool Roster::hasFarRanks() const {
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (!isNear(static_cast<int>(rank))) return true;
  }
  return false;
}

int Roster::leaderOf(int rank) const {
  for (int other = 0; other < rank; ++other) {
    if (ranks[other].process == ranks[rank].process) return other;
  }
  return rank;
}

}  // namespace musashim::mccl
