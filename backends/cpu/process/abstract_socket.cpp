#include "cpu/process/abstract_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "cpu/exec/clock.h"

namespace musashim::backend::cpu {

namespace {
constexpr int64_t kPatience = 5'000'000'000;
}

UniqueFd bindAbstractName(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof address.sun_path) return {};
  memcpy(address.sun_path + 1, name.data(), name.size());
  // Never listens, so nobody can connect.
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (!fd || bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0) return {};
  return fd;
}

UniqueFd lockAbstractName(const std::string& name) {
  const int64_t deadline = monotonicNow() + kPatience;
  for (;;) {
    UniqueFd fd = bindAbstractName(name);
    if (fd || errno != EADDRINUSE || monotonicNow() > deadline) return fd;
    usleep(500);
  }
}

std::vector<std::string> abstractNames(const std::string& prefix) {
  std::vector<std::string> rests;
  std::ifstream sockets("/proc/net/unix");
  std::string line;
  const std::string wanted = "@" + prefix;
  while (std::getline(sockets, line)) {
    size_t at = line.find(wanted);
    if (at != std::string::npos) rests.push_back(line.substr(at + wanted.size()));
  }
  return rests;
}

}  // namespace musashim::backend::cpu
