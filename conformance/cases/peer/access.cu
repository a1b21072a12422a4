// Asking for, enabling and disabling access to a peer.
// requires: devices>=2
#include "../../framework/observe.h"

CONFORMANCE_CASE("peer.access");

int main() {
  int can = -1;
  OBSERVE("can", cudaDeviceCanAccessPeer(&can, 0, 1));
  OBSERVE("can_value", can);
  OBSERVE("can_self", cudaDeviceCanAccessPeer(&can, 0, 0));
  OBSERVE("can_self_value", can);
  OBSERVE("can_bad_device", cudaDeviceCanAccessPeer(&can, 0, 99));
  OBSERVE("can_negative_device", cudaDeviceCanAccessPeer(&can, -1, 0));
  OBSERVE("can_null", cudaDeviceCanAccessPeer(nullptr, 0, 1));

  OBSERVE("disable_not_enabled", cudaDeviceDisablePeerAccess(1));
  OBSERVE("enable_flags", cudaDeviceEnablePeerAccess(1, 1));
  OBSERVE("enable", cudaDeviceEnablePeerAccess(1, 0));
  OBSERVE("enable_twice", cudaDeviceEnablePeerAccess(1, 0));
  OBSERVE("last_error_after_twice", cudaGetLastError());
  OBSERVE("enable_self", cudaDeviceEnablePeerAccess(0, 0));
  OBSERVE("enable_bad_device", cudaDeviceEnablePeerAccess(99, 0));
  OBSERVE("disable", cudaDeviceDisablePeerAccess(1));
  OBSERVE("disable_twice", cudaDeviceDisablePeerAccess(1));
  OBSERVE("disable_self", cudaDeviceDisablePeerAccess(0));
  OBSERVE("disable_bad_device", cudaDeviceDisablePeerAccess(99));
  OBSERVE("enable_again", cudaDeviceEnablePeerAccess(1, 0));
  cudaGetLastError();
}
