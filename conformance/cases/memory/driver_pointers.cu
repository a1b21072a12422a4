// links: driver
// What the driver says of addresses: of every kind of memory, at its start and inside.
#include <stdlib.h>
#include <string.h>

#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("memory.driver_pointers");

static __device__ int variable[16];

template <class T>
static std::string attribute(CUpointer_attribute what, const void* pointer) {
  // Room for whatever the driver writes: of a T's bytes, the first count.
  alignas(16) unsigned char bytes[64] = {};
  const CUresult result = cuPointerGetAttribute(bytes, what, reinterpret_cast<CUdeviceptr>(pointer));
  T value{};
  memcpy(&value, bytes, sizeof value);
  return result == CUDA_SUCCESS ? observedText(value) : observedText(result);
}

static void describe(const std::string& name, char* pointer) {
  OBSERVE(name + ".memory_type", attribute<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer));
  OBSERVE(name + ".managed", attribute<bool>(CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer));
  OBSERVE(name + ".ordinal", attribute<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer));
  OBSERVE(name + ".size", attribute<size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer));
  OBSERVE(name + ".mapped", attribute<bool>(CU_POINTER_ATTRIBUTE_MAPPED, pointer));
  OBSERVE(name + ".ipc_capable", attribute<bool>(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, pointer));
  OBSERVE(name + ".sync_memops", attribute<int>(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer));
  OBSERVE(name + ".access_flags", attribute<unsigned>(CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, pointer));
  OBSERVE(name + ".handle_types",
          attribute<unsigned long long>(CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, pointer));
  void* start = nullptr;
  const CUresult result = cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                                reinterpret_cast<CUdeviceptr>(pointer + 10));
  OBSERVE(name + ".start", result == CUDA_SUCCESS ? observedText(start == pointer) : observedText(result));
  void* host = nullptr;
  OBSERVE(name + ".host_pointer", cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                                        reinterpret_cast<CUdeviceptr>(pointer + 10)));
  OBSERVE(name + ".host_pointer_same", host == pointer + 10);
  CUdeviceptr device = 0;
  OBSERVE(name + ".device_pointer", cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                                          reinterpret_cast<CUdeviceptr>(pointer + 10)));
  OBSERVE(name + ".device_pointer_same", device == reinterpret_cast<CUdeviceptr>(pointer + 10));
  CUdeviceptr base = 0;
  size_t size = 0;
  OBSERVE(name + ".range", cuMemGetAddressRange(&base, &size, reinterpret_cast<CUdeviceptr>(pointer + 10)));
  OBSERVE(name + ".range_base", base == reinterpret_cast<CUdeviceptr>(pointer));
  OBSERVE(name + ".range_size", size);
}

int main() {
  useFirstDevice();
  CUdeviceptr device = 0;
  SETUP(cuMemAlloc(&device, 5000));
  describe("device", reinterpret_cast<char*>(device));
  char* pinned = nullptr;
  SETUP(cudaMallocHost(reinterpret_cast<void**>(&pinned), 5000));
  describe("pinned", pinned);
  char* managed = nullptr;
  SETUP(cudaMallocManaged(reinterpret_cast<void**>(&managed), 5000));
  describe("managed", managed);
  char* pooled = nullptr;
  SETUP(cudaMallocAsync(reinterpret_cast<void**>(&pooled), 5000, nullptr));
  describe("pooled", pooled);
  char* own = static_cast<char*>(aligned_alloc(4096, 8192));
  SETUP(cudaHostRegister(own, 8192, 0));
  describe("registered", own);
  char* symbol = nullptr;
  SETUP(cudaGetSymbolAddress(reinterpret_cast<void**>(&symbol), variable));
  describe("variable", symbol);
  static char plain[64];
  describe("plain", plain);

  // Several at once: what is not known is 0.
  CUpointer_attribute wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                  CU_POINTER_ATTRIBUTE_IS_MANAGED};
  unsigned long long type = 0;  // room for whatever the driver writes
  long long ordinal = 0;
  unsigned long long isManaged = 0;
  void* values[] = {&type, &ordinal, &isManaged};
  OBSERVE("all.plain", cuPointerGetAttributes(3, wanted, values, reinterpret_cast<CUdeviceptr>(plain)));
  OBSERVE("all.plain_values", std::to_string(static_cast<unsigned>(type)) + "," +
                                  std::to_string(static_cast<int>(ordinal)) + "," +
                                  std::to_string(isManaged & 0xff));
  OBSERVE("all.device", cuPointerGetAttributes(3, wanted, values, device));
  OBSERVE("all.device_values", std::to_string(static_cast<unsigned>(type)) + "," +
                                   std::to_string(static_cast<int>(ordinal)) + "," +
                                   std::to_string(isManaged & 0xff));
  OBSERVE("all.none", cuPointerGetAttributes(0, wanted, values, device));
  wanted[1] = static_cast<CUpointer_attribute>(777);
  OBSERVE("all.unknown", cuPointerGetAttributes(3, wanted, values, device));
  OBSERVE("null", cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
  OBSERVE("unknown", cuPointerGetAttribute(&type, static_cast<CUpointer_attribute>(777), device));
  OBSERVE("zero_address", cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0));

  int on = 1;
  OBSERVE("set_sync_memops", cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
  OBSERVE("set_sync_memops_value",
          attribute<int>(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, reinterpret_cast<void*>(device)));
  OBSERVE("set_sync_memops_inside", cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device + 8));
  OBSERVE("set_sync_memops_plain",
          cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, reinterpret_cast<CUdeviceptr>(plain)));
  OBSERVE("set_type", cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
  OBSERVE("set_null", cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
  SETUP(cuMemFree(device));
  OBSERVE("freed", cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
  CUdeviceptr base = 0;
  OBSERVE("freed.range", cuMemGetAddressRange(&base, nullptr, device));
}
