// The PCI address names a device, in both directions.
#include <string.h>

#include "../../framework/observe.h"

CONFORMANCE_CASE("device.pci_bus_id");

int main() {
  char id[32] = "";
  OBSERVE("get", cudaDeviceGetPCIBusId(id, sizeof id, 0));
  OBSERVE("length", static_cast<int>(strlen(id)));
  OBSERVE("form_domain_bus_device", id[4] == ':' && id[7] == ':' && id[10] == '.');

  int device = -1;
  OBSERVE("back", cudaDeviceGetByPCIBusId(&device, id));
  OBSERVE("back_value", device);
  OBSERVE("unknown_address", cudaDeviceGetByPCIBusId(&device, "ffff:ff:1f.7"));
  OBSERVE("not_an_address", cudaDeviceGetByPCIBusId(&device, "device zero"));
  OBSERVE("get_null", cudaDeviceGetPCIBusId(nullptr, 32, 0));
  OBSERVE("get_no_room", cudaDeviceGetPCIBusId(id, 0, 0));
  OBSERVE("get_bad_device", cudaDeviceGetPCIBusId(id, sizeof id, 99));
  OBSERVE("back_null_device", cudaDeviceGetByPCIBusId(nullptr, id));
}
