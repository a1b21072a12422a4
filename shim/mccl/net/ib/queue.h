// A reliable connection between two ports: a queue pair with its completions, and what its ends tell each
// other first.
#pragma once

#include "mccl/net/ib/device.h"

namespace musashim::mccl {

// How one end is reached; goes over a socket as it is.
struct IbAddress {
  uint32_t queue = 0;
  uint32_t packet = 0;  // number of its first
  uint32_t mtu = 0;
  uint16_t lid = 0;
  uint16_t isRoce = 0;
  uint8_t gid[16] = {};
  // Where its peer writes what it can take.
  uint64_t fifo = 0;
  uint32_t fifoKey = 0;
  uint32_t reserved = 0;
};

class IbQueue {
 public:
  explicit IbQueue(IbDevice& device) : device_(device) {}
  ~IbQueue();
  IbQueue(const IbQueue&) = delete;
  IbQueue& operator=(const IbQueue&) = delete;

  mcclResult_t open(int requests);
  IbAddress address() const;
  mcclResult_t connect(const IbAddress& peer);

  ibv_qp* pair() const { return pair_; }
  ibv_cq* completions() const { return completions_; }
  IbDevice& device() const { return device_; }

 private:
  IbDevice& device_;
  ibv_cq* completions_ = nullptr;
  ibv_qp* pair_ = nullptr;
  uint32_t packet_ = 0;
};

}  // namespace musashim::mccl
