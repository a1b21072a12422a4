// The sockets of one connection, which share the data of a message: a part each, moved by threads of their
// own, or by whoever looks after the connection.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "mccl/bootstrap/socket.h"

namespace musashim::mccl {

// What a message's parts have come to.
struct LaneWork {
  struct Part {
    char* data = nullptr;
    size_t bytes = 0, moved = 0;
  };
  std::vector<Part> parts;  // one per socket
  size_t left = 0;          // parts that are not done
  int error = 0;            // errno of one that failed; EPIPE: the other side has closed it
};

class SocketLanes {
 public:
  // `threads` 0: nobody but advance() moves anything.
  SocketLanes(const std::vector<Fd>& sockets, bool sends, size_t threads);
  ~SocketLanes();

  void begin(LaneWork& work, char* data, size_t bytes);
  // True when all parts are done, or one has failed and nobody touches the data any more.
  bool advance(LaneWork& work);

 private:
  // Moves what the socket takes now; false when it takes no more.
  bool move(size_t lane, LaneWork::Part& part, int& error) const;
  void run(size_t thread, size_t threads);

  const std::vector<Fd>& sockets_;
  const bool sends_;
  std::mutex mutex_;  // of what follows, and of works that threads move
  std::condition_variable changed_;
  LaneWork* current_ = nullptr;
  uint64_t works_ = 0;  // so many have begun
  bool isOver_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace musashim::mccl
