#include "mccl/net/address.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <net/if.h>
#include <netdb.h>

#include <cstdlib>
#include <cstring>

namespace musashim::mccl {

SocketAddress SocketAddress::loopback(int family) {
  SocketAddress address;
  if (family == AF_INET6) {
    address.v6.sin6_family = AF_INET6;
    address.v6.sin6_addr = in6addr_loopback;
  } else {
    address.v4.sin_family = AF_INET;
    address.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  return address;
}

SocketAddress SocketAddress::from(const sockaddr* given) {
  SocketAddress address;
  if (!given) return address;
  if (given->sa_family == AF_INET) std::memcpy(&address.v4, given, sizeof address.v4);
  if (given->sa_family == AF_INET6) std::memcpy(&address.v6, given, sizeof address.v6);
  return address;
}

bool SocketAddress::isLoopback() const {
  if (plain.sa_family == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
  return plain.sa_family == AF_INET && (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
}

// Both families have it at the same place.
uint16_t SocketAddress::port() const { return ntohs(v4.sin_port); }
void SocketAddress::setPort(uint16_t port) { v4.sin_port = htons(port); }

std::string SocketAddress::text() const {
  char name[INET6_ADDRSTRLEN] = "";
  if (plain.sa_family == AF_INET) {
    inet_ntop(AF_INET, &v4.sin_addr, name, sizeof name);
    return fmt::format("{}:{}", name, port());
  }
  if (plain.sa_family != AF_INET6) return "no address";
  inet_ntop(AF_INET6, &v6.sin6_addr, name, sizeof name);
  char interface[IF_NAMESIZE] = "";
  const bool hasScope = v6.sin6_scope_id != 0 && if_indextoname(v6.sin6_scope_id, interface);
  return fmt::format("[{}{}{}]:{}", name, hasScope ? "%" : "", interface, port());
}

bool parseAddress(const std::string& text, int family, SocketAddress& address) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return false;
  char* end = nullptr;
  const long port = std::strtol(text.c_str() + colon + 1, &end, 10);
  if (*end != '\0' || port <= 0 || port > 65535) return false;
  std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host.empty()) return false;
  addrinfo wanted{};
  wanted.ai_family = family;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &wanted, &found) != 0) return false;
  address = SocketAddress::from(found->ai_addr);
  freeaddrinfo(found);
  address.setPort(static_cast<uint16_t>(port));
  return address.isSet();
}

}  // namespace musashim::mccl
