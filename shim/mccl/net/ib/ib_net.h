// The network layer on RDMA devices, InfiniBand and RoCE. Who receives writes where to, into the memory of
// who sends; that one writes the data there, with a notice. The ends find each other over TCP.
#pragma once

#include <memory>
#include <vector>

#include "mccl/net/ib/device.h"
#include "mccl/net/net.h"

namespace musashim::mccl {

class IbNet final : public Net {
 public:
  IbNet();

  const char* name() const override { return "IB"; }
  int devices() const override { return static_cast<int>(devices_.size()); }
  mcclResult_t properties(int device, NetProperties& properties) override;
  bool needsRegistration() const override { return true; }
  mcclResult_t listen(int device, NetHandle& handle, void*& listenComm) override;
  mcclResult_t connect(int device, NetHandle& handle, void*& sendComm) override;
  mcclResult_t accept(void* listenComm, void*& recvComm) override;
  mcclResult_t regMr(void* comm, void* data, size_t bytes, void*& memory) override;
  mcclResult_t deregMr(void* comm, void* memory) override;
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
  const std::vector<std::unique_ptr<IbDevice>> devices_;
};

}  // namespace musashim::mccl
