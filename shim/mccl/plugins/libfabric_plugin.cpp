// Data between hosts by libfabric: MCCL_NET_PLUGIN=libfabric. It is a library of its own, by the public
// header alone, so that libmccl needs no libfabric; and an example of a plugin that rides on another engine.
//
// Each interface of the provider is a device with an endpoint for each direction. A connection is a tag of
// the receiver's; what libmccl calls a tag goes as the message's remote data. FI_PROVIDER chooses the
// provider ("tcp;ofi_rxm").
#include <mccl_net.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

// Objects of libfabric, closed in the order of their members turned round.
template <class T>
class Closing {
 public:
  Closing() = default;
  ~Closing() {
    if (object_) fi_close(&object_->fid);
  }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  T** out() { return &object_; }
  T* get() const { return object_; }

 private:
  T* object_ = nullptr;
};

struct Device {
  fi_info* info = nullptr;
  std::string name;
  std::mutex mutex;  // of what follows
  bool isOpen = false;
  Closing<fid_fabric> fabric;
  Closing<fid_domain> domain;
  Closing<fid_av> addresses;
  // One to send and one to receive by, so that never two connect to each other at the same time.
  Closing<fid_cq> sent, received;
  Closing<fid_ep> out, in;
  uint64_t nextTag = 1;
  int speedMbps = 10000;
};

struct Listening {
  Device* device;
  uint64_t tag;
};

struct Comm {
  Device* device;
  uint64_t tag;
  fi_addr_t peer = FI_ADDR_UNSPEC;
  bool isFull = false;
};

struct Request {
  fi_context2 context;  // first: libfabric hands it back
  Comm* comm;
  size_t bytes;
  uint32_t tag;
  bool sends;
  bool isDone = false;
  int error = 0;
};

// What a listener tells, by libmccl's bootstrap.
struct Invitation {
  uint64_t tag;
  uint64_t nameBytes;
  std::array<char, 96> name;
};
static_assert(sizeof(Invitation) <= MCCL_NET_HANDLE_MAXSIZE);

mcclDebugLogger_t theLog;
std::vector<std::unique_ptr<Device>> theDevices;

mcclResult_t failed(const char* what, long error) {
  theLog(MCCL_LOG_WARN, ~0ul, __FILE__, __LINE__, "NET/libfabric : %s: %s", what,
         fi_strerror(static_cast<int>(std::labs(error))));
  return mcclSystemError;
}

