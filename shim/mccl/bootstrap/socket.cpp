#include "mccl/bootstrap/socket.h"

#include <fcntl.h>
#include <linux/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace musashim::mccl {
namespace {

constexpr int kPollEvery = 20;  // ms

bool awaitReadable(int fd, const KeepWaiting& keepWaiting) {
  while (true) {
    pollfd one{fd, POLLIN, 0};
    const int ready = poll(&one, 1, kPollEvery);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (!keepWaiting()) return false;
  }
}

socklen_t doorAddress(const std::string& name, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  const size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

}  // namespace

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

bool sendAll(int fd, const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = send(fd, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<size_t>(sent);
  }
  return true;
}

bool receiveAll(int fd, void* data, size_t bytes, const KeepWaiting& keepWaiting) {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    if (!awaitReadable(fd, keepWaiting)) return false;
    const ssize_t got = recv(fd, at, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool receiveSome(int fd, void* data, size_t bytes, size_t& heard) {
  while (heard < bytes) {
    const ssize_t got = recv(fd, static_cast<char*>(data) + heard, bytes - heard, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) return false;
    heard += static_cast<size_t>(got);
  }
  return true;
}

namespace {

// A socket can be bound to an address of an interface that is not up, and nobody would reach it there.
bool hasRoute(const SocketAddress& at) {
  const Fd fd(socket(at.plain.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  return fd && connect(fd.get(), &at.plain, at.length()) == 0;
}

}  // namespace

Fd listenTcp(SocketAddress& address) {
  Fd fd(socket(address.plain.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  if (!fd || setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(fd.get(), &address.plain, address.length()) != 0 || listen(fd.get(), SOMAXCONN) != 0) {
    return Fd();
  }
  socklen_t length = sizeof address;
  if (getsockname(fd.get(), &address.plain, &length) != 0 || !hasRoute(address)) return Fd();
  return fd;
}

Fd connectTcp(const SocketAddress& to, std::chrono::milliseconds most, const SocketAddress* from) {
  Fd fd(socket(to.plain.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return Fd();
  if (from && from->plain.sa_family == to.plain.sa_family) {
    const int late = 1;
    (void)setsockopt(fd.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &late, sizeof late);
    if (bind(fd.get(), &from->plain, from->length()) != 0) return Fd();
  }
  if (connect(fd.get(), &to.plain, to.length()) != 0) {
    if (errno != EINPROGRESS) return Fd();
    pollfd one{fd.get(), POLLOUT, 0};
    int ready = 0;
    do {
      ready = poll(&one, 1, static_cast<int>(most.count()));
    } while (ready < 0 && errno == EINTR);
    int error = ready > 0 ? 0 : ETIMEDOUT;
    socklen_t length = sizeof error;
    if (ready > 0) (void)getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
      errno = error;
      return Fd();
    }
  }
  (void)fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);
  return fd;
}

double shortestRoundTripUs(int fd) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return 0;
  return length >= offsetof(tcp_info, tcpi_min_rtt) + sizeof info.tcpi_min_rtt ? info.tcpi_min_rtt : 0;
}

Fd listenAtDoor(const std::string& name) {
  Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address;
  const socklen_t length = doorAddress(name, address);
  if (!fd || bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return Fd();
  return listen(fd.get(), SOMAXCONN) == 0 ? std::move(fd) : Fd();
}

Fd connectToDoor(const std::string& name) {
  Fd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address;
  const socklen_t length = doorAddress(name, address);
  if (!fd || connect(fd.get(), reinterpret_cast<sockaddr*>(&address), length) != 0) return Fd();
  return fd;
}

bool sendFd(int socket, int fd) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  return sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

Fd receiveFd(int socket, const KeepWaiting& keepWaiting) {
  if (!awaitReadable(socket, keepWaiting)) return Fd();
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return Fd();
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  // The only way in which the system says that the descriptor could not be had.
  errno = message.msg_flags & MSG_CTRUNC ? EMFILE : 0;
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) return Fd();
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return Fd(fd);
}

bool isSameUser(int socket) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == getuid();
}

}  // namespace musashim::mccl
