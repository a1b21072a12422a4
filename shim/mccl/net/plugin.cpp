#include "mccl/net/plugin.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <thread>
#include <type_traits>
#include <vector>

#include "mccl/core/log.h"
#include "mccl_net.h"

namespace musashim::mccl {
namespace {

void logOfPlugins(mcclDebugLogLevel level, unsigned long, const char*, int, const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  (void)std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (level == MCCL_LOG_WARN) {
    (void)fail(mcclSystemError, "{}", static_cast<const char*>(text));
  } else {
    logInfo(kNet, "{}", static_cast<const char*>(text));
  }
}

// A table of any version, as our interface.
template <class Table>
class PluginNet final : public Net {
 public:
  PluginNet(const Table& table, int version) : table_(table), name_(table.name), version_(version) {}

  // False when it has nothing to offer here.
  bool init() {
    mcclResult_t result = mcclSuccess;
    if constexpr (kHasContext) {
      result = table_.init(&context_, 0, &config_, &logOfPlugins, nullptr);
    } else if constexpr (kHasConfig) {
      result = table_.init(&logOfPlugins, nullptr);
    } else {
      result = table_.init(&logOfPlugins);
    }
    if (result != mcclSuccess || table_.devices(&devices_) != mcclSuccess || devices_ <= 0) return false;
    Properties first{};
    if (table_.getProperties(0, &first) != mcclSuccess) return false;
    logInfo(kNet, "NET/Plugin : Using {} (v{}), {} devices", name_, version_, devices_);
    return true;
  }

  const char* name() const override { return name_.c_str(); }
  int devices() const override { return devices_; }
  bool needsRegistration() const override { return true; }

  mcclResult_t properties(int device, NetProperties& properties) override {
    Properties given{};
    MCCL_RETURN_IF_ERROR(checked(table_.getProperties(device, &given), "getProperties"));
    properties = {};
    properties.name = given.name ? given.name : name_;
    properties.pciPath = given.pciPath ? given.pciPath : "";
    properties.guid = given.guid;
    properties.takesDeviceMemory = (given.ptrSupport & MCCL_PTR_MUSA) != 0;
    properties.speedMbps = given.speed;
    properties.port = given.port;
    properties.latencyUs = given.latency;
    return mcclSuccess;
  }

  mcclResult_t listen(int device, NetHandle& handle, void*& listenComm) override {
    if constexpr (kHasContext) {
      return checked(table_.listen(context_, device, handle.bytes, &listenComm), "listen");
    } else {
      return checked(table_.listen(device, handle.bytes, &listenComm), "listen");
    }
  }

  mcclResult_t connect(int device, NetHandle& handle, void*& sendComm) override {
    void* onDevice = nullptr;  // there is no offload
    if constexpr (kHasContext) {
      return checked(table_.connect(context_, device, handle.bytes, &sendComm, &onDevice), "connect");
    } else if constexpr (kHasConfig) {
      return checked(table_.connect(device, &config_, handle.bytes, &sendComm, &onDevice), "connect");
    } else {
      return checked(table_.connect(device, handle.bytes, &sendComm, &onDevice), "connect");
    }
  }

  mcclResult_t accept(void* listenComm, void*& recvComm) override {
    void* onDevice = nullptr;
    return checked(table_.accept(listenComm, &recvComm, &onDevice), "accept");
  }

  mcclResult_t regMr(void* comm, void* data, size_t bytes, void*& memory) override {
    return checked(table_.regMr(comm, data, bytes, MCCL_PTR_HOST, &memory), "regMr");
  }
  mcclResult_t deregMr(void* comm, void* memory) override {
    return checked(table_.deregMr(comm, memory), "deregMr");
  }

  mcclResult_t isend(void* sendComm, const void* data, size_t bytes, int tag, void* memory,
                     void*& request) override {
    void* const from = const_cast<void*>(data);
    request = nullptr;
    if constexpr (kHasConfig || kHasContext) {
      return checked(table_.isend(sendComm, from, bytes, tag, memory, nullptr, &request), "isend");
    } else {
      return checked(table_.isend(sendComm, from, static_cast<Size>(bytes), tag, memory, &request), "isend");
    }
  }

