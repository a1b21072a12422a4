// links: driver
// Reserved addresses: sizes, alignment, giving back.
#include "../../framework/vmm.h"

CONFORMANCE_CASE("vmm.addresses");

int main() {
  useFirstDevice();
  const size_t unit = granularity();
  CUdeviceptr address = 0;
  OBSERVE("reserve", cuMemAddressReserve(&address, 4 * unit, 0, 0, 0));
  OBSERVE("aligned", address % unit == 0);
  OBSERVE("free_wrong_size", cuMemAddressFree(address, 2 * unit));
  OBSERVE("free_inside", cuMemAddressFree(address + unit, unit));
  OBSERVE("free", cuMemAddressFree(address, 4 * unit));
  OBSERVE("free_again", cuMemAddressFree(address, 4 * unit));
  OBSERVE("free_zero", cuMemAddressFree(0, unit));
  OBSERVE("size_zero", cuMemAddressReserve(&address, 0, 0, 0, 0));
  OBSERVE("size_uneven", cuMemAddressReserve(&address, unit + 4096, 0, 0, 0));
  OBSERVE("size_below_page", cuMemAddressReserve(&address, 100, 0, 0, 0));
  OBSERVE("alignment_16m", cuMemAddressReserve(&address, unit, 16 << 20, 0, 0));
  OBSERVE("alignment_16m_kept", address % (16 << 20) == 0);
  OBSERVE("alignment_odd", cuMemAddressReserve(&address, unit, 12345, 0, 0));
  OBSERVE("flags", cuMemAddressReserve(&address, unit, 0, 0, 1));
  OBSERVE("null", cuMemAddressReserve(nullptr, unit, 0, 0, 0));
  SETUP(cuMemAddressReserve(&address, unit, 0, 0, 0));
  CUdeviceptr taken = 0;
  OBSERVE("hint_taken", cuMemAddressReserve(&taken, unit, 0, address, 0));
  OBSERVE("hint_taken_elsewhere", taken != address);
  SETUP(cuMemAddressFree(address, unit));
  CUdeviceptr hinted = 0;
  OBSERVE("hint_free", cuMemAddressReserve(&hinted, unit, 0, address, 0));
  OBSERVE("hint_free_followed", hinted == address);
}
