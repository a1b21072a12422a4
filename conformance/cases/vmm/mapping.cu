// links: driver
// Mapping physical memory at reserved addresses: what may be mapped where, access, lifetime.
#include <vector>

#include "../../framework/vmm.h"

CONFORMANCE_CASE("vmm.mapping");

int main() {
  useFirstDevice();
  const size_t unit = granularity();
  const CUmemAllocationProp properties = deviceMemory();
  CUmemGenericAllocationHandle memory = 0, two = 0;
  CUdeviceptr address = 0, other = 0;
  SETUP(cuMemCreate(&memory, unit, &properties, 0));
  SETUP(cuMemCreate(&two, 2 * unit, &properties, 0));
  SETUP(cuMemAddressReserve(&address, 4 * unit, 0, 0, 0));
  SETUP(cuMemAddressReserve(&other, unit, 0, 0, 0));

  OBSERVE("map", cuMemMap(address, unit, 0, memory, 0));
  OBSERVE("map_taken", cuMemMap(address, unit, 0, memory, 0));
  OBSERVE("map_offset", cuMemMap(address + unit, unit, unit, two, 0));
  OBSERVE("map_part_of_memory", cuMemMap(address + unit, unit, 0, two, 0));
  OBSERVE("map_past_memory", cuMemMap(address + 2 * unit, 2 * unit, 0, memory, 0));
  OBSERVE("map_flags", cuMemMap(address + 3 * unit, unit, 0, memory, 1));
  OBSERVE("map_uneven_address", cuMemMap(address + 3 * unit + 4096, unit, 0, memory, 0));
  OBSERVE("map_uneven_size", cuMemMap(address + 3 * unit, 4096, 0, memory, 0));
  OBSERVE("map_zero", cuMemMap(address + 3 * unit, 0, 0, memory, 0));
  OBSERVE("map_no_memory", cuMemMap(address + 3 * unit, unit, 0, 0, 0));
  CUdeviceptr plain = 0;
  SETUP(cuMemAlloc(&plain, 4 * unit));
  OBSERVE("map_not_reserved", cuMemMap((plain + unit - 1) / unit * unit, unit, 0, memory, 0));

  // Access.
  unsigned long long flags = 99;
  CUmemAccessDesc access = accessOf(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  OBSERVE("get_access_before", cuMemGetAccess(&flags, &access.location, address));
  OBSERVE("get_access_before_flags", flags);
  OBSERVE("set_access", cuMemSetAccess(address, unit, &access, 1));
  OBSERVE("get_access", cuMemGetAccess(&flags, &access.location, address));
  OBSERVE("get_access_flags", flags);
  OBSERVE("get_access_inside", cuMemGetAccess(&flags, &access.location, address + 100));
  OBSERVE("get_access_unmapped", cuMemGetAccess(&flags, &access.location, address + 3 * unit));
  OBSERVE("set_access_unmapped", cuMemSetAccess(address + 3 * unit, unit, &access, 1));
  OBSERVE("set_access_part", cuMemSetAccess(address, 4096, &access, 1));
  OBSERVE("set_access_none", cuMemSetAccess(address, unit, &access, 0));
  OBSERVE("set_access_null", cuMemSetAccess(address, unit, nullptr, 1));
  OBSERVE("set_access_zero_bytes", cuMemSetAccess(address, 0, &access, 1));
  CUmemAccessDesc wrong = access;
  wrong.location.id = 1000;
  OBSERVE("set_access_device_unknown", cuMemSetAccess(address, unit, &wrong, 1));
  wrong = access;
  wrong.flags = static_cast<CUmemAccess_flags>(2);
  OBSERVE("set_access_write_only", cuMemSetAccess(address, unit, &wrong, 1));

  // It is memory like any other, and the same at both addresses.
  OBSERVE("fill", cuMemsetD8(address, 0x5a, unit));
  OBSERVE("map_twice", cuMemMap(other, unit, 0, memory, 0));
  OBSERVE("set_access_twice", cuMemSetAccess(other, unit, &access, 1));
  std::vector<unsigned char> seen(unit);
  OBSERVE("read_twice", cuMemcpyDtoH(seen.data(), other, unit));
  OBSERVE("read_twice_values", seen[0] == 0x5a && seen[unit - 1] == 0x5a);
  OBSERVE("fill_past", cuMemsetD8(address + unit - 1, 1, 2));
  CUdeviceptr base = 0;
  size_t size = 0;
  OBSERVE("range", cuMemGetAddressRange(&base, &size, address + 100));
  OBSERVE("range_base", base == address);
  OBSERVE("range_units", size / unit);
  unsigned type = 0;
  OBSERVE("memory_type", cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
  OBSERVE("memory_type_value", type);
  bool mapped = false;
  OBSERVE("mapped", cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, address));
  OBSERVE("mapped_value", mapped);
  int ordinal = -7;
  OBSERVE("ordinal", cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
  OBSERVE("ordinal_value", ordinal);
  OBSERVE("free", cuMemFree(address));
  CUmemGenericAllocationHandle retained = 0;
  OBSERVE("retain", cuMemRetainAllocationHandle(&retained, reinterpret_cast<void*>(address)));
  OBSERVE("retain_same", retained == memory);
  OBSERVE("retain_unmapped",
          cuMemRetainAllocationHandle(&retained, reinterpret_cast<void*>(address + 3 * unit)));

  // Lifetime: what is mapped stays.
  OBSERVE("release_mapped", cuMemRelease(memory));
  OBSERVE("fill_after_release", cuMemsetD8(address, 0x21, unit));
  OBSERVE("release_retained", cuMemRelease(memory));
  OBSERVE("fill_after_both", cuMemsetD8(address, 0x22, unit));
  SETUP(cuMemcpyDtoH(seen.data(), other, unit));
  OBSERVE("value_after_both", static_cast<int>(seen[7]));
  OBSERVE("free_reserved_while_mapped", cuMemAddressFree(other, unit));
  OBSERVE("unmap_part", cuMemUnmap(address, 4096));
  OBSERVE("unmap_nothing", cuMemUnmap(address + 3 * unit, unit));
  OBSERVE("unmap", cuMemUnmap(address, unit));
  OBSERVE("unmap_again", cuMemUnmap(address, unit));
  OBSERVE("fill_unmapped", cuMemsetD8(address, 1, 1));
  OBSERVE("read_after_unmap", cuMemcpyDtoH(seen.data(), other, unit));
  OBSERVE("unmap_other", cuMemUnmap(other, unit));
  OBSERVE("last", cuCtxSynchronize());

  // Two pieces behind each other are one range.
  CUmemGenericAllocationHandle first = 0, second = 0;
  CUdeviceptr row = 0;
  SETUP(cuMemCreate(&first, unit, &properties, 0));
  SETUP(cuMemCreate(&second, unit, &properties, 0));
  SETUP(cuMemAddressReserve(&row, 2 * unit, 0, 0, 0));
  SETUP(cuMemMap(row, unit, 0, first, 0));
  SETUP(cuMemMap(row + unit, unit, 0, second, 0));
  OBSERVE("set_access_both", cuMemSetAccess(row, 2 * unit, &access, 1));
  OBSERVE("fill_over_the_seam", cuMemsetD8(row + unit - 16, 0x33, 32));
  SETUP(cuMemcpyDtoH(seen.data(), row + unit - 16, 32));
  OBSERVE("values_over_the_seam", seen[0] == 0x33 && seen[31] == 0x33);
  OBSERVE("range_of_two", cuMemGetAddressRange(&base, &size, row + 100));
  OBSERVE("range_of_two_units", size / unit);
  OBSERVE("unmap_both", cuMemUnmap(row, 2 * unit));
}
