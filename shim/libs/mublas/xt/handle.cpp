#include "libs/mublas/xt/handle.h"

#include <musa_runtime_api.h>

#include <algorithm>

#include "libs/core/handles.h"
#include "libs/mublas/operations/work.h"

struct mublasXtContext {
  musashim::mublas::XtSettings settings;
};

namespace musashim::mublas {

namespace {

using Handles = libs::Handles<mublasXtContext>;

// Keeps the calling thread's device.
class KeepDevice {
 public:
  KeepDevice() { (void)musaGetDevice(&device_); }
  ~KeepDevice() { (void)musaSetDevice(device_); }

 private:
  int device_ = 0;
};

void release(std::vector<XtBoard>& boards) {
  const KeepDevice keep;
  for (const XtBoard& board : boards) {
    if (musaSetDevice(board.device) != musaSuccess || musaStreamDestroy(board.stream) != musaSuccess)
      (void)musaGetLastError();
  }
  boards.clear();
}

// As cuBLASXt has it, a handle whose devices were refused takes no others.
mublasStatus_t select(XtSettings& self, int count, const int* devices) {
  MUBLAS_REQUIRE(count > 0 && devices && !self.isSelected, MUBLAS_STATUS_INVALID_VALUE);
  self.isSelected = true;
  const KeepDevice keep;
  for (int i = 0; i < count; ++i) {
    XtBoard board{devices[i], nullptr};
    if (musaSetDevice(board.device) != musaSuccess || musaStreamCreate(&board.stream) != musaSuccess) {
      (void)musaGetLastError();
      release(self.boards);
      return MUBLAS_STATUS_INTERNAL_ERROR;
    }
    self.boards.push_back(board);
  }
  return MUBLAS_STATUS_SUCCESS;
}

// What a setting's entry does around its work.
template <class Body, class... Args>
mublasStatus_t setting(std::string_view name, mublasXtHandle_t handle, Body&& body, const Args&... args) {
  return entryOf(MUBLAS_STATUS_INVALID_VALUE, name, handle, std::forward<Body>(body), args...);
}

// The routine that an operation and a type name, of the products that alone have one.
mublasStatus_t findRoutine(XtSettings& self, mublasXtBlasOp_t op, mublasXtOpType_t type,
                           XtRoutine** routine) {
  MUBLAS_REQUIRE(op >= MUBLASXT_GEMM && op < MUBLASXT_ROUTINE_MAX, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(type >= MUBLASXT_FLOAT && type <= MUBLASXT_DOUBLECOMPLEX, MUBLAS_STATUS_INVALID_VALUE);
  MUBLAS_REQUIRE(op == MUBLASXT_GEMM, MUBLAS_STATUS_NOT_SUPPORTED);
  *routine = &self.products[static_cast<size_t>(type)];
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace

XtSettings* findSettings(mublasXtHandle_t handle) {
  mublasXtContext* const context = Handles::instance().find(handle);
  return context ? &context->settings : nullptr;
}

XtRun::XtRun(XtSettings& self) : self_(self) { (void)musaGetDevice(&before_); }

XtRun::~XtRun() {
  (void)wait();
  (void)musaSetDevice(before_);
}

Settings XtRun::next() {
  const XtBoard& board = self_.boards[turn_++ % self_.boards.size()];
  (void)musaSetDevice(board.device);  // it could be when the board was selected
  Settings settings;
  settings.stream = board.stream;
  return settings;
}

mublasStatus_t XtRun::wait() {
  mublasStatus_t status = MUBLAS_STATUS_SUCCESS;
  for (size_t i = 0; i < std::min(turn_, self_.boards.size()); ++i) {
    (void)musaSetDevice(self_.boards[i].device);
    if (musaStreamSynchronize(self_.boards[i].stream) == musaSuccess) continue;
    (void)musaGetLastError();
    status = MUBLAS_STATUS_EXECUTION_FAILED;
  }
  turn_ = 0;
  return status;
}

}  // namespace musashim::mublas

using namespace musashim::mublas;

extern "C" {

mublasStatus_t mublasXtCreate(mublasXtHandle_t* handle) {
  return tracedCall(
      "mublasXtCreate",
      [&] {
        MUBLAS_REQUIRE(handle, MUBLAS_STATUS_INVALID_VALUE);
        int devices = 0;
        if (musaGetDeviceCount(&devices) != musaSuccess) {
          (void)musaGetLastError();
          return MUBLAS_STATUS_NOT_INITIALIZED;
        }
        *handle = Handles::instance().make();
        return MUBLAS_STATUS_SUCCESS;
      },
      handle);
}

mublasStatus_t mublasXtDestroy(mublasXtHandle_t handle) {
  return entry("mublasXtDestroy", handle, [&](XtSettings& self) {
    release(self.boards);
    return Handles::instance().drop(handle) ? MUBLAS_STATUS_SUCCESS : MUBLAS_STATUS_NOT_INITIALIZED;
  });
}

// A board of NVIDIA's may hold several devices; here each has its own.
mublasStatus_t mublasXtGetNumBoards(int nbDevices, int* deviceId, int* nbBoards) {
  return tracedCall(
      "mublasXtGetNumBoards",
      [&] {
        int devices = 0;
        MUBLAS_REQUIRE(nbDevices >= 0 && deviceId && nbBoards, MUBLAS_STATUS_INVALID_VALUE);
        MUBLAS_TRY(statusOf(musaGetDeviceCount(&devices)));
        std::vector<int> ids(deviceId, deviceId + nbDevices);
        for (const int id : ids) MUBLAS_REQUIRE(id >= 0 && id < devices, MUBLAS_STATUS_INVALID_VALUE);
        std::ranges::sort(ids);
        *nbBoards = static_cast<int>(std::ranges::unique(ids).begin() - ids.begin());
        return MUBLAS_STATUS_SUCCESS;
      },
      nbDevices, deviceId, nbBoards);
}

mublasStatus_t mublasXtMaxBoards(int* nbGpuBoards) {
  return tracedCall(
      "mublasXtMaxBoards",
      [&] {
        MUBLAS_REQUIRE(nbGpuBoards, MUBLAS_STATUS_INVALID_VALUE);
        *nbGpuBoards = 1024;  // cuBLASXt's bound, whatever there is
        return MUBLAS_STATUS_SUCCESS;
      },
      nbGpuBoards);
}

mublasStatus_t mublasXtDeviceSelect(mublasXtHandle_t handle, int nbDevices, int* deviceId) {
  return setting(
      "mublasXtDeviceSelect", handle, [&](XtSettings& self) { return select(self, nbDevices, deviceId); },
      nbDevices, deviceId);
}

mublasStatus_t mublasXtSetBlockDim(mublasXtHandle_t handle, int blockDim) {
  return setting(
      "mublasXtSetBlockDim", handle,
      [&](XtSettings& self) {
        MUBLAS_REQUIRE(blockDim > 0, MUBLAS_STATUS_INVALID_VALUE);
        self.blockDim = blockDim;
        return MUBLAS_STATUS_SUCCESS;
      },
      blockDim);
}

mublasStatus_t mublasXtGetBlockDim(mublasXtHandle_t handle, int* blockDim) {
  return setting(
      "mublasXtGetBlockDim", handle,
      [&](XtSettings& self) {
        MUBLAS_REQUIRE(blockDim, MUBLAS_STATUS_INVALID_VALUE);
        *blockDim = self.blockDim;
        return MUBLAS_STATUS_SUCCESS;
      },
      blockDim);
}

// The devices read the host's memory wherever it is, so that the mode changes no result and no speed.
mublasStatus_t mublasXtSetPinningMemMode(mublasXtHandle_t handle, mublasXtPinningMemMode_t mode) {
  return setting(
      "mublasXtSetPinningMemMode", handle,
      [&](XtSettings& self) {
        MUBLAS_REQUIRE(mode == MUBLASXT_PINNING_DISABLED || mode == MUBLASXT_PINNING_ENABLED,
                       MUBLAS_STATUS_INVALID_VALUE);
        self.pinning = mode;
        return MUBLAS_STATUS_SUCCESS;
      },
      mode);
}

mublasStatus_t mublasXtGetPinningMemMode(mublasXtHandle_t handle, mublasXtPinningMemMode_t* mode) {
  return setting(
      "mublasXtGetPinningMemMode", handle,
      [&](XtSettings& self) {
        MUBLAS_REQUIRE(mode, MUBLAS_STATUS_INVALID_VALUE);
        *mode = self.pinning;
        return MUBLAS_STATUS_SUCCESS;
      },
      mode);
}

mublasStatus_t mublasXtSetCpuRoutine(mublasXtHandle_t handle, mublasXtBlasOp_t blasOp, mublasXtOpType_t type,
                                     void* blasFunctor) {
  return setting(
      "mublasXtSetCpuRoutine", handle,
      [&](XtSettings& self) {
        XtRoutine* routine = nullptr;
        MUBLAS_TRY(findRoutine(self, blasOp, type, &routine));
        routine->function = blasFunctor;
        return MUBLAS_STATUS_SUCCESS;
      },
      blasOp, type, blasFunctor);
}

mublasStatus_t mublasXtSetCpuRatio(mublasXtHandle_t handle, mublasXtBlasOp_t blasOp, mublasXtOpType_t type,
                                   float ratio) {
  return setting(
      "mublasXtSetCpuRatio", handle,
      [&](XtSettings& self) {
        XtRoutine* routine = nullptr;
        MUBLAS_TRY(findRoutine(self, blasOp, type, &routine));
        routine->share = std::clamp(ratio, 0.0F, 1.0F);
        return MUBLAS_STATUS_SUCCESS;
      },
      blasOp, type, ratio);
}

}  // extern "C"
