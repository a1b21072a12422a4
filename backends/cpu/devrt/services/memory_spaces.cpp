#include "cpu/devrt/services/memory_spaces.h"

#include <algorithm>

#include "abi/musa_device_abi.h"
#include "cpu/devrt/export.h"
#include "cpu/devrt/fibers/block_fibers.h"
#include "cpu/devrt/fibers/grid_fibers.h"
#include "cpu/devrt/host_thread.h"
#include "cpu/devrt/units/unit_scratch.h"

namespace musashim::devrt {

bool isPrivate(uintptr_t address) {
  const HostThread& host = HostThread::current();
  if (host.fibers && host.fibers->onFiber()) {
    const uintptr_t top = host.fibers->currentStackTop(), bytes = host.fibers->pool().stackBytes();
    return address - (top - bytes) < bytes;
  }
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const uintptr_t top = host.grid && host.grid->onFiber() ? host.grid->currentStackTop() : host.recoveryStack;
  return (address >= here && address < top) || (host.units && host.units->holds(address));
}

}  // namespace musashim::devrt

extern "C" {

MUSADEVRT_API uint32_t __musa_is_local(const void* pointer) {
  return musashim::devrt::isPrivate(reinterpret_cast<uintptr_t>(pointer)) ? 1 : 0;
}

// Whether one of the image's constants lies there.
MUSADEVRT_API uint32_t __musa_is_constant_of(const MusaImageInfo* image, const void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto holds = [&](const MusaVariableInfo& variable) {
    return (variable.flags & MUSA_VARIABLE_CONSTANT) != 0 &&
           address - reinterpret_cast<uintptr_t>(variable.address) < variable.size;
  };
  return std::any_of(image->variables, image->variables + image->variable_count, holds) ? 1 : 0;
}
}
