// A port of an RDMA device, and the memory that is registered with it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mccl.h"
#include "mccl/net/ib/verbs.h"

namespace musashim::mccl {

class IbDevice {
 public:
  // The active ports that the settings take, each opened; none without libibverbs or devices.
  static std::vector<std::unique_ptr<IbDevice>> findAll();
  ~IbDevice();
  IbDevice(const IbDevice&) = delete;
  IbDevice& operator=(const IbDevice&) = delete;

  const std::string& name() const { return name_; }
  int port() const { return port_; }
  bool isRoce() const { return attributes_.link_layer == IBV_LINK_LAYER_ETHERNET; }
  uint16_t lid() const { return attributes_.lid; }
  ibv_mtu mtu() const { return attributes_.active_mtu; }
  int gidIndex() const { return gidIndex_; }
  const ibv_gid& gid() const { return gid_; }
  uint64_t guid() const { return guid_; }
  int speedMbps() const;
  std::string pciPath() const;
  ibv_context* context() const { return context_; }
  ibv_pd* pd() const { return pd_; }

  // Pages that are registered already are so once; those of each call are let go by the last deregister().
  mcclResult_t registerMemory(void* data, size_t bytes, ibv_mr*& memory);
  void deregister(ibv_mr* memory);

  // Whether a device's memory can be registered with it: tried once, and said with its number.
  bool takesDeviceMemory(int number);

 private:
  struct Registration {
    ibv_mr* memory;
    int users;
  };
  IbDevice(ibv_context* context, std::string name, int port, const ibv_port_attr& attributes)
      : context_(context), name_(std::move(name)), port_(port), attributes_(attributes) {}
  bool open();
  bool chooseGid();

  ibv_context* const context_;
  const std::string name_;
  const int port_;
  const ibv_port_attr attributes_;
  ibv_pd* pd_ = nullptr;
  int gidIndex_ = 0;
  ibv_gid gid_{};
  uint64_t guid_ = 0;
  std::once_flag hasTried_;
  bool takesDeviceMemory_ = false;
  std::mutex mutex_;                                                       // of what follows
  std::map<std::pair<uintptr_t, uintptr_t>, Registration> registrations_;  // by first page and end
};

}  // namespace musashim::mccl
