#include "mccl/net/socket_net.h"

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/reception.h"
#include "mccl/net/socket_stream.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

// What the side that connects says first, on each of its sockets.
struct Greeting {
  std::array<uint64_t, 2> secret{};
  uint32_t index = 0;
  uint32_t sockets = 0;
};

struct Listening {
  Reception reception{sizeof(Greeting)};
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
  const Interface& one = interfaces_.at(static_cast<size_t>(device));
  auto listening = std::make_unique<Listening>();
  listening->sockets.resize(socketsWanted());
  if (!listening->reception.open(one.address, static_cast<uint32_t>(socketsWanted()), handle))
    return fail(mcclSystemError, "NET/Socket : cannot listen on {}: {}", one.name, std::strerror(errno));
  listenComm = listening.release();
  return mcclSuccess;
}

mcclResult_t SocketNet::connect(int device, NetHandle& handle, void*& sendComm) {
  const Invitation invitation = Invitation::in(handle);
  const Interface& from = interfaces_.at(static_cast<size_t>(device));
  std::vector<Fd> sockets;
  for (uint32_t i = 0; i < invitation.sockets; ++i) {
    Fd socket = connectTcp(invitation.address, std::chrono::seconds(5), &from.address);
    // The interface may have no way there: another one's is as good.
    if (!socket && (errno == ENETUNREACH || errno == EHOSTUNREACH || errno == EINVAL))
      socket = connectTcp(invitation.address, std::chrono::seconds(5));
    const Greeting greeting{invitation.secret, i, invitation.sockets};
    if (!socket || !sendAll(socket.get(), &greeting, sizeof greeting)) {
      return fail(mcclRemoteError,
                  "NET/Socket : cannot connect to {} by {}: {}; choose an interface that reaches it with "
                  "MCCL_SOCKET_IFNAME, and let the firewall pass all TCP ports between the hosts",
                  invitation.address.text(), from.name, std::strerror(errno));
    }
    sockets.push_back(std::move(socket));
  }
  sendComm = streamOf(std::move(sockets), true);
  return mcclSuccess;
}

mcclResult_t SocketNet::accept(void* listenComm, void*& recvComm) {
  recvComm = nullptr;
  Listening& listening = *static_cast<Listening*>(listenComm);
  Greeting greeting;
  for (Fd socket; listening.reception.take(socket, &greeting);) {
    const bool isExpected = greeting.sockets == listening.sockets.size() && greeting.index < greeting.sockets;
    if (!isExpected || listening.sockets[greeting.index]) continue;
    listening.sockets[greeting.index] = std::move(socket);
    ++listening.came;
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

mcclResult_t SocketNet::test(void* request, bool& done, size_t& bytes) {
  auto* one = static_cast<SocketRequest*>(request);
  mcclResult_t result = mcclSuccess;
  if (!one->isDone) result = one->stream->progress();
  done = one->isDone;
  if (!done) return result;  // else what failed is behind it, and is told to who asks for that
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
