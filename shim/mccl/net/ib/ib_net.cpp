#include "mccl/net/ib/ib_net.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/ib/connection.h"
#include "mccl/net/interfaces.h"
#include "mccl/net/reception.h"

namespace musashim::mccl {
namespace {

// What the side that sends tells over TCP; the other one answers with its address.
struct Greeting {
  std::array<uint64_t, 2> secret{};
  IbAddress address;
};

struct Listening {
  IbDevice* device = nullptr;
  Reception reception{sizeof(Greeting)};
};

// A connection that is being made is found again by the handle, whose last bytes are the caller's.
IbConnection*& pendingIn(NetHandle& handle) {
  return *reinterpret_cast<IbConnection**>(handle.bytes + sizeof handle.bytes - sizeof(IbConnection*));
}
static_assert(sizeof(Invitation) + sizeof(IbConnection*) <= sizeof(NetHandle));

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
  properties.takesDeviceMemory = one.takesDeviceMemory(device);
  return mcclSuccess;
}

mcclResult_t IbNet::listen(int device, NetHandle& handle, void*& listenComm) {
  Interface chosen;
  MCCL_RETURN_IF_ERROR(chooseInterface(chosen));
  auto listening = std::make_unique<Listening>();
  listening->device = devices_.at(static_cast<size_t>(device)).get();
  if (!listening->reception.open(chosen.address, 1, handle))
    return fail(mcclSystemError, "NET/IB : cannot listen on {}: {}", chosen.name, std::strerror(errno));
  listenComm = listening.release();
  return mcclSuccess;
}

mcclResult_t IbNet::connect(int device, NetHandle& handle, void*& sendComm) {
  const Invitation invitation = Invitation::in(handle);
  IbConnection*& pending = pendingIn(handle);
  if (!pending) {
    auto connection = std::make_unique<IbConnection>(*devices_.at(static_cast<size_t>(device)), true);
    MCCL_RETURN_IF_ERROR(connection->open());
    connection->socket = connectTcp(invitation.address, std::chrono::seconds(5));
    const Greeting greeting{invitation.secret, connection->address()};
    if (!connection->socket || !sendAll(connection->socket.get(), &greeting, sizeof greeting)) {
      return fail(mcclRemoteError, "NET/IB : cannot connect to {}: {}", invitation.address.text(),
                  std::strerror(errno));
    }
    pending = connection.release();
  }
  if (!receiveSome(pending->socket.get(), &pending->peer, sizeof pending->peer, pending->heard))
    return fail(mcclRemoteError, "NET/IB : {} has closed the connection", invitation.address.text());
  if (pending->heard < sizeof pending->peer) return mcclSuccess;
  MCCL_RETURN_IF_ERROR(pending->connect(pending->peer));
  const char ready = 1;
  if (!sendAll(pending->socket.get(), &ready, 1))
    return fail(mcclRemoteError, "NET/IB : {} has closed the connection", invitation.address.text());
  pending->socket = Fd();
  sendComm = std::exchange(pending, nullptr);
  return mcclSuccess;
}

mcclResult_t IbNet::accept(void* listenComm, void*& recvComm) {
  recvComm = nullptr;
  Listening& listening = *static_cast<Listening*>(listenComm);
  Fd socket;
  Greeting greeting;
  if (!listening.reception.take(socket, &greeting)) return mcclSuccess;
  auto connection = std::make_unique<IbConnection>(*listening.device, false);
  MCCL_RETURN_IF_ERROR(connection->open());
  MCCL_RETURN_IF_ERROR(connection->connect(greeting.address));
  const IbAddress own = connection->address();
  connection->socket = std::move(socket);
  if (!sendAll(connection->socket.get(), &own, sizeof own))
    return fail(mcclRemoteError, "NET/IB : a peer has closed the connection while it was made");
  recvComm = connection.release();
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
