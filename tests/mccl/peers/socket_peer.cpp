// The limit between two hosts: SOCKET_PEER RANK ADDRESS PORT, two processes that do with one TCP connection,
// without any library, what an operation moves: both ways at a time, and summed where it is a reduction.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <map>
#include <thread>

#include "sizes.h"

namespace {

void must(bool good, const char* what) {
  if (good) return;
  std::perror(what);
  std::exit(1);
}

// Sends and receives as many bytes; looks for a while before it sleeps. `arrived`: what has come so far.
void exchange(int socket, const char* out, char* in, size_t bytes,
              const std::function<void(size_t arrived)>& arrived) {
  size_t sent = 0, got = 0;
  for (int idle = 0; sent < bytes || got < bytes;) {
    bool moved = false;
    if (sent < bytes) {
      const ssize_t n = send(socket, out + sent, bytes - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      must(n > 0 || errno == EAGAIN, "send");
      if (n > 0) sent += static_cast<size_t>(n), moved = true;
    }
    if (got < bytes) {
      const ssize_t n = recv(socket, in + got, bytes - got, MSG_DONTWAIT);
      must(n > 0 || (n < 0 && errno == EAGAIN), "recv");
      if (n > 0) arrived(got += static_cast<size_t>(n)), moved = true;
    }
    idle = moved ? 0 : idle + 1;
    if (idle > 10) sched_yield();
    if (idle < 1000) continue;
    pollfd one{socket, static_cast<short>((sent < bytes ? POLLOUT : 0) | (got < bytes ? POLLIN : 0)), 0};
    (void)poll(&one, 1, 1000);
    idle = 0;
  }
}

struct Buffers {
  std::vector<float> send, recv, came;
};

using Operation = std::function<void(int socket, int rank, Buffers& buffers, size_t bytes)>;
const std::map<std::string, Operation> kOperations = {
    {"allreduce",
     [](int socket, int rank, Buffers& b, size_t bytes) {
       // A half each: the other's is sent and one's own summed as it comes, and the sums are exchanged.
       const size_t half = bytes / 2, count = half / 4;
       const size_t own = rank == 0 ? 0 : count, other = count - own;
       size_t summed = 0;
       exchange(socket, reinterpret_cast<const char*>(&b.send[other]), reinterpret_cast<char*>(b.came.data()),
                half, [&](size_t arrived) {
                  for (; summed < arrived / 4; ++summed)
                    b.recv[own + summed] = b.send[own + summed] + b.came[summed];
                });
       exchange(socket, reinterpret_cast<const char*>(&b.recv[own]), reinterpret_cast<char*>(&b.recv[other]),
                half, [](size_t) {});
     }},
    {"allgather",
     [](int socket, int rank, Buffers& b, size_t bytes) {
       const size_t count = bytes / 8;
       exchange(socket, reinterpret_cast<const char*>(b.send.data()),
                reinterpret_cast<char*>(&b.recv[rank == 0 ? count : 0]), count * 4, [](size_t) {});
       std::memcpy(&b.recv[rank == 0 ? 0 : count], b.send.data(), count * 4);
     }},
    {"sendrecv", [](int socket, int, Buffers& b, size_t bytes) {
       exchange(socket, reinterpret_cast<const char*>(b.send.data()), reinterpret_cast<char*>(b.recv.data()),
                bytes, [](size_t) {});
     }}};

int connectTo(int rank, const char* address, int port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<uint16_t>(port));
  must(inet_pton(AF_INET, address, &at.sin_addr) == 1, "inet_pton");
  const int yes = 1;
  int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (rank == 0) {
    (void)setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    must(bind(socket, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0 && listen(socket, 1) == 0, "listen");
    socket = accept(socket, nullptr, nullptr);
  } else {
    for (int i = 0; connect(socket, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0; ++i) {
      must(i < 500, "connect");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      close(socket);
      socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    }
  }
  (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int rank = std::atoi(argv[1]), socket = connectTo(rank, argv[2], std::atoi(argv[3]));
  const size_t most = peers::sizes().back() / 4 + 16;
  Buffers buffers{std::vector<float>(most), std::vector<float>(most), std::vector<float>(most)};
  for (const auto& [name, operation] : kOperations) {
    if (!peers::isWanted(name)) continue;
    for (const size_t bytes : peers::sizes()) {
      std::vector<double> times;
      const int batch = peers::batchOf(bytes);
      for (int round = -1; round < peers::roundsOf(bytes); ++round) {
        char byte = 0;
        exchange(socket, &byte, &byte, 1, [](size_t) {});
        const double start = peers::now();
        for (int i = 0; i < batch; ++i) operation(socket, rank, buffers, bytes);
        if (round >= 0) times.push_back((peers::now() - start) / batch);
      }
      if (rank == 0) peers::report("direct", name.c_str(), 2, bytes, peers::median(times));
    }
  }
}
