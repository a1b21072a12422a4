#include "mccl/net/interfaces.h"

#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <fstream>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/job.h"

namespace musashim::mccl {
namespace {

int speedOf(const std::string& name) {
  std::ifstream file("/sys/class/net/" + name + "/speed");
  int speed = 0;
  return file >> speed && speed > 0 ? speed : 10000;
}

std::string pciPathOf(const std::string& name) {
  char path[PATH_MAX];
  return realpath(("/sys/class/net/" + name + "/device").c_str(), path) ? path : "";
}

int familyWanted() {
  const std::string& family = settings().socketFamily;
  return family == "AF_INET" ? AF_INET : family == "AF_INET6" ? AF_INET6 : AF_UNSPEC;
}

// Every interface once: IPv4 first where both are allowed, and of IPv6 no address that holds on one link only
// unless there is no other.
std::vector<Interface> all() {
  std::vector<Interface> found;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return found;
  for (const ifaddrs* one = list; one; one = one->ifa_next) {
    const SocketAddress address = SocketAddress::from(one->ifa_addr);
    const bool isUp = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_RUNNING) != 0;
    const int family = familyWanted();
    if (!address.isSet() || !isUp || (family != AF_UNSPEC && address.plain.sa_family != family)) continue;
    // The loopback of IPv6 is for those who ask for it.
    if (address.plain.sa_family == AF_INET6 && address.isLoopback() && family != AF_INET6) continue;
    const auto rank = [](const SocketAddress& which) {
      if (which.plain.sa_family == AF_INET) return 0;
      return IN6_IS_ADDR_LINKLOCAL(&which.v6.sin6_addr) ? 2 : 1;
    };
    const auto known = std::ranges::find(found, one->ifa_name, &Interface::name);
    if (known == found.end()) {
      found.push_back({one->ifa_name, address, speedOf(one->ifa_name), pciPathOf(one->ifa_name)});
    } else if (rank(address) < rank(known->address)) {
      known->address = address;
    }
  }
  freeifaddrs(list);
  return found;
}

std::vector<Interface> thoseOf(const std::vector<Interface>& found, std::string_view list) {
  std::vector<Interface> taken;
  for (const Interface& one : found) {
    if (takesInterface(list, one.name)) taken.push_back(one);
  }
  return taken;
}

}  // namespace

bool takesInterface(std::string_view list, std::string_view name) {
  const bool excludes = list.starts_with('^');
  if (excludes) list.remove_prefix(1);
  const bool isExact = list.starts_with('=');
  if (isExact) list.remove_prefix(1);
  bool isListed = false;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::string_view one = list.substr(0, comma);
    if (!one.empty()) isListed |= isExact ? name == one : name.starts_with(one);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return isListed != excludes;
}

std::vector<Interface> findInterfaces() {
  const std::vector<Interface> found = all();
  if (!settings().socketIfname.empty()) return thoseOf(found, settings().socketIfname);
  if (isJobOfOneHost()) return thoseOf(found, "=lo");
  for (const char* list : {"ib", "^docker,lo", "docker", "lo"}) {
    if (std::vector<Interface> taken = thoseOf(found, list); !taken.empty()) return taken;
  }
  return {};
}

mcclResult_t chooseInterface(Interface& chosen) {
  const std::vector<Interface> found = findInterfaces();
  if (!found.empty()) {
    chosen = found.front();
    return mcclSuccess;
  }
  if (!settings().socketIfname.empty()) {
    return fail(mcclInvalidUsage,
                "Bootstrap : no socket interface found : none that is up is taken by MCCL_SOCKET_IFNAME={}; "
                "`ip -brief address` lists them",
                settings().socketIfname);
  }
  return fail(
      mcclSystemError,
      "Bootstrap : no socket interface found : none is up; set the loopback interface up (ip link set "
      "lo up), or name another one in MCCL_SOCKET_IFNAME");
}

}  // namespace musashim::mccl
