// Who the ranks of a communicator are.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mccl/net/address.h"

namespace musashim::mccl {

// A process, whatever its number: numbers are used again, and differ between containers.
using ProcessToken = std::array<uint64_t, 2>;

const ProcessToken& processToken();  // of this process; a forked child has its own

// A host: its name and boot, and its network's and processes' name spaces, for two that differ in one of
// these share no memory that the other could be handed. MCCL_HOSTID takes the place of all that.
using MachineToken = std::array<uint64_t, 2>;
const MachineToken& machineToken();

// 16 random bytes; zeros when the system has none.
std::array<uint64_t, 2> randomBytes();

// Plain data: it goes over sockets as it is.
struct RankInfo {
  ProcessToken process{};
  MachineToken machine{};
  SocketAddress address;  // where its process listens; unset where nobody beyond it would come
  int32_t pid = 0;
  int32_t device = 0;      // number in its own process
  int32_t capability = 0;  // major * 10 + minor
  char bus[24] = {};       // the device's bus id, the same in all processes; may be empty
  char host[64] = {};

  // "rank 2 (process 17 on host abc)" needs the rank: describe(2).
  std::string describe(int rank) const;
  // Two ranks with the same place share a device.
  std::string place() const;
};

RankInfo ownInfo(int device, const std::string& bus, int capability = 0);

struct Roster {
  std::array<uint64_t, 2> communicator{};  // names it among all communicators
  std::array<uint64_t, 2> secret{};        // known to its ranks alone
  std::vector<RankInfo> ranks;

  bool isLocal(int rank) const { return ranks[rank].process == processToken(); }
  bool allLocal() const;
  // Whether there are ranks on other hosts than on this one.
  bool hasFarRanks() const;
  std::vector<int> nearRanks() const;  // of this host
  bool isNear(int rank) const { return ranks[rank].machine == machineToken(); }
  // The first rank in `rank`'s process.
  int leaderOf(int rank) const;
};

}  // namespace musashim::mccl
