#include "mccl/net/ib/device.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/device_memory.h"
#include "mccl/net/ib/hca_list.h"

namespace musashim::mccl {
namespace {

constexpr int kAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;

std::string gidFile(const std::string& device, int port, const char* what, int index) {
  std::ifstream file(fmt::format("/sys/class/infiniband/{}/ports/{}/{}/{}", device, port, what, index));
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::vector<std::unique_ptr<IbDevice>> IbDevice::findAll() {
  std::vector<std::unique_ptr<IbDevice>> found;
  int count = 0;
  ibv_device** const list = verbs() ? verbs()->getDeviceList(&count) : nullptr;
  for (int i = 0; list && i < count; ++i) {
    const std::string name = verbs()->getDeviceName(list[i]);
    ibv_context* const look = verbs()->openDevice(list[i]);
    ibv_device_attr attributes{};
    if (!look || verbs()->queryDevice(look, &attributes) != 0) continue;
    for (int port = 1; port <= attributes.phys_port_cnt; ++port) {
      ibv_port_attr state{};
      const bool isActive =
          verbs()->queryPort(look, static_cast<uint8_t>(port), &state) == 0 && state.state == IBV_PORT_ACTIVE;
      if (!isActive || !takesHca(settings().ibHca, name, port)) continue;
      ibv_context* const context = verbs()->openDevice(list[i]);
      if (!context) continue;
      std::unique_ptr<IbDevice> device(new IbDevice(context, name, port, state));
      device->guid_ = attributes.sys_image_guid;
      if (device->open()) found.push_back(std::move(device));
    }
    (void)verbs()->closeDevice(look);
  }
  if (list) verbs()->freeDeviceList(list);
  return found;
}

bool IbDevice::open() {
  pd_ = verbs()->allocPd(context_);
  return pd_ && chooseGid();
}

// MCCL_IB_GID_INDEX, or the first of RoCE version 2 with an IPv4 address, or of version 2, or index 0.
bool IbDevice::chooseGid() {
  const auto query = [&](int index, ibv_gid& gid) {
    return verbs()->queryGid(context_, static_cast<uint8_t>(port_), index, &gid) == 0;
  };
  gidIndex_ = settings().ibGidIndex;
  if (gidIndex_ >= 0) return query(gidIndex_, gid_);
  gidIndex_ = 0;
  int best = -1;
  for (int index = 0; isRoce() && index < attributes_.gid_tbl_len; ++index) {
    ibv_gid gid{};
    if (!query(index, gid)) continue;
    const bool isEmpty = std::all_of(gid.raw, gid.raw + 16, [](uint8_t byte) { return byte == 0; });
    if (isEmpty || gidFile(name_, port_, "gid_attrs/types", index) != "RoCE v2") continue;
    constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const int rank = std::memcmp(gid.raw, kMapped, sizeof kMapped) == 0 ? 2 : 1;
    if (rank <= best) continue;
    best = rank;
    gidIndex_ = index;
  }
  return query(gidIndex_, gid_);
}

IbDevice::~IbDevice() {
  for (const auto& [range, registration] : registrations_) (void)verbs()->deregMr(registration.memory);
  if (pd_) (void)verbs()->deallocPd(pd_);
  (void)verbs()->closeDevice(context_);
}

// Width times the speed of a lane.
int IbDevice::speedMbps() const {
  const int width = attributes_.active_width == 1   ? 1
                    : attributes_.active_width == 2 ? 4
                    : attributes_.active_width == 4 ? 8
                    : attributes_.active_width == 8 ? 12
                                                    : 2;
  const int lane = attributes_.active_speed == 1    ? 2500
                   : attributes_.active_speed == 2  ? 5000
                   : attributes_.active_speed == 4  ? 10000
                   : attributes_.active_speed == 8  ? 10000
                   : attributes_.active_speed == 16 ? 14000
                   : attributes_.active_speed == 32 ? 25000
                   : attributes_.active_speed == 64 ? 50000
                                                    : 100000;
  return width * lane;
}

std::string IbDevice::pciPath() const {
  char path[PATH_MAX];
  return realpath(("/sys/class/infiniband/" + name_ + "/device").c_str(), path) ? path : "";
}

mcclResult_t IbDevice::registerMemory(void* data, size_t bytes, ibv_mr*& memory) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(data) / page * page;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(data) + bytes + page - 1) / page * page;
  std::lock_guard lock(mutex_);
  for (auto& [range, registration] : registrations_) {
    if (range.first > begin || range.second < end) continue;
    ++registration.users;
    memory = registration.memory;
    return mcclSuccess;
  }
  memory = verbs()->regMr(pd_, reinterpret_cast<void*>(begin), end - begin, kAccess);
  if (!memory) {
    return fail(mcclSystemError, "NET/IB : {} cannot register {} bytes: {}{}", name_, end - begin,
                std::strerror(errno),
                errno == ENOMEM ? "; raise the limit of locked memory (ulimit -l)" : "");
  }
  registrations_[{begin, end}] = {memory, 1};
  return mcclSuccess;
}

void IbDevice::deregister(ibv_mr* memory) {
  std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(registrations_, [&](const auto& entry) { return entry.second.memory == memory; });
  if (found == registrations_.end() || --found->second.users > 0) return;
  (void)verbs()->deregMr(memory);
  registrations_.erase(found);
}

bool IbDevice::takesDeviceMemory(int number) {
  constexpr size_t kProbe = 64 << 10;
  std::call_once(hasTried_, [&] {
    withDeviceMemory(kProbe, [&](void* data) {
      ibv_mr* const memory = verbs()->regMr(pd_, data, kProbe, kAccess);
      takesDeviceMemory_ = memory != nullptr;
      if (memory) (void)verbs()->deregMr(memory);
    });
    logInfo(kNet, "NET/IB : GPU Direct RDMA {} for HCA {} '{}'", takesDeviceMemory_ ? "Enabled" : "Disabled",
            number, name_);
  });
  return takesDeviceMemory_;
}

}  // namespace musashim::mccl
