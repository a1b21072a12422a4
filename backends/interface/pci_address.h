// Where a device is on the PCI bus of the machine that is emulated.
#pragma once

namespace musashim::backend {

struct PciAddress {
  int domain = 0, bus = 0, device = 0;
};

}  // namespace musashim::backend
