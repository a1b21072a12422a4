#include "torch_musa/csrc/aten/musa/Handles.h"

#include <c10/util/Exception.h>

#include <map>
#include <mutex>
#include <vector>

#include "torch_musa/csrc/core/MUSAStream.h"

namespace at::musa {
namespace {

void require(bool isDone, const char* what) { TORCH_CHECK(isDone, "MUSA error: ", what, " failed"); }

struct Blas {
  using Handle = mublasHandle_t;
  static Handle create() {
    Handle made = nullptr;
    require(mublasCreate(&made) == MUBLAS_STATUS_SUCCESS, "mublasCreate");
    return made;
  }
  static void use(Handle handle, musaStream_t stream) {
    require(mublasSetStream(handle, stream) == MUBLAS_STATUS_SUCCESS, "mublasSetStream");
  }
};

struct Sparse {
  using Handle = musparseHandle_t;
  static Handle create() {
    Handle made = nullptr;
    require(musparseCreate(&made) == MUSPARSE_STATUS_SUCCESS, "musparseCreate");
    return made;
  }
  static void use(Handle handle, musaStream_t stream) {
    require(musparseSetStream(handle, stream) == MUSPARSE_STATUS_SUCCESS, "musparseSetStream");
  }
};

// Handles that threads which ended have left. They live as long as the process, as PyTorch's of CUDA do.
template <class Library>
class Pool {
 public:
  using Handle = typename Library::Handle;

  static Pool& get() {
    static Pool* const kPool = new Pool;
    return *kPool;
  }
  Handle take(c10::DeviceIndex device) {
    const std::lock_guard lock(mutex_);
    auto& free = free_[device];
    if (free.empty()) return Library::create();
    const Handle handle = free.back();
    free.pop_back();
    return handle;
  }
  void give(c10::DeviceIndex device, Handle handle) {
    const std::lock_guard lock(mutex_);
    free_[device].push_back(handle);
  }

 private:
  std::mutex mutex_;
  std::map<c10::DeviceIndex, std::vector<Handle>> free_;
};

template <class Library>
class OfThread {
 public:
  ~OfThread() {
    for (const auto& [device, handle] : handles_) Pool<Library>::get().give(device, handle);
  }
  typename Library::Handle current() {
    const c10::DeviceIndex device = c10::musa::current_device();
    auto found = handles_.find(device);
    if (found == handles_.end()) found = handles_.emplace(device, Pool<Library>::get().take(device)).first;
    Library::use(found->second, c10::musa::nativeStream(c10::musa::currentStream(device)));
    return found->second;
  }

 private:
  std::map<c10::DeviceIndex, typename Library::Handle> handles_;
};

template <class Library>
typename Library::Handle currentHandle() {
  thread_local OfThread<Library> handles;
  return handles.current();
}

}  // namespace

mublasHandle_t getCurrentMUSABlasHandle() { return currentHandle<Blas>(); }
musparseHandle_t getCurrentMUSASparseHandle() { return currentHandle<Sparse>(); }

}  // namespace at::musa
