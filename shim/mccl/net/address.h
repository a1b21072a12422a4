// Addresses of sockets, IPv4 and IPv6, as plain data that goes over sockets as it is.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

namespace musashim::mccl {

union SocketAddress {
  sockaddr plain;
  sockaddr_in v4;
  sockaddr_in6 v6;

  SocketAddress() : v6{} {}
  static SocketAddress loopback(int family = AF_INET);
  // Of a socket address of either family; unset for any other.
  static SocketAddress from(const sockaddr* address);

  bool isSet() const { return plain.sa_family == AF_INET || plain.sa_family == AF_INET6; }
  bool isLoopback() const;
  socklen_t length() const { return plain.sa_family == AF_INET6 ? sizeof v6 : sizeof v4; }
  uint16_t port() const;
  void setPort(uint16_t port);  // in the host's order
  std::string text() const;     // "10.0.0.1:7000", "[fe80::1%eth0]:7000"
};
static_assert(sizeof(SocketAddress) == 28);

// "10.0.0.1:7000", "[::1]:7000", "node3:7000": the first address of a host's name that `family` (AF_UNSPEC:
// either) allows. False when there is none.
bool parseAddress(const std::string& text, int family, SocketAddress& address);

}  // namespace musashim::mccl
