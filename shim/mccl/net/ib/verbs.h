// libibverbs, loaded when it is wanted: machines without it do without RDMA.
#pragma once

#include <infiniband/verbs.h>

namespace musashim::mccl {

// The functions that the library exports; what verbs.h has inline goes by a context's own table.
struct Verbs {
  ibv_device** (*getDeviceList)(int* count) = nullptr;
  void (*freeDeviceList)(ibv_device** list) = nullptr;
  const char* (*getDeviceName)(ibv_device* device) = nullptr;
  ibv_context* (*openDevice)(ibv_device* device) = nullptr;
  int (*closeDevice)(ibv_context* context) = nullptr;
  int (*queryPort)(ibv_context* context, uint8_t port, ibv_port_attr* attributes) = nullptr;
  int (*queryGid)(ibv_context* context, uint8_t port, int index, union ibv_gid* gid) = nullptr;
  int (*queryDevice)(ibv_context* context, ibv_device_attr* attributes) = nullptr;
  ibv_pd* (*allocPd)(ibv_context* context) = nullptr;
  int (*deallocPd)(ibv_pd* pd) = nullptr;
  ibv_mr* (*regMr)(ibv_pd* pd, void* address, size_t bytes, int access) = nullptr;
  int (*deregMr)(ibv_mr* mr) = nullptr;
  ibv_cq* (*createCq)(ibv_context* context, int entries, void* user, ibv_comp_channel* channel,
                      int vector) = nullptr;
  int (*destroyCq)(ibv_cq* cq) = nullptr;
  ibv_qp* (*createQp)(ibv_pd* pd, ibv_qp_init_attr* attributes) = nullptr;
  int (*modifyQp)(ibv_qp* qp, ibv_qp_attr* attributes, int mask) = nullptr;
  int (*destroyQp)(ibv_qp* qp) = nullptr;
  const char* (*statusText)(ibv_wc_status status) = nullptr;
};

// Null where there is none.
const Verbs* verbs();

}  // namespace musashim::mccl
