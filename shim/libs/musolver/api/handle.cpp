#include "libs/musolver/api/handle.h"

#include <musa_runtime_api.h>

#include <map>
#include <mutex>
#include <new>
#include <stdexcept>

#include "libs/core/handles.h"

struct musolverSpContext {
  musashim::musolver::Settings settings;
};

namespace musashim::musolver {
namespace {

// What muSOLVER keeps of muBLAS's handles, from the first call with each.
struct DenseSettings {
  std::mutex mutex;
  std::map<mublasHandle_t, Settings> byHandle;  // whose places stay where they are
};

DenseSettings& denseSettings() {
  static DenseSettings& settings =
      *new DenseSettings;  // never destroyed: threads run until the process is gone
  return settings;
}

using SparseHandles = libs::Handles<musolverSpContext>;

}  // namespace

Settings* findSettings(musolverDnHandle_t handle) {
  musaStream_t stream = nullptr;
  const bool isHandle = mublasGetStream(handle, &stream) == MUBLAS_STATUS_SUCCESS;
  DenseSettings& known = denseSettings();
  std::lock_guard lock(known.mutex);
  if (!isHandle) {
    known.byHandle.erase(handle);  // mublasDestroy() has had it
    return nullptr;
  }
  Settings& settings = known.byHandle[handle];
  if (settings.stream != stream) settings.stream = stream;
  return &settings;
}

musolverDnHandle_t makeHandle() {
  mublasHandle_t handle = nullptr;
  const mublasStatus_t status = mublasCreate(&handle);
  if (status == MUBLAS_STATUS_MEMORY_ERROR) throw std::bad_alloc();
  if (status == MUBLAS_STATUS_INVALID_HANDLE) return nullptr;
  if (status != MUBLAS_STATUS_SUCCESS) throw std::runtime_error(mublasGetStatusString(status));
  std::lock_guard lock(denseSettings().mutex);
  denseSettings().byHandle[handle] = Settings();
  return handle;
}

bool dropHandle(musolverDnHandle_t handle) {
  {
    std::lock_guard lock(denseSettings().mutex);
    denseSettings().byHandle.erase(handle);
  }
  return mublasDestroy(handle) == MUBLAS_STATUS_SUCCESS;
}

bool setStream(musolverDnHandle_t handle, musaStream_t stream) {
  return mublasSetStream(handle, stream) == MUBLAS_STATUS_SUCCESS;
}

Settings* findSettings(musolverSpHandle_t handle) {
  auto* const context = SparseHandles::instance().find(handle);
  return context ? &context->settings : nullptr;
}
musolverSpHandle_t makeSparseHandle() {
  if (musaFree(nullptr) == musaSuccess) return SparseHandles::instance().make();
  (void)musaGetLastError();
  return nullptr;
}
bool dropHandle(musolverSpHandle_t handle) { return SparseHandles::instance().drop(handle); }

bool setStream(musolverSpHandle_t handle, musaStream_t stream) {
  Settings* const settings = findSettings(handle);
  if (settings) settings->stream = stream;
  return settings != nullptr;
}

}  // namespace musashim::musolver