  mcclResult_t irecv(void* recvComm, void* data, size_t bytes, int tag, void* memory,
                     void*& request) override {
    auto size = static_cast<Size>(bytes);
    void* phandle = nullptr;
    request = nullptr;
    if constexpr (kHasConfig || kHasContext) {
      return checked(table_.irecv(recvComm, 1, &data, &size, &tag, &memory, &phandle, &request), "irecv");
    } else {
      return checked(table_.irecv(recvComm, 1, &data, &size, &tag, &memory, &request), "irecv");
    }
  }

  mcclResult_t test(void* request, bool& done, size_t& bytes) override {
    int isDone = 0, size = 0;
    MCCL_RETURN_IF_ERROR(checked(table_.test(request, &isDone, &size), "test"));
    done = isDone != 0;
    bytes = static_cast<size_t>(std::max(size, 0));
    return mcclSuccess;
  }

  void closeSend(void* sendComm) override { (void)table_.closeSend(sendComm); }
  void closeRecv(void* recvComm) override { (void)table_.closeRecv(recvComm); }
  void closeListen(void* listenComm) override { (void)table_.closeListen(listenComm); }

  // Plugins only tell when they are asked.
  void await(std::span<void* const>, std::chrono::microseconds most) override {
    constexpr auto kShort = std::chrono::microseconds(20);
    std::this_thread::sleep_for(std::min(most, kShort));
  }

 private:
  static constexpr bool kHasContext = std::is_same_v<Table, mcclNet_v11_t>;
  static constexpr bool kHasConfig = std::is_same_v<Table, mcclNet_v10_t>;
  using Size = std::conditional_t<std::is_same_v<Table, mcclNet_v8_t>, int, size_t>;
  using Properties = std::conditional_t<kHasContext, mcclNetProperties_v11_t,
                                        std::conditional_t<std::is_same_v<Table, mcclNet_v8_t>,
                                                           mcclNetProperties_v8_t, mcclNetProperties_v9_t>>;

  mcclResult_t checked(mcclResult_t result, const char* function) const {
    if (result == mcclSuccess) return mcclSuccess;
    return fail(result, "NET/{} : the plugin's {} returned {}", name_, function, static_cast<int>(result));
  }

  const Table& table_;
  const std::string name_;
  const int version_;
  int devices_ = 0;
  void* context_ = nullptr;
  mcclNetCommConfig_t config_{-1};
};

// Null when the library has no such table.
template <class Table>
std::unique_ptr<Net> open(void* library, int version, std::string& why) {
  const Table* table = nullptr;
  for (const char* maker : {"mccl", "nccl"}) {
    const std::string symbol = fmt::format("{}NetPlugin_v{}", maker, version);
    if (!table) table = static_cast<const Table*>(dlsym(library, symbol.c_str()));
  }
  if (!table) return nullptr;
  auto net = std::make_unique<PluginNet<Table>>(*table, version);
  if (net->init()) return net;
  why = fmt::format("the plugin {} (v{}) cannot be initialised, or has no devices", table->name, version);
  return nullptr;
}

std::vector<std::string> filesOf(const std::string& name) {
  if (name.empty()) return {"libmccl-net.so", "libnccl-net.so"};
  if (name.find('/') != std::string::npos || name.ends_with(".so")) return {name};
  return {"libmccl-net-" + name + ".so", "libnccl-net-" + name + ".so"};
}

}  // namespace

std::unique_ptr<Net> loadPlugin(const std::string& name, std::string& why) {
  if (name == "none") return nullptr;
  void* library = nullptr;
  for (const std::string& file : filesOf(name)) {
    if (!library) library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library && !name.empty()) why = dlerror();
  }
  if (!library) return nullptr;
  why.clear();
  std::unique_ptr<Net> net = open<mcclNet_v11_t>(library, 11, why);
  if (!net && why.empty()) net = open<mcclNet_v10_t>(library, 10, why);
  if (!net && why.empty()) net = open<mcclNet_v9_t>(library, 9, why);
  if (!net && why.empty()) net = open<mcclNet_v8_t>(library, 8, why);
  if (!net && why.empty()) why = "it has none of the tables mcclNetPlugin_v8 to _v11";
  return net;
}

}  // namespace musashim::mccl
