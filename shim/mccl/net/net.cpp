#include "mccl/net/net.h"

#include <strings.h>

#include <memory>
#include <string>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/plugin.h"
#include "mccl/net/socket_net.h"

namespace musashim::mccl {
namespace {

bool isWanted(const char* name) {
  const std::string& wanted = settings().net;
  return wanted.empty() || strcasecmp(wanted.c_str(), name) == 0;
}

std::unique_ptr<Net> sockets() {
  auto net = std::make_unique<SocketNet>();
  if (net->devices() == 0) {
    (void)fail(mcclSystemError, "NET/Socket : No interface found");
    return nullptr;
  }
  std::string line = "NET/Socket : Using";
  for (int device = 0; device < net->devices(); ++device) {
    NetProperties properties;
    (void)net->properties(device, properties);
    line += fmt::format(" [{}]{}", device, properties.name);
  }
  logInfo(kNet, "{}", line);
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
  if (isWanted("Socket")) return sockets();
  (void)fail(mcclInvalidUsage, "MCCL_NET={} : no such network layer; there is Socket{}{}", settings().net,
             plugin ? " and the plugin " : "", plugin ? plugin->name() : "");
  return nullptr;
}

}  // namespace

Net* theNet() {
  static Net* const kNet = chooseNet().release();
  return kNet;
}

}  // namespace musashim::mccl
