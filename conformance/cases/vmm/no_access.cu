// links: driver
// Memory that is mapped and that nobody was given access to.
#include "../../framework/vmm.h"

CONFORMANCE_CASE("vmm.no_access");

static __global__ void store(int* place) { *place = 1; }

int main() {
  useFirstDevice();
  const size_t unit = granularity();
  const CUmemAllocationProp properties = deviceMemory();
  CUmemGenericAllocationHandle memory = 0;
  CUdeviceptr address = 0;
  SETUP(cuMemCreate(&memory, unit, &properties, 0));
  SETUP(cuMemAddressReserve(&address, unit, 0, 0, 0));
  SETUP(cuMemMap(address, unit, 0, memory, 0));
  unsigned char byte = 1;
  OBSERVE("fill", cuMemsetD8(address, 1, 1));
  OBSERVE("copy_up", cuMemcpyHtoD(address, &byte, 1));
  OBSERVE("copy_down", cuMemcpyDtoH(&byte, address, 1));
  OBSERVE("synchronize_after_refusals", cuCtxSynchronize());
  store<<<1, 1>>>(reinterpret_cast<int*>(address));
  OBSERVE("launch", cudaGetLastError());
  OBSERVE("synchronize", cuCtxSynchronize());
  OBSERVE("sticks", cuMemsetD8(address, 1, 1));
}
