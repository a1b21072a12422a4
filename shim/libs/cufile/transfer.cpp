#include "libs/cufile/transfer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "libs/core/memory_access.h"
#include "libs/cufile/driver.h"
#include "libs/cufile/status.h"

namespace musashim::cufile {
namespace {

constexpr size_t kPage = 4096;
// The system does not reach devices' memory: their bytes come through here, so many at a time.
constexpr size_t kBounce = size_t{1} << 20;

ssize_t systemCall(CUfileOpcode_t operation, int descriptor, std::byte* bytes, size_t count, off_t offset) {
  ssize_t done = 0;
  do {
    done = operation == CUFILE_READ ? pread(descriptor, bytes, count, offset)
                                    : pwrite(descriptor, bytes, count, offset);
  } while (done < 0 && errno == EINTR);
  return done;
}

// At most `count` bytes; `bounce` is null for memory that the system reaches.
ssize_t transferPart(CUfileOpcode_t operation, const File& file, std::byte* address, size_t count,
                     off_t offset, std::byte* bounce) {
  const int descriptor = file.descriptorFor(count, offset, bounce == nullptr ? address : bounce);
  if (descriptor < 0) return -1;
  if (bounce == nullptr) return systemCall(operation, descriptor, address, count, offset);
  const libs::MemoryAccess access;
  if (operation == CUFILE_WRITE) std::memcpy(bounce, address, count);
  const ssize_t done = systemCall(operation, descriptor, bounce, count, offset);
  if (operation == CUFILE_READ && done > 0) std::memcpy(address, bounce, static_cast<size_t>(done));
  return done;
}

struct Free {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};

// As an entry, which leaves the system's error in errno.
template <class... Args>
ssize_t transferEntry(std::string_view name, CUfileOpcode_t operation, CUfileHandle_t handle,
                      const Place& place, const Args&... args) {
  int error = 0;
  const auto body = [&] {
    const ssize_t done = transferNow(operation, handle, place);
    error = errno;
    return done;
  };
  constexpr libs::Failures<ssize_t> failures{-CU_FILE_INTERNAL_ERROR, -CU_FILE_INTERNAL_ERROR};
  const ssize_t done = libs::apiCall("cufile", name, failures, body, args...);
  if (done == -1) errno = error;
  return done;
}

}  // namespace

ssize_t checked(const Place& place, const Memory& memory) {
  if (place.base == nullptr || place.fileOffset < 0 || place.bufferOffset < 0) return -CU_FILE_INVALID_VALUE;
  const auto offset = static_cast<size_t>(place.bufferOffset);
  if (offset > memory.bytes || place.size > memory.bytes - offset) return -CU_FILE_CUDA_POINTER_RANGE_ERROR;
  off_t end = 0;
  if (place.size > SSIZE_MAX ||
      __builtin_add_overflow(place.fileOffset, static_cast<off_t>(place.size), &end))
    return -CU_FILE_INVALID_VALUE;
  return 0;
}

ssize_t transfer(CUfileOpcode_t operation, const File& file, const Place& place, const Memory& memory) {
  if (const ssize_t error = checked(place, memory); error != 0) return error;
  const Operation underWay;
  std::byte* const begin = static_cast<std::byte*>(place.base) + place.bufferOffset;
  std::unique_ptr<std::byte, Free> bounce;
  if (memory.isDevice) bounce.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, kBounce)));
  if (memory.isDevice && bounce == nullptr) return -CU_FILE_INTERNAL_ERROR;
  size_t done = 0;
  do {
    const size_t count = std::min(kBounce, place.size - done);
    const ssize_t part = transferPart(operation, file, begin + done, count,
                                      place.fileOffset + static_cast<off_t>(done), bounce.get());
    if (part < 0) return done != 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<size_t>(part);
    if (static_cast<size_t>(part) < count) break;  // the end of the file, or of the disk
  } while (done < place.size);
  return static_cast<ssize_t>(done);
}

ssize_t transferNow(CUfileOpcode_t operation, CUfileHandle_t handle, const Place& place) {
  const std::shared_ptr<File> file = findFile(handle);
  if (file == nullptr) return -CU_FILE_HANDLE_NOT_REGISTERED;
  if (place.base == nullptr) return -CU_FILE_INVALID_VALUE;
  return transfer(operation, *file, place, memoryAt(place.base));
}

}  // namespace musashim::cufile

using namespace musashim::cufile;

extern "C" {

ssize_t cuFileRead(CUfileHandle_t fh, void* bufPtr_base, size_t size, off_t file_offset,
                   off_t bufPtr_offset) {
  return transferEntry("cuFileRead", CUFILE_READ, fh, {bufPtr_base, size, file_offset, bufPtr_offset}, fh,
                       bufPtr_base, size, file_offset, bufPtr_offset);
}

ssize_t cuFileWrite(CUfileHandle_t fh, const void* bufPtr_base, size_t size, off_t file_offset,
                    off_t bufPtr_offset) {
  return transferEntry("cuFileWrite", CUFILE_WRITE, fh,
                       {const_cast<void*>(bufPtr_base), size, file_offset, bufPtr_offset}, fh, bufPtr_base,
                       size, file_offset, bufPtr_offset);
}

}  // extern "C"
