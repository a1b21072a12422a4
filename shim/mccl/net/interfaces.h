// The network interfaces that may be used: NCCL's rules for MCCL_SOCKET_IFNAME and MCCL_SOCKET_FAMILY.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mccl.h"
#include "mccl/net/address.h"

namespace musashim::mccl {

struct Interface {
  std::string name;
  SocketAddress address;  // without a port
  int speedMbps = 0;      // as the system tells it; 10000 where it does not
  std::string pciPath;    // folder of its device in sysfs; empty for one that has none
};

// Whether a list such as "eth,ib" (names that begin so), "=eth0" (these names) or "^docker,lo" (all others)
// takes the interface.
bool takesInterface(std::string_view list, std::string_view name);

// Those that are up and that the settings take, first the best. Without a setting: those whose names begin
// with "ib", else all but docker's and the loopback, else docker's, else the loopback. Where the launcher
// tells that all of the job is on this host, the loopback alone.
std::vector<Interface> findInterfaces();

// The first of them. Fails with a remedy when there is none.
mcclResult_t chooseInterface(Interface& chosen);

}  // namespace musashim::mccl
