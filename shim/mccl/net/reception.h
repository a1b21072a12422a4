// A TCP socket at which the other end of a connection is expected: whoever comes shows the secret of the
// invitation first. Strangers are dropped as soon as they say something else.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mccl/bootstrap/socket.h"
#include "mccl/net/address.h"
#include "mccl/net/net.h"

namespace musashim::mccl {

// What the one that is expected is told, by a NetHandle.
struct Invitation {
  SocketAddress address;
  uint32_t sockets = 1;  // that it is to come by
  std::array<uint64_t, 2> secret{};

  static Invitation in(const NetHandle& handle);
};
static_assert(sizeof(Invitation) <= sizeof(NetHandle));

class Reception {
 public:
  // `greetingBytes`: what a guest says, the secret first.
  explicit Reception(size_t greetingBytes) : greetingBytes_(greetingBytes) {}

  // Listens at `at`, which has no port, and tells how to get there. False, with errno, when that cannot be
  // had.
  bool open(const SocketAddress& at, uint32_t sockets, NetHandle& handle);

  // Takes one that has come and said all, with its greeting; false when there is none now.
  bool take(Fd& socket, void* greeting);

 private:
  struct Guest {
    Fd socket;
    std::vector<char> greeting;
    size_t heard = 0;
  };

  const size_t greetingBytes_;
  Fd door_;
  Invitation invitation_;
  std::vector<Guest> guests_;
};

}  // namespace musashim::mccl
