#include "libs/cufile/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <shared_mutex>
#include <string>

#include "libs/cufile/driver.h"
#include "libs/cufile/status.h"

namespace musashim::cufile {
namespace {

constexpr size_t kPage = 4096;

struct Files {
  std::shared_mutex mutex;
  std::map<CUfileHandle_t, std::shared_ptr<File>> byHandle;
};

Files& files() {
  static Files& files = *new Files;
  return files;
}

CUfileOpError openDescribed(const CUfileDescr_t& description, std::shared_ptr<File>& file) {
  switch (description.type) {
    case CU_FILE_HANDLE_TYPE_OPAQUE_FD:
      return File::open(description.handle.fd, file);
    case CU_FILE_HANDLE_TYPE_OPAQUE_WIN32:
      return CU_FILE_PLATFORM_NOT_SUPPORTED;
    case CU_FILE_HANDLE_TYPE_USERSPACE_FS:
      return CU_FILE_IO_NOT_SUPPORTED;
  }
  return CU_FILE_INVALID_VALUE;
}

// The same descriptor may stand for another file by now.
bool isRegistered(const Files& files, const File& file) {
  for (const auto& [handle, other] : files.byHandle)
    if (other->descriptor() == file.descriptor() && other->isSameAs(file)) return true;
  return false;
}

}  // namespace

CUfileOpError File::open(int descriptor, std::shared_ptr<File>& file) {
  struct stat status{};
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &status) != 0) return CU_FILE_INVALID_FILE_TYPE;
  if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode)) return CU_FILE_INVALID_FILE_TYPE;
  // Writes would go to the end of the file, whatever their offset.
  if ((flags & (O_APPEND | O_PATH)) != 0) return CU_FILE_INVALID_FILE_OPEN_FLAG;
  std::shared_ptr<File> opened(new File);
  opened->descriptor_ = descriptor;
  opened->device_ = status.st_dev;
  opened->inode_ = status.st_ino;
  if ((flags & O_DIRECT) != 0) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    opened->unaligned_ = ::open(path.c_str(), (flags & O_ACCMODE) | O_CLOEXEC);
    if (opened->unaligned_ < 0) return CU_FILE_GETNEWFD_FAILED;
  }
  file = std::move(opened);
  return CU_FILE_SUCCESS;
}

File::~File() {
  if (unaligned_ >= 0) close(unaligned_);
}

bool File::isSameAs(const File& other) const { return device_ == other.device_ && inode_ == other.inode_; }

int File::descriptorFor(size_t bytes, off_t offset, const void* address) const {
  if (fcntl(descriptor_, F_GETFD) < 0) return -1;
  const bool isAligned =
      (bytes | static_cast<size_t>(offset) | reinterpret_cast<uintptr_t>(address)) % kPage == 0;
  return isAligned || unaligned_ < 0 ? descriptor_ : unaligned_;
}

std::shared_ptr<File> findFile(CUfileHandle_t handle) {
  const std::shared_lock lock(files().mutex);
  const auto found = files().byHandle.find(handle);
  return found == files().byHandle.end() ? nullptr : found->second;
}

void forgetFiles() {
  const std::lock_guard lock(files().mutex);
  files().byHandle.clear();
}

}  // namespace musashim::cufile

using namespace musashim::cufile;

extern "C" {

CUfileError_t cuFileHandleRegister(CUfileHandle_t* fh, CUfileDescr_t* descr) {
  return entry(
      "cuFileHandleRegister",
      [&] {
        if (fh == nullptr || descr == nullptr) return CU_FILE_INVALID_VALUE;
        std::shared_ptr<File> file;
        if (const CUfileOpError error = openDescribed(*descr, file); error != CU_FILE_SUCCESS) return error;
        openIfClosed();
        const std::lock_guard lock(files().mutex);
        if (isRegistered(files(), *file)) return CU_FILE_HANDLE_ALREADY_REGISTERED;
        *fh = file.get();
        files().byHandle[file.get()] = std::move(file);
        return CU_FILE_SUCCESS;
      },
      fh, descr);
}

void cuFileHandleDeregister(CUfileHandle_t fh) {
  (void)entry(
      "cuFileHandleDeregister",
      [&] {
        const std::lock_guard lock(files().mutex);
        return files().byHandle.erase(fh) != 0 ? CU_FILE_SUCCESS : CU_FILE_HANDLE_NOT_REGISTERED;
      },
      fh);
}

}  // extern "C"
