#include "mccl/net/net.h"

#include <strings.h>

#include <memory>
#include <string>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/ib/ib_net.h"
#include "mccl/net/plugin.h"
#include "mccl/net/socket_net.h"

namespace musashim::mccl {
namespace {

constexpr auto kInitNet = static_cast<Subsystem>(kInit | kNet);  // shown by default, as NCCL does

bool isWanted(const char* name) {
  const std::string& wanted = settings().net;
  return wanted.empty() || strcasecmp(wanted.c_str(), name) == 0;
}

std::unique_ptr<Net> announced(std::unique_ptr<Net> net) {
  std::string line = fmt::format("NET/{} : Using", net->name());
  for (int device = 0; device < net->devices(); ++device) {
    NetProperties properties;
    (void)net->properties(device, properties);
    line += fmt::format(" [{}]{}", device, properties.name);
    if (properties.port > 0) line += fmt::format(":{}", properties.port);
  }
  logInfo(kInitNet, "{}", line);
  return net;
}

std::unique_ptr<Net> chooseNet() {
  std::string why;
  std::unique_ptr<Net> plugin = loadPlugin(settings().netPlugin, why);
  if (!plugin && !settings().netPlugin.empty() && settings().netPlugin != "none") {
    (void)fail(mcclInvalidUsage, "MCCL_NET_PLUGIN={} : {}", settings().netPlugin, why);
    return nullptr;
  }
  if (plugin && isWanted(plugin->name())) return plugin;
  if (isWanted("IB")) {
    auto ib = std::make_unique<IbNet>();
    if (ib->devices() > 0) return announced(std::move(ib));
    logInfo(kInitNet, "NET/IB : No device found");
  }
  if (isWanted("Socket")) {
    auto sockets = std::make_unique<SocketNet>();
    if (sockets->devices() > 0) return announced(std::move(sockets));
    (void)fail(mcclSystemError, "NET/Socket : No interface found");
    return nullptr;
  }
  (void)fail(mcclInvalidUsage,
             "MCCL_NET={} : no such network layer, or it has no device here; there are IB, Socket{}{}",
             settings().net, plugin ? " and " : "", plugin ? plugin->name() : "");
  return nullptr;
}

}  // namespace

Net* theNet() {
  static Net* const kNet = chooseNet().release();
  return kNet;
}

}  // namespace musashim::mccl
