#include "mccl/net/reception.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "mccl/comm/roster.h"

namespace musashim::mccl {

Invitation Invitation::in(const NetHandle& handle) {
  Invitation invitation;
  std::memcpy(static_cast<void*>(&invitation), handle.bytes, sizeof invitation);
  return invitation;
}

bool Reception::open(const SocketAddress& at, uint32_t sockets, NetHandle& handle) {
  invitation_ = {at, sockets, randomBytes()};
  door_ = listenTcp(invitation_.address);
  handle = {};
  std::memcpy(handle.bytes, &invitation_, sizeof invitation_);
  return static_cast<bool>(door_);
}

bool Reception::take(Fd& socket, void* greeting) {
  for (Fd guest; (guest = Fd(accept4(door_.get(), nullptr, nullptr, SOCK_CLOEXEC)));)
    guests_.push_back({std::move(guest), std::vector<char>(greetingBytes_)});
  const auto mustGo = [&](Guest& guest) {
    if (!receiveSome(guest.socket.get(), guest.greeting.data(), greetingBytes_, guest.heard)) return true;
    const auto& secret = invitation_.secret;
    return guest.heard == greetingBytes_ && std::memcmp(guest.greeting.data(), &secret, sizeof secret) != 0;
  };
  std::erase_if(guests_, mustGo);
  const auto ready =
      std::ranges::find_if(guests_, [&](const Guest& guest) { return guest.heard == greetingBytes_; });
  if (ready == guests_.end()) return false;
  socket = std::move(ready->socket);
  std::memcpy(greeting, ready->greeting.data(), greetingBytes_);
  guests_.erase(ready);
  return true;
}

}  // namespace musashim::mccl
