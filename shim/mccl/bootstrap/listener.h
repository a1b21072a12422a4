// A process as ranks of others see it: a TCP socket on the interface that the settings choose, where ranks
// come to meet and mail arrives, a local socket to fetch a communicator's memory from. One thread serves
// both; it starts with the first id that is meant for others, or the first communicator with ranks elsewhere.
//
// Whoever does not show a secret within some seconds is a stranger: logged, and dropped.
#pragma once

#include "mccl.h"
#include "mccl/net/address.h"

namespace musashim::mccl {

class Listener {
 public:
  // Starts listening, once, and tells where.
  static mcclResult_t open(SocketAddress& address);

  // Also listens at this address. False, with errno, when it is taken.
  static bool openAt(const SocketAddress& address);
};

}  // namespace musashim::mccl
