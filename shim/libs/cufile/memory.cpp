#include "libs/cufile/memory.h"

#include <musa_runtime_api.h>

#include "core/driver_call.h"

namespace musashim::cufile {

Memory memoryAt(const void* pointer) {
  musaPointerAttributes attributes{};
  if (musaPointerGetAttributes(&attributes, pointer) != musaSuccess) {
    (void)musaGetLastError();  // it is not the user's
    return {};
  }
  if (attributes.type == musaMemoryTypeUnregistered) return {};
  Memory memory;
  memory.isDevice = attributes.type != musaMemoryTypeHost;
  static auto* const addressRange =
      core::driverCall<decltype(muMemGetAddressRange_v2)>("muMemGetAddressRange");
  MUdeviceptr base = 0;
  size_t size = 0;
  const auto address = reinterpret_cast<MUdeviceptr>(pointer);
  if (addressRange != nullptr && addressRange(&base, &size, address) == MUSA_SUCCESS)
    memory.bytes = base + size - address;
  return memory;
}

}  // namespace musashim::cufile
