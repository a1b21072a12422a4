#include "mccl/net/ib/ib_net.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "mccl/bootstrap/socket.h"
#include "mccl/comm/roster.h"
#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/device_memory.h"
#include "mccl/net/ib/connection.h"
#include "mccl/net/interfaces.h"

namespace musashim::mccl {
namespace {

struct HandleContent {
  SocketAddress address;
  uint32_t reserved = 0;
  std::array<uint64_t, 2> secret{};
};
static_assert(sizeof(HandleContent) <= sizeof(NetHandle));

// What the side that sends tells over TCP; the other one answers with its address.
struct Greeting {
  std::array<uint64_t, 2> secret{};
  IbAddress address;
};

struct Arrival {
  Fd socket;
  Greeting greeting;
  size_t heard = 0;
};

struct Listening {
  IbDevice* device = nullptr;
  Fd socket;
  HandleContent content;
  std::vector<Arrival> arrivals;
};

// Reads what there is. False when the stream has ended.
bool hear(const Fd& socket, void* data, size_t bytes, size_t& heard) {
  while (heard < bytes) {
    const ssize_t got = recv(socket.get(), static_cast<char*>(data) + heard, bytes - heard, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) return false;
    heard += static_cast<size_t>(got);
  }
  return true;
}

// A connection that is being made is found again by the handle, whose last bytes are the caller's.
IbConnection*& pendingIn(NetHandle& handle) {
  return *reinterpret_cast<IbConnection**>(handle.bytes + sizeof handle.bytes - sizeof(IbConnection*));
}
static_assert(sizeof(HandleContent) + sizeof(IbConnection*) <= sizeof(NetHandle));

IbConnection& asConnection(void* comm) { return *static_cast<IbConnection*>(comm); }

}  // namespace

IbNet::IbNet()
    : devices_(settings().ibDisable ? std::vector<std::unique_ptr<IbDevice>>() : IbDevice::findAll()) {}

mcclResult_t IbNet::properties(int device, NetProperties& properties) {
  IbDevice& one = *devices_.at(static_cast<size_t>(device));
  properties = {};
  properties.name = one.name();
  properties.pciPath = one.pciPath();
  properties.guid = one.guid();
  properties.speedMbps = one.speedMbps();
  properties.port = one.port();
  // As a driver of a real device would have to allow it.
  constexpr size_t kProbe = 64 << 10;
  withDeviceMemory(kProbe, [&](void* memory) { properties.takesDeviceMemory = one.takes(memory, kProbe); });
  logInfo(kNet, "NET/IB : GPU Direct RDMA {} for HCA {} '{}'",
          properties.takesDeviceMemory ? "Enabled" : "Disabled", device, one.name());
  return mcclSuccess;
}

mcclResult_t IbNet::listen(int device, NetHandle& handle, void*& listenComm) {
  Interface chosen;
  MCCL_RETURN_IF_ERROR(chooseInterface(chosen));
  auto listening = std::make_unique<Listening>();
  listening->device = devices_.at(static_cast<size_t>(device)).get();
  listening->content.address = chosen.address;
  listening->content.secret = randomBytes();
  listening->socket = listenTcp(listening->content.address);
  if (!listening->socket)
    return fail(mcclSystemError, "NET/IB : cannot listen on {}: {}", chosen.name, std::strerror(errno));
  handle = {};
  std::memcpy(handle.bytes, &listening->content, sizeof listening->content);
  listenComm = listening.release();
  return mcclSuccess;
}

mcclResult_t IbNet::connect(int device, NetHandle& handle, void*& sendComm) {
  HandleContent content;
  std::memcpy(&content, handle.bytes, sizeof content);
  IbConnection*& pending = pendingIn(handle);
  if (!pending) {
    auto connection = std::make_unique<IbConnection>(*devices_.at(static_cast<size_t>(device)), true);
    MCCL_RETURN_IF_ERROR(connection->open());
    connection->socket = connectTcp(content.address, std::chrono::seconds(5));
    const Greeting greeting{content.secret, connection->address()};
    if (!connection->socket || !sendAll(connection->socket.get(), &greeting, sizeof greeting)) {
      return fail(mcclRemoteError, "NET/IB : cannot connect to {}: {}", content.address.text(),
                  std::strerror(errno));
    }
    pending = connection.release();
  }
  if (!hear(pending->socket, &pending->peer, sizeof pending->peer, pending->heard))
    return fail(mcclRemoteError, "NET/IB : {} has closed the connection", content.address.text());
  if (pending->heard < sizeof pending->peer) return mcclSuccess;
  MCCL_RETURN_IF_ERROR(pending->connect(pending->peer));
  const char ready = 1;
  if (!sendAll(pending->socket.get(), &ready, 1))
    return fail(mcclRemoteError, "NET/IB : {} has closed the connection", content.address.text());
  pending->socket = Fd();
  sendComm = std::exchange(pending, nullptr);
  return mcclSuccess;
}

// Strangers are dropped as soon as they say something else.
mcclResult_t IbNet::accept(void* listenComm, void*& recvComm) {
  recvComm = nullptr;
  Listening& listening = *static_cast<Listening*>(listenComm);
  for (Fd socket; (socket = Fd(accept4(listening.socket.get(), nullptr, nullptr, SOCK_CLOEXEC)));)
    listening.arrivals.push_back({std::move(socket), {}, 0});
  for (Arrival& arrival : listening.arrivals) {
    const bool speaks = hear(arrival.socket, &arrival.greeting, sizeof arrival.greeting, arrival.heard);
    if (speaks && arrival.heard < sizeof arrival.greeting) continue;
    if (!speaks || arrival.greeting.secret != listening.content.secret) {
      arrival.socket = Fd();
      continue;
    }
    auto connection = std::make_unique<IbConnection>(*listening.device, false);
    MCCL_RETURN_IF_ERROR(connection->open());
    MCCL_RETURN_IF_ERROR(connection->connect(arrival.greeting.address));
    const IbAddress own = connection->address();
    connection->socket = std::move(arrival.socket);
    if (!sendAll(connection->socket.get(), &own, sizeof own))
      return fail(mcclRemoteError, "NET/IB : a peer has closed the connection while it was made");
    recvComm = connection.release();
    break;
  }
  std::erase_if(listening.arrivals, [](const Arrival& arrival) { return !arrival.socket; });
  return mcclSuccess;
}

mcclResult_t IbNet::regMr(void* comm, void* data, size_t bytes, void*& memory) {
  ibv_mr* registered = nullptr;
  MCCL_RETURN_IF_ERROR(asConnection(comm).device().registerMemory(data, bytes, registered));
  memory = registered;
  return mcclSuccess;
}

mcclResult_t IbNet::deregMr(void* comm, void* memory) {
  asConnection(comm).device().deregister(static_cast<ibv_mr*>(memory));
  return mcclSuccess;
}

mcclResult_t IbNet::isend(void* sendComm, const void* data, size_t bytes, int tag, void* memory,
                          void*& request) {
  request = asConnection(sendComm).begin(const_cast<void*>(data), bytes, tag, static_cast<ibv_mr*>(memory));
  return asConnection(sendComm).progress();
}

mcclResult_t IbNet::irecv(void* recvComm, void* data, size_t bytes, int tag, void* memory, void*& request) {
  request = asConnection(recvComm).begin(data, bytes, tag, static_cast<ibv_mr*>(memory));
  return asConnection(recvComm).progress();
}

// Devices write into memory that all processors see alike.
mcclResult_t IbNet::iflush(void*, void*, size_t, void*, void*& request) {
  request = nullptr;
  return mcclSuccess;
}

mcclResult_t IbNet::test(void* request, bool& done, size_t& bytes) {
  auto* const one = static_cast<IbRequest*>(request);
  if (!one->isDone) MCCL_RETURN_IF_ERROR(one->connection->progress());
  done = one->isDone;
  if (!done) return mcclSuccess;
  bytes = one->bytes;
  delete one;
  return mcclSuccess;
}

void IbNet::closeSend(void* sendComm) { delete static_cast<IbConnection*>(sendComm); }
void IbNet::closeRecv(void* recvComm) { delete static_cast<IbConnection*>(recvComm); }
void IbNet::closeListen(void* listenComm) { delete static_cast<Listening*>(listenComm); }

void IbNet::await(std::span<void* const>, std::chrono::microseconds most) {
  constexpr auto kShort = std::chrono::microseconds(20);
  std::this_thread::sleep_for(std::min(most, kShort));
}

}  // namespace musashim::mccl
