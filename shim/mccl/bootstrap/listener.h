// The process that made unique ids, as ranks of other processes see it: a TCP socket on the
// loopback interface to meet at, and a local socket to fetch the communicator's memory from.
// One thread serves both; it starts with the first id that is meant for others.
//
// Whoever does not show an id's secret within some seconds is a stranger: logged, and dropped.
#pragma once

#include <netinet/in.h>

#include <cstdint>

namespace musashim::mccl {

class Listener {
 public:
  // Starts listening, once, and tells where. False, with errno, when sockets are not to be had.
  static bool open(in_addr& address, uint16_t& port);

  // Also listens at this address. False, with errno, when it is taken.
  static bool openAt(in_addr address, uint16_t port);
};

}  // namespace musashim::mccl
