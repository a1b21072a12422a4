#include "mccl/net/socket_net.h"

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "mccl/bootstrap/socket.h"
#include "mccl/comm/roster.h"
#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/socket_stream.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

using Secret = std::array<uint64_t, 2>;

struct HandleContent {
  SocketAddress address;
  uint32_t sockets = 1;
  Secret secret{};
};
static_assert(sizeof(HandleContent) <= sizeof(NetHandle));

// What the side that connects says first, on each of its sockets.
struct Greeting {
  Secret secret{};
  uint32_t index = 0;
  uint32_t sockets = 0;
};

// Who has connected, and has not said all of its greeting.
struct Arrival {
  Fd socket;
  Greeting greeting;
  size_t heard = 0;
};

struct Listening {
  Fd socket;
  HandleContent content;
  std::vector<Arrival> arrivals;
  std::vector<Fd> sockets;
  size_t came = 0;
};

size_t threadsWanted() { return std::min<size_t>(settings().socketThreads, 16); }
size_t socketsWanted() {
  return std::clamp<size_t>(std::max<size_t>(1, threadsWanted()) * settings().socketsEach, 1, 64);
}

// Small messages go at once. What is not confirmed for so long is a failure of the network.
void prepare(const Fd& socket) {
  const int yes = 1;
  const unsigned patience = 8000;  // ms
  (void)setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  (void)setsockopt(socket.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

std::string peerOf(const Fd& socket) {
  SocketAddress address;
  socklen_t length = sizeof address;
  return getpeername(socket.get(), &address.plain, &length) == 0 ? address.text() : "its peer";
}

void* streamOf(std::vector<Fd> sockets, bool sends) {
  for (const Fd& socket : sockets) prepare(socket);
  std::string peer = peerOf(sockets[0]);
  return new SocketStream(std::move(sockets), sends, threadsWanted(), std::move(peer));
}

SocketStream& asStream(void* comm) { return *static_cast<SocketStream*>(comm); }

// Reads what there is of a greeting. False when it is none that is expected.
bool hear(Arrival& arrival, const HandleContent& content) {
  char* const at = reinterpret_cast<char*>(&arrival.greeting) + arrival.heard;
  const ssize_t got = recv(arrival.socket.get(), at, sizeof(Greeting) - arrival.heard, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) return false;
  arrival.heard += static_cast<size_t>(got);
  if (arrival.heard < sizeof(Greeting)) return true;
  const Greeting& greeting = arrival.greeting;
  return greeting.secret == content.secret && greeting.sockets == content.sockets &&
         greeting.index < content.sockets;
}

}  // namespace

SocketNet::SocketNet() : interfaces_(findInterfaces()) {}

mcclResult_t SocketNet::properties(int device, NetProperties& properties) {
  const Interface& one = interfaces_.at(static_cast<size_t>(device));
  properties = {};
  properties.name = one.name;
  properties.pciPath = one.pciPath;
  properties.speedMbps = one.speedMbps;
  return mcclSuccess;
}

mcclResult_t SocketNet::listen(int device, NetHandle& handle, void*& listenComm) {
  auto listening = std::make_unique<Listening>();
  HandleContent& content = listening->content;
  content.address = interfaces_.at(static_cast<size_t>(device)).address;
  content.sockets = static_cast<uint32_t>(socketsWanted());
  content.secret = randomBytes();
  listening->socket = listenTcp(content.address);
  if (!listening->socket) {
    return fail(mcclSystemError, "NET/Socket : cannot listen on {}: {}",
                interfaces_[static_cast<size_t>(device)].name, std::strerror(errno));
  }
  listening->sockets.resize(content.sockets);
  std::memcpy(handle.bytes, &content, sizeof content);
  listenComm = listening.release();
  return mcclSuccess;
}

mcclResult_t SocketNet::connect(int device, NetHandle& handle, void*& sendComm) {
  HandleContent content;
  std::memcpy(&content, handle.bytes, sizeof content);
  std::vector<Fd> sockets;
  const SocketAddress& from = interfaces_.at(static_cast<size_t>(device)).address;
  for (uint32_t i = 0; i < content.sockets; ++i) {
    Fd socket = connectTcp(content.address, std::chrono::seconds(5), &from);
    const Greeting greeting{content.secret, i, content.sockets};
    if (!socket || !sendAll(socket.get(), &greeting, sizeof greeting)) {
      return fail(mcclRemoteError,
                  "NET/Socket : cannot connect to {} by {}: {}; choose an interface that reaches it with "
                  "MCCL_SOCKET_IFNAME, and let the firewall pass all TCP ports between the hosts",
                  content.address.text(), interfaces_[static_cast<size_t>(device)].name,
                  std::strerror(errno));
    }
    sockets.push_back(std::move(socket));
  }
  sendComm = streamOf(std::move(sockets), true);
  return mcclSuccess;
}

mcclResult_t SocketNet::accept(void* listenComm, void*& recvComm) {
  recvComm = nullptr;
  Listening& listening = *static_cast<Listening*>(listenComm);
  while (true) {
    Fd socket(accept4(listening.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket) break;
    listening.arrivals.push_back({std::move(socket), {}, 0});
  }
  // Strangers are dropped as soon as they say something else.
  for (size_t i = 0; i < listening.arrivals.size();) {
    Arrival& arrival = listening.arrivals[i];
    const bool isExpected = hear(arrival, listening.content);
    if (isExpected && arrival.heard < sizeof(Greeting)) {
      ++i;
      continue;
    }
    if (isExpected && !listening.sockets[arrival.greeting.index]) {
      listening.sockets[arrival.greeting.index] = std::move(arrival.socket);
      ++listening.came;
    }
    listening.arrivals.erase(listening.arrivals.begin() + static_cast<ptrdiff_t>(i));
  }
  if (listening.came == listening.sockets.size()) recvComm = streamOf(std::move(listening.sockets), false);
  return mcclSuccess;
}

mcclResult_t SocketNet::regMr(void*, void*, size_t, void*& memory) {
  memory = nullptr;
  return mcclSuccess;
}

mcclResult_t SocketNet::isend(void* sendComm, const void* data, size_t bytes, int tag, void*,
                              void*& request) {
  request = asStream(sendComm).begin(const_cast<void*>(data), bytes, tag);
  return asStream(sendComm).progress();
}

mcclResult_t SocketNet::irecv(void* recvComm, void* data, size_t bytes, int tag, void*, void*& request) {
  request = asStream(recvComm).begin(data, bytes, tag);
  return mcclSuccess;
}

mcclResult_t SocketNet::iflush(void*, void*, size_t, void*, void*& request) {
  request = nullptr;
  return mcclSuccess;
}

mcclResult_t SocketNet::test(void* request, bool& done, size_t& bytes) {
  auto* one = static_cast<SocketRequest*>(request);
  done = one->isDone;
  if (!done) {
    if (const mcclResult_t result = one->stream->progress(); result != mcclSuccess) return result;
    done = one->isDone;
  }
  if (!done) return mcclSuccess;
  bytes = one->bytes;
  delete one;
  return mcclSuccess;
}

void SocketNet::closeSend(void* sendComm) { delete static_cast<SocketStream*>(sendComm); }
void SocketNet::closeRecv(void* recvComm) { delete static_cast<SocketStream*>(recvComm); }
void SocketNet::closeListen(void* listenComm) { delete static_cast<Listening*>(listenComm); }

void SocketNet::await(std::span<void* const> comms, std::chrono::microseconds most) {
  struct Polls {  // one memory for all calls
    std::vector<pollfd> list;
  };
  std::vector<pollfd>& polls = support::PerThread<Polls>::get().list;
  polls.clear();
  for (void* comm : comms) asStream(comm).addTo(polls);
  const timespec limit{static_cast<time_t>(most.count() / 1000000), most.count() % 1000000 * 1000};
  (void)ppoll(polls.data(), polls.size(), &limit, nullptr);
}

}  // namespace musashim::mccl
