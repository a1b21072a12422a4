#include "mccl/net/net.h"

#include <strings.h>

#include <memory>

#include "mccl/core/log.h"
#include "mccl/core/settings.h"
#include "mccl/net/socket_net.h"

namespace musashim::mccl {
namespace {

std::unique_ptr<Net> chooseNet() {
  const std::string& wanted = settings().net;
  if (wanted.empty() || strcasecmp(wanted.c_str(), "Socket") == 0) {
    auto sockets = std::make_unique<SocketNet>();
    if (sockets->devices() > 0) {
      NetProperties first;
      (void)sockets->properties(0, first);
      logInfo(kNet, "NET/Socket : Using [0]{}", first.name);
      return sockets;
    }
    (void)fail(mcclSystemError, "NET/Socket : No interface found");
    return nullptr;
  }
  (void)fail(mcclInvalidUsage, "MCCL_NET={} : no such network layer; there is Socket", wanted);
  return nullptr;
}

}  // namespace

Net* theNet() {
  static Net* const kNet = chooseNet().release();
  return kNet;
}

}  // namespace musashim::mccl
