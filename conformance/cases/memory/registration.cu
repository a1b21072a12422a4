// Page-locking the program's own memory, and page-locked memory of the runtime, with all flags.
#include <stdlib.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.registration");

int main() {
  const size_t page = 4096;
  char* memory = static_cast<char*>(aligned_alloc(page, 16 * page));
  for (size_t i = 0; i < 16 * page; ++i) memory[i] = static_cast<char>(i);
  SETUP(cudaFree(nullptr));
  OBSERVE("default", cudaHostRegister(memory, page, cudaHostRegisterDefault));
  unsigned flags = 99;
  OBSERVE("default.flags", cudaHostGetFlags(&flags, memory));
  OBSERVE("default.flags_value", flags);
  OBSERVE("twice", cudaHostRegister(memory, page, cudaHostRegisterDefault));
  OBSERVE("overlap", cudaHostRegister(memory + page / 2, page, cudaHostRegisterDefault));
  OBSERVE("around", cudaHostRegister(memory, 2 * page, cudaHostRegisterDefault));
  OBSERVE("behind", cudaHostRegister(memory + page, page, cudaHostRegisterDefault));
  void* device = nullptr;
  OBSERVE("pointer", cudaHostGetDevicePointer(&device, memory, 0));
  OBSERVE("pointer_same", device == memory);
  OBSERVE("pointer_inside", cudaHostGetDevicePointer(&device, memory + 100, 0));
  OBSERVE("pointer_inside_same", device == memory + 100);
  OBSERVE("pointer_flags", cudaHostGetDevicePointer(&device, memory, 1));
  OBSERVE("pointer_unregistered", cudaHostGetDevicePointer(&device, memory + 8 * page, 0));
  OBSERVE("flags_unregistered", cudaHostGetFlags(&flags, memory + 8 * page));
  OBSERVE("flags_null", cudaHostGetFlags(nullptr, memory));
  OBSERVE("free_host", cudaFreeHost(memory));
  OBSERVE("free", cudaFree(memory));
  OBSERVE("unregister_inside", cudaHostUnregister(memory + 100));
  OBSERVE("unregister", cudaHostUnregister(memory));
  OBSERVE("unregister_again", cudaHostUnregister(memory));
  OBSERVE("unregister_null", cudaHostUnregister(nullptr));
  OBSERVE("unregister_behind", cudaHostUnregister(memory + page));
  OBSERVE("null", cudaHostRegister(nullptr, page, 0));
  OBSERVE("zero", cudaHostRegister(memory, 0, 0));
  OBSERVE("flags_unknown", cudaHostRegister(memory, page, 0x100));
  (void)cudaGetLastError();
  struct {
    const char* name;
    unsigned flags;
  } const kinds[] = {{"portable", cudaHostRegisterPortable},
                     {"mapped", cudaHostRegisterMapped},
                     {"portable_mapped", cudaHostRegisterPortable | cudaHostRegisterMapped}};
  for (const auto& kind : kinds) {
    OBSERVE(kind.name, cudaHostRegister(memory, page, kind.flags));
    OBSERVE(std::string(kind.name) + ".flags", cudaHostGetFlags(&flags, memory));
    OBSERVE(std::string(kind.name) + ".flags_value", flags);
    SETUP(cudaHostUnregister(memory));
  }
  OBSERVE("uneven", cudaHostRegister(memory + 100, 5000, 0));
  OBSERVE("uneven.pointer_at_page", cudaHostGetDevicePointer(&device, memory, 0));
  OBSERVE("uneven.unregister", cudaHostUnregister(memory + 100));
  (void)cudaGetLastError();

  void* pinned = nullptr;
  OBSERVE("alloc", cudaHostAlloc(&pinned, 5000, cudaHostAllocDefault));
  OBSERVE("alloc.flags", cudaHostGetFlags(&flags, pinned));
  OBSERVE("alloc.flags_value", flags);
  OBSERVE("alloc.register", cudaHostRegister(pinned, 4096, 0));
  OBSERVE("alloc.unregister", cudaHostUnregister(pinned));
  OBSERVE("alloc.free_inside", cudaFreeHost(static_cast<char*>(pinned) + 16));
  OBSERVE("alloc.free_device_way", cudaFree(pinned));
  OBSERVE("alloc.free", cudaFreeHost(pinned));
  OBSERVE("alloc.free_again", cudaFreeHost(pinned));
  OBSERVE("alloc.free_null", cudaFreeHost(nullptr));
  OBSERVE("alloc_zero", cudaHostAlloc(&pinned, 0, 0));
  OBSERVE("alloc_zero.null", pinned == nullptr);
  OBSERVE("alloc_null", cudaHostAlloc(static_cast<void**>(nullptr), 4096, 0));
  OBSERVE("alloc_flags_unknown", cudaHostAlloc(&pinned, 4096, 0x100));
  (void)cudaGetLastError();
  OBSERVE(
      "alloc_all_flags",
      cudaHostAlloc(&pinned, 4096, cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined));
  OBSERVE("alloc_all_flags.flags", cudaHostGetFlags(&flags, pinned));
  OBSERVE("alloc_all_flags.flags_value", flags);
  cudaPointerAttributes attributes = {};
  SETUP(cudaHostRegister(memory, page, 0));
  OBSERVE("attributes", cudaPointerGetAttributes(&attributes, memory + 5));
  OBSERVE("attributes.type", static_cast<int>(attributes.type));
  OBSERVE("attributes.device_same", attributes.devicePointer == memory + 5);
  OBSERVE("attributes.host_same", attributes.hostPointer == memory + 5);
  OBSERVE("copy_over_the_end", cudaMemset(memory + page - 8, 1, 8));
}
