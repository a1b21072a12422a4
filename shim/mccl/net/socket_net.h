// The network layer on TCP. A connection is one socket, or several (MCCL_SOCKET_NTHREADS x
// MCCL_NSOCKS_PERTHREAD) that share large messages. A device is an interface.
#pragma once

#include <vector>

#include "mccl/net/interfaces.h"
#include "mccl/net/net.h"

namespace musashim::mccl {

class SocketNet final : public Net {
 public:
  SocketNet();

  const char* name() const override { return "Socket"; }
  int devices() const override { return static_cast<int>(interfaces_.size()); }
  mcclResult_t properties(int device, NetProperties& properties) override;
  bool needsRegistration() const override { return false; }
  mcclResult_t listen(int device, NetHandle& handle, void*& listenComm) override;
  mcclResult_t connect(int device, NetHandle& handle, void*& sendComm) override;
  mcclResult_t accept(void* listenComm, void*& recvComm) override;
  mcclResult_t regMr(void*, void*, size_t, void*& memory) override;
  mcclResult_t deregMr(void*, void*) override { return mcclSuccess; }
  mcclResult_t isend(void* sendComm, const void* data, size_t bytes, int tag, void* memory,
                     void*& request) override;
  mcclResult_t irecv(void* recvComm, void* data, size_t bytes, int tag, void* memory,
                     void*& request) override;
  mcclResult_t test(void* request, bool& done, size_t& bytes) override;
  void closeSend(void* sendComm) override;
  void closeRecv(void* recvComm) override;
  void closeListen(void* listenComm) override;
  void await(std::span<void* const> comms, std::chrono::microseconds most) override;

 private:
  const std::vector<Interface> interfaces_;
};

}  // namespace musashim::mccl
