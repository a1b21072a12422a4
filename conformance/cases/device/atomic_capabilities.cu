// Which atomic operations links support: errors, and that what is supported is told for each operation.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("device.atomic_capabilities");

int main() {
  SETUP(cudaFree(nullptr));
  unsigned seen[2] = {77, 77};
  const cudaAtomicOperation operations[2] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS};
  const cudaAtomicOperation unknown[1] = {static_cast<cudaAtomicOperation>(99)};
  OBSERVE("host", cudaDeviceGetHostAtomicCapabilities(seen, operations, 2, 0));
  int native = -7;
  SETUP(cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, 0));
  OBSERVE("host_fits_attribute", (seen[1] != 0) == (native != 0));
  OBSERVE("host_null", cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 2, 0));
  OBSERVE("host_no_operations", cudaDeviceGetHostAtomicCapabilities(seen, nullptr, 2, 0));
  OBSERVE("host_none", cudaDeviceGetHostAtomicCapabilities(seen, operations, 0, 0));
  OBSERVE("host_unknown_operation", cudaDeviceGetHostAtomicCapabilities(seen, unknown, 1, 0));
  OBSERVE("host_device_unknown", cudaDeviceGetHostAtomicCapabilities(seen, operations, 2, 99));
  OBSERVE("host_both_wrong", cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 2, 99));
  OBSERVE("peer_itself", cudaDeviceGetP2PAtomicCapabilities(seen, operations, 2, 0, 0));
  OBSERVE("peer_device_unknown", cudaDeviceGetP2PAtomicCapabilities(seen, operations, 2, 0, 99));
  OBSERVE("peer_null", cudaDeviceGetP2PAtomicCapabilities(nullptr, operations, 2, 0, 0));
  OBSERVE("peer_none", cudaDeviceGetP2PAtomicCapabilities(seen, operations, 0, 0, 99));
}
