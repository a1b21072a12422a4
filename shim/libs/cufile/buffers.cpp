#include "libs/cufile/buffers.h"

#include <map>
#include <mutex>

#include "libs/cufile/driver.h"
#include "libs/cufile/memory.h"
#include "libs/cufile/status.h"

namespace musashim::cufile {
namespace {

struct Buffer {
  size_t length;
  bool isDevice;
};

struct Buffers {
  std::mutex mutex;
  std::map<const void*, Buffer> byAddress;
  size_t pinned = 0;  // bytes of devices' memory
};

Buffers& buffers() {
  static Buffers& buffers = *new Buffers;
  return buffers;
}

CUfileOpError add(const void* base, size_t length) {
  const Memory memory = memoryAt(base);
  if (length > memory.bytes) return CU_FILE_CUDA_POINTER_RANGE_ERROR;
  openIfClosed();
  const size_t most = size_t{properties().max_device_pinned_mem_size} << 10;
  Buffers& all = buffers();
  const std::lock_guard lock(all.mutex);
  if (all.byAddress.count(base) != 0) return CU_FILE_MEMORY_ALREADY_REGISTERED;
  if (memory.isDevice && length > most - std::min(most, all.pinned)) return CU_FILE_GPU_MEMORY_PINNING_FAILED;
  all.byAddress[base] = {length, memory.isDevice};
  if (memory.isDevice) all.pinned += length;
  return CU_FILE_SUCCESS;
}

}  // namespace

void forgetBuffers() {
  const std::lock_guard lock(buffers().mutex);
  buffers().byAddress.clear();
  buffers().pinned = 0;
}

}  // namespace musashim::cufile

using namespace musashim::cufile;

extern "C" {

CUfileError_t cuFileBufRegister(const void* bufPtr_base, size_t length, int flags) {
  return entry(
      "cuFileBufRegister",
      [&] {
        constexpr int kKnown = CU_FILE_RDMA_REGISTER | CU_FILE_RDMA_RELAXED_ORDERING;
        if (bufPtr_base == nullptr || length == 0 || (flags & ~kKnown) != 0) return CU_FILE_INVALID_VALUE;
        return add(bufPtr_base, length);
      },
      bufPtr_base, length, flags);
}

CUfileError_t cuFileBufDeregister(const void* bufPtr_base) {
  return entry(
      "cuFileBufDeregister",
      [&] {
        Buffers& all = buffers();
        const std::lock_guard lock(all.mutex);
        const auto found = all.byAddress.find(bufPtr_base);
        if (found == all.byAddress.end()) return CU_FILE_INVALID_VALUE;
        if (found->second.isDevice) all.pinned -= found->second.length;
        all.byAddress.erase(found);
        return CU_FILE_SUCCESS;
      },
      bufPtr_base);
}

}  // extern "C"
