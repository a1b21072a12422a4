// One direction of a TCP connection between two ranks: messages in the order in which they were begun.
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/net/socket_lanes.h"

namespace musashim::mccl {

struct SocketHeader {
  uint32_t tag = 0;
  uint32_t reserved = 0;
  uint64_t bytes = 0;
};

class SocketStream;

struct SocketRequest {
  SocketStream* stream = nullptr;
  char* data = nullptr;
  size_t bytes = 0;  // of the message; of a receive first what there is room for
  uint32_t tag = 0;
  SocketHeader header;
  size_t moved = 0;  // of the header and the data
  LaneWork lanes;    // of the data, where several sockets share it
  bool isDone = false;
};

class SocketStream {
 public:
  SocketStream(std::vector<Fd> sockets, bool sends, size_t threads, std::string peer);

  SocketRequest* begin(void* data, size_t bytes, int tag);
  // Moves what can be moved now, of all requests.
  mcclResult_t progress();
  bool isIdle() const { return queue_.empty(); }
  // What to wait for.
  void addTo(std::vector<pollfd>& polls) const;

 private:
  // Messages from which on several sockets share the data.
  static constexpr size_t kWorthSharing = 64 << 10;

  mcclResult_t advance(SocketRequest& request);
  mcclResult_t send(SocketRequest& request);
  mcclResult_t receive(SocketRequest& request);
  mcclResult_t check(SocketRequest& request);
  size_t fromStash(SocketRequest& request);
  mcclResult_t failed(const char* what, int error) const;
  bool isShared(size_t bytes) const { return sockets_.size() > 1 && bytes >= kWorthSharing; }

  const std::vector<Fd> sockets_;
  const bool sends_;
  const std::string peer_;
  std::deque<std::unique_ptr<SocketRequest>> queue_;
  std::vector<char> stash_;  // read, and not of the message that it was read for
  SocketLanes lanes_;
};

}  // namespace musashim::mccl
