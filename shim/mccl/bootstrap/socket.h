// Small help with sockets. No function raises SIGPIPE.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "mccl/net/address.h"

namespace musashim::mccl {

// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd();
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Whether to go on waiting; asked every few milliseconds.
using KeepWaiting = std::function<bool()>;

bool sendAll(int fd, const void* data, size_t bytes);
// False on the end of the stream, an error, or when `keepWaiting` says no.
bool receiveAll(int fd, void* data, size_t bytes, const KeepWaiting& keepWaiting);

// Reads what there is now; `heard` counts what has come of `bytes`. False when the stream has ended.
bool receiveSome(int fd, void* data, size_t bytes, size_t& heard);

// Listens without blocking at `address`; without a port, at one that it is told of. Empty, with errno, when
// that cannot be had.
Fd listenTcp(SocketAddress& address);
// Empty, with errno, when nobody answers in time. `from`: the local address, if it is of the same family.
Fd connectTcp(const SocketAddress& to, std::chrono::milliseconds most, const SocketAddress* from = nullptr);

// The shortest time that the connection has seen from a segment to its confirmation; 0 where it is not known.
double shortestRoundTripUs(int fd);

// Local sockets in the abstract namespace: nothing appears in the file system.
Fd listenAtDoor(const std::string& name);
Fd connectToDoor(const std::string& name);

bool sendFd(int socket, int fd);
Fd receiveFd(int socket, const KeepWaiting& keepWaiting);

// Whether the other side of a local socket is of the same user.
bool isSameUser(int socket);

}  // namespace musashim::mccl
