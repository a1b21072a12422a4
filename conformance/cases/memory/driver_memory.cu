// links: driver
// Memory through the driver: host allocations and their flags, pitched and managed memory, asynchronous
// fills.
#include <vector>

#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("memory.driver_memory");

int main() {
  useFirstDevice();
  size_t available = 0, total = 0;
  OBSERVE("info", cuMemGetInfo(&available, &total));
  OBSERVE("info_plausible", available <= total && available > 0);
  OBSERVE("info_nulls", cuMemGetInfo(nullptr, nullptr));
  OBSERVE("info_one_null", cuMemGetInfo(&available, nullptr));

  CUdeviceptr memory = 0, pitched = 0, managed = 0;
  size_t pitch = 0;
  OBSERVE("pitch", cuMemAllocPitch(&pitched, &pitch, 100, 10, 4));
  OBSERVE("pitch_value", pitch);
  OBSERVE("pitch_element_2", cuMemAllocPitch(&memory, &pitch, 100, 10, 2));
  OBSERVE("pitch_element_5", cuMemAllocPitch(&memory, &pitch, 100, 10, 5));
  OBSERVE("pitch_element_16", cuMemAllocPitch(&memory, &pitch, 600, 10, 16));
  OBSERVE("pitch_element_16_value", pitch);
  OBSERVE("pitch_no_width", cuMemAllocPitch(&memory, &pitch, 0, 10, 4));
  OBSERVE("pitch_no_height", cuMemAllocPitch(&memory, &pitch, 100, 0, 4));
  OBSERVE("pitch_null", cuMemAllocPitch(nullptr, &pitch, 100, 10, 4));
  OBSERVE("pitch_null_pitch", cuMemAllocPitch(&memory, nullptr, 100, 10, 4));
  OBSERVE("allocate_nothing", cuMemAlloc(&memory, 0));
  OBSERVE("allocate_null", cuMemAlloc(nullptr, 4));
  OBSERVE("allocate_all_there_is", cuMemAlloc(&memory, ~size_t{0}));
  OBSERVE("allocate", cuMemAlloc(&memory, 4096));
  OBSERVE("free_null", cuMemFree(0));
  OBSERVE("free_inside", cuMemFree(memory + 256));

  // Host memory.
  void *host = nullptr, *mapped = nullptr;
  OBSERVE("host", cuMemAllocHost(&host, 4096));
  OBSERVE("host_nothing", cuMemAllocHost(&mapped, 0));
  OBSERVE("host_null", cuMemAllocHost(nullptr, 4096));
  unsigned flags = 77;
  OBSERVE("host_flags", cuMemHostGetFlags(&flags, host));
  OBSERVE("host_flags_value", flags);
  OBSERVE("mapped", cuMemHostAlloc(&mapped, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
  OBSERVE("mapped_flags", cuMemHostGetFlags(&flags, mapped));
  OBSERVE("mapped_flags_value", flags);
  OBSERVE("flags_inside", cuMemHostGetFlags(&flags, static_cast<char*>(mapped) + 16));
  OBSERVE("flags_null", cuMemHostGetFlags(nullptr, mapped));
  OBSERVE("flags_null_pointer", cuMemHostGetFlags(&flags, nullptr));
  OBSERVE("flags_of_device_memory", cuMemHostGetFlags(&flags, reinterpret_cast<void*>(memory)));
  OBSERVE("host_bad_flags", cuMemHostAlloc(&mapped, 4096, 0x100));
  CUdeviceptr seen = 0;
  OBSERVE("device_pointer", cuMemHostGetDevicePointer(&seen, mapped, 0));
  OBSERVE("device_pointer_same", seen == reinterpret_cast<CUdeviceptr>(mapped));
  OBSERVE("device_pointer_flags", cuMemHostGetDevicePointer(&seen, mapped, 1));
  OBSERVE("device_pointer_inside", cuMemHostGetDevicePointer(&seen, static_cast<char*>(mapped) + 16, 0));
  OBSERVE("device_pointer_null", cuMemHostGetDevicePointer(nullptr, mapped, 0));
  OBSERVE("device_pointer_of_null", cuMemHostGetDevicePointer(&seen, nullptr, 0));
  OBSERVE("free_host_inside", cuMemFreeHost(static_cast<char*>(host) + 16));
  OBSERVE("free_host", cuMemFreeHost(host));
  OBSERVE("free_host_null", cuMemFreeHost(nullptr));

  // Registered memory.
  std::vector<char> own(1 << 16);
  OBSERVE("register", cuMemHostRegister(own.data(), own.size(), CU_MEMHOSTREGISTER_PORTABLE));
  OBSERVE("register_again", cuMemHostRegister(own.data(), own.size(), 0));
  OBSERVE("register_overlapping", cuMemHostRegister(own.data() + 4096, 8192, 0));
  OBSERVE("registered_flags", cuMemHostGetFlags(&flags, own.data()));
  OBSERVE("register_nothing", cuMemHostRegister(own.data(), 0, 0));
  OBSERVE("register_null", cuMemHostRegister(nullptr, 4096, 0));
  OBSERVE("register_bad_flags", cuMemHostRegister(own.data(), own.size(), 0x100));
  OBSERVE("unregister_inside", cuMemHostUnregister(own.data() + 4096));
  OBSERVE("unregister", cuMemHostUnregister(own.data()));
  OBSERVE("unregister_again", cuMemHostUnregister(own.data()));
  OBSERVE("unregister_null", cuMemHostUnregister(nullptr));

  // Managed memory.
  OBSERVE("managed", cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  OBSERVE("managed_flags_0", cuMemAllocManaged(&seen, 4096, 0));
  OBSERVE("managed_flags_both", cuMemAllocManaged(&seen, 4096, CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST));
  OBSERVE("managed_single", cuMemAllocManaged(&seen, 4096, CU_MEM_ATTACH_SINGLE));
  OBSERVE("managed_nothing", cuMemAllocManaged(&seen, 0, CU_MEM_ATTACH_GLOBAL));
  OBSERVE("managed_null", cuMemAllocManaged(nullptr, 4096, CU_MEM_ATTACH_GLOBAL));

  // Fills and copies.
  CUstream stream = nullptr;
  SETUP(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OBSERVE("fill_8", cuMemsetD8Async(memory + 1, 3, 7, stream));
  OBSERVE("fill_16_misaligned", cuMemsetD16Async(memory + 1, 3, 4, stream));
  OBSERVE("fill_32_misaligned", cuMemsetD32Async(memory + 2, 3, 4, stream));
  OBSERVE("fill_16", cuMemsetD16Async(memory + 2, 3, 4, stream));
  OBSERVE("fill_past", cuMemsetD32Async(memory, 3, 1025, stream));
  OBSERVE("fill_nothing", cuMemsetD32Async(memory, 3, 0, stream));
  OBSERVE("fill_null", cuMemsetD32Async(0, 3, 1, stream));
  OBSERVE("fill_null_nothing", cuMemsetD32Async(0, 3, 0, stream));
  OBSERVE("fill_rows", cuMemsetD2D32Async(pitched, 512, 3, 25, 10, stream));
  OBSERVE("fill_rows_small_pitch", cuMemsetD2D32Async(pitched, 64, 3, 25, 10, stream));
  OBSERVE("fill_rows_odd_pitch", cuMemsetD2D16Async(pitched, 101, 3, 25, 2, stream));
  OBSERVE("fill_rows_past", cuMemsetD2D8Async(memory, 512, 3, 100, 9, stream));
  OBSERVE("copy_nothing", cuMemcpyDtoD(memory, pitched, 0));
  OBSERVE("copy_past", cuMemcpyDtoD(memory, pitched, 4097));
  OBSERVE("copy_null", cuMemcpyDtoD(0, pitched, 4));
  OBSERVE("copy_host_null", cuMemcpyHtoDAsync(memory, nullptr, 4, stream));
  OBSERVE("copy_any", cuMemcpy(memory, managed, 16));
  OBSERVE("copy_any_async", cuMemcpyAsync(managed, memory, 16, stream));
  OBSERVE("last", cuCtxSynchronize());
  OBSERVE("free_managed", cuMemFree(managed));
  OBSERVE("free", cuMemFree(memory));
}