#define MUST_BE_GOOD(call)                         \
  do {                                             \
    const int result = static_cast<int>(call);     \
    if (result != 0) return failed(#call, result); \
  } while (false)

bool isLoopback(const fi_info& info) {
  const auto* address = static_cast<const sockaddr*>(info.src_addr);
  return std::strcmp(info.domain_attr->name, "lo") == 0 || !address;
}

// One for each interface; the loopback where there is nothing else.
mcclResult_t init(mcclDebugLogger_t log) {
  theLog = log;
  const std::unique_ptr<fi_info, void (*)(fi_info*)> hints(fi_allocinfo(), fi_freeinfo);
  hints->ep_attr->type = FI_EP_RDM;
  hints->caps = FI_TAGGED;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->addr_format = FI_SOCKADDR_IN;
  hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->domain_attr->cq_data_size = sizeof(uint32_t);
  hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
  const char* const provider = std::getenv("FI_PROVIDER");
  hints->fabric_attr->prov_name = strdup(provider ? provider : "sockets");
  fi_info* found = nullptr;
  const int result = fi_getinfo(FI_VERSION(1, 11), nullptr, nullptr, 0, hints.get(), &found);
  if (result != 0) return failed("fi_getinfo", result);
  for (const bool loopback : {false, true}) {
    for (fi_info* one = found; one && (!loopback || theDevices.empty()); one = one->next) {
      const auto isOf = [&](const std::unique_ptr<Device>& device) {
        return device->name == one->domain_attr->name;
      };
      if (isLoopback(*one) != loopback || std::any_of(theDevices.begin(), theDevices.end(), isOf)) continue;
      auto device = std::make_unique<Device>();
      device->info = fi_dupinfo(one);
      device->name = one->domain_attr->name;
      if (one->nic && one->nic->link_attr && one->nic->link_attr->speed > 0)
        device->speedMbps = static_cast<int>(one->nic->link_attr->speed / 1000000);
      theDevices.push_back(std::move(device));
    }
  }
  fi_freeinfo(found);
  log(MCCL_LOG_INFO, ~0ul, __FILE__, __LINE__, "NET/libfabric : %d devices of provider %s",
      static_cast<int>(theDevices.size()),
      theDevices.empty() ? "none" : theDevices[0]->info->fabric_attr->prov_name);
  return theDevices.empty() ? mcclSystemError : mcclSuccess;
}

mcclResult_t devices(int* count) {
  *count = static_cast<int>(theDevices.size());
  return mcclSuccess;
}

mcclResult_t getProperties(int index, mcclNetProperties_v9_t* properties) {
  if (index < 0 || index >= static_cast<int>(theDevices.size())) return mcclInvalidArgument;
  Device& device = *theDevices[static_cast<size_t>(index)];
  *properties = {};
  properties->name = device.name.data();
  properties->ptrSupport = MCCL_PTR_HOST;
  properties->speed = device.speedMbps;
  properties->maxComms = 65536;
  properties->maxRecvs = 1;
  properties->maxP2pBytes = properties->maxCollBytes = device.info->ep_attr->max_msg_size;
  return mcclSuccess;
}

// With the lock.
mcclResult_t open(Device& device) {
  if (device.isOpen) return mcclSuccess;
  fi_info* const info = device.info;
  MUST_BE_GOOD(fi_fabric(info->fabric_attr, device.fabric.out(), nullptr));
  MUST_BE_GOOD(fi_domain(device.fabric.get(), info, device.domain.out(), nullptr));
  fi_av_attr addresses{};
  addresses.type = FI_AV_TABLE;
  MUST_BE_GOOD(fi_av_open(device.domain.get(), &addresses, device.addresses.out(), nullptr));
  for (const auto& [queue, endpoint] :
       {std::pair(&device.sent, &device.out), {&device.received, &device.in}}) {
    fi_cq_attr attributes{};
    attributes.format = FI_CQ_FORMAT_TAGGED;
    attributes.size = 4096;
    MUST_BE_GOOD(fi_cq_open(device.domain.get(), &attributes, queue->out(), nullptr));
    MUST_BE_GOOD(fi_endpoint(device.domain.get(), info, endpoint->out(), nullptr));
    MUST_BE_GOOD(fi_ep_bind(endpoint->get(), &device.addresses.get()->fid, 0));
    MUST_BE_GOOD(fi_ep_bind(endpoint->get(), &queue->get()->fid, FI_TRANSMIT | FI_RECV));
    MUST_BE_GOOD(fi_enable(endpoint->get()));
  }
  device.isOpen = true;
  return mcclSuccess;
}

mcclResult_t listenOn(int index, void* handle, void** listenComm) {
  Device& device = *theDevices.at(static_cast<size_t>(index));
  const std::lock_guard lock(device.mutex);
  if (const mcclResult_t result = open(device); result != mcclSuccess) return result;
  Invitation invitation{device.nextTag++, 0, {}};
  size_t bytes = invitation.name.size();
  MUST_BE_GOOD(fi_getname(&device.in.get()->fid, invitation.name.data(), &bytes));
  invitation.nameBytes = bytes;
  std::memcpy(handle, &invitation, sizeof invitation);
  *listenComm = new Listening{&device, invitation.tag};
  return mcclSuccess;
}

mcclResult_t connectBy(int index, void* handle, void** sendComm, void**) {
  Device& device = *theDevices.at(static_cast<size_t>(index));
  const std::lock_guard lock(device.mutex);
  if (const mcclResult_t result = open(device); result != mcclSuccess) return result;
  Invitation invitation;
  std::memcpy(&invitation, handle, sizeof invitation);
  auto comm = std::make_unique<Comm>(Comm{&device, invitation.tag});
  if (fi_av_insert(device.addresses.get(), invitation.name.data(), 1, &comm->peer, 0, nullptr) != 1)
    return failed("fi_av_insert", FI_EADDRNOTAVAIL);
  *sendComm = comm.release();
  return mcclSuccess;
}

// Who sends connects with the first message.
mcclResult_t acceptFrom(void* listenComm, void** recvComm, void**) {
  const auto& listening = *static_cast<Listening*>(listenComm);
  *recvComm = new Comm{listening.device, listening.tag};
  return mcclSuccess;
}

mcclResult_t regMr(void* comm, void* data, size_t size, int type, void** handle) {
  if (type != MCCL_PTR_HOST) return mcclInternalError;
  Device& device = *static_cast<Comm*>(comm)->device;
  const std::lock_guard lock(device.mutex);
  fid_mr* memory = nullptr;
  if ((device.info->domain_attr->mr_mode & FI_MR_LOCAL) != 0)
    MUST_BE_GOOD(fi_mr_reg(device.domain.get(), data, size, FI_SEND | FI_RECV, 0, 0, 0, &memory, nullptr));
  *handle = memory;
  return mcclSuccess;
}

mcclResult_t regMrDmaBuf(void*, void*, size_t, int, uint64_t, int, void**) { return mcclInternalError; }

mcclResult_t deregMr(void*, void* handle) {
  if (handle) fi_close(&static_cast<fid_mr*>(handle)->fid);
  return mcclSuccess;
}

void* descriptorOf(void* handle) { return handle ? fi_mr_desc(static_cast<fid_mr*>(handle)) : nullptr; }

// With the lock: takes what has been done, of whatever connection.
mcclResult_t lookAt(fid_cq* queue) {
  std::array<fi_cq_tagged_entry, 16> entries;
  while (true) {
    const ssize_t count = fi_cq_read(queue, entries.data(), entries.size());
    if (count == 0 || count == -FI_EAGAIN) return mcclSuccess;
    if (count == -FI_EAVAIL) {
      fi_cq_err_entry error{};
      if (fi_cq_readerr(queue, &error, 0) < 1 || !error.op_context) return mcclSuccess;
      auto* const request = static_cast<Request*>(error.op_context);
      request->error = error.err;
      request->isDone = true;
      continue;
    }
    if (count < 0) return failed("fi_cq_read", count);
    for (ssize_t i = 0; i < count; ++i) {
      const fi_cq_tagged_entry& entry = entries[static_cast<size_t>(i)];
      auto* const request = static_cast<Request*>(entry.op_context);
      request->isDone = true;
      if (request->sends) continue;
      request->bytes = entry.len;
      if (entry.data != request->tag) request->error = FI_ENOMSG;
    }
  }
}

// What others wait for may have to be moved on as well.
mcclResult_t look(Device& device) {
  const mcclResult_t result = lookAt(device.sent.get());
  return result == mcclSuccess ? lookAt(device.received.get()) : result;
}

// A null request: not now.
mcclResult_t begin(Comm& comm, void* data, size_t bytes, int tag, void* handle, bool sends, void** request) {
  Device& device = *comm.device;
  const std::lock_guard lock(device.mutex);
  *request = nullptr;
  auto made = std::make_unique<Request>();
  made->comm = &comm;
  made->bytes = bytes;
  made->tag = static_cast<uint32_t>(tag);
  made->sends = sends;
  const ssize_t result = sends ? fi_tsenddata(device.out.get(), data, bytes, descriptorOf(handle), made->tag,
                                              comm.peer, comm.tag, &made->context)
                               : fi_trecv(device.in.get(), data, bytes, descriptorOf(handle), FI_ADDR_UNSPEC,
                                          comm.tag, 0, &made->context);
  if (result == -FI_EAGAIN) return look(device);
  if (result != 0) {
    (void)failed(sends ? "fi_tsenddata" : "fi_trecv", result);
    return mcclRemoteError;
  }
  *request = made.release();
  return mcclSuccess;
}

mcclResult_t isend(void* comm, void* data, size_t size, int tag, void* handle, void** request) {
  return begin(*static_cast<Comm*>(comm), data, size, tag, handle, true, request);
}

mcclResult_t irecv(void* comm, int n, void** data, size_t* sizes, int* tags, void** handles, void** request) {
  if (n != 1) return mcclInternalError;
  return begin(*static_cast<Comm*>(comm), data[0], sizes[0], tags[0], handles[0], false, request);
}

mcclResult_t iflush(void*, int, void**, int*, void**, void** request) {
  *request = nullptr;
  return mcclSuccess;
}

mcclResult_t test(void* handle, int* done, int* sizes) {
  const auto* request = static_cast<Request*>(handle);
  Device& device = *request->comm->device;
  const std::lock_guard lock(device.mutex);
  if (!request->isDone) {
    if (const mcclResult_t result = look(device); result != mcclSuccess) return result;
  }
  *done = request->isDone ? 1 : 0;
  if (!request->isDone) return mcclSuccess;
  const int error = request->error;
  if (sizes) *sizes = static_cast<int>(request->bytes);
  delete request;
  if (error == 0) return mcclSuccess;
  if (error != FI_ECANCELED) (void)failed("a message", error);
  return error == FI_ENOMSG || error == FI_ETRUNC ? mcclInvalidUsage : mcclRemoteError;
}

mcclResult_t closeComm(void* comm) {
  delete static_cast<Comm*>(comm);
  return mcclSuccess;
}

mcclResult_t closeListen(void* comm) {
  delete static_cast<Listening*>(comm);
  return mcclSuccess;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) mcclNet_v9_t mcclNetPlugin_v9 = [] {
  mcclNet_v9_t table{};
  table.name = "libfabric";
  table.init = init;
  table.devices = devices;
  table.getProperties = getProperties;
  table.listen = listenOn;
  table.connect = connectBy;
  table.accept = acceptFrom;
  table.regMr = regMr;
  table.regMrDmaBuf = regMrDmaBuf;
  table.deregMr = deregMr;
  table.isend = isend;
  table.irecv = irecv;
  table.iflush = iflush;
  table.test = test;
  table.closeSend = closeComm;
  table.closeRecv = closeComm;
  table.closeListen = closeListen;
  return table;
}();
