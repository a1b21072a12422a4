// What a handle of muBLAS Xt holds, and how its devices share a call's work.
#pragma once

#include <mublasXt.h>

#include <array>
#include <utility>
#include <vector>

#include "libs/mublas/api/entry.h"

namespace musashim::mublas {

// A device of a handle, with the stream that its part of the work is queued on.
struct XtBoard {
  int device;
  musaStream_t stream;
};

// What does the host's share of products of one type.
struct XtRoutine {
  void* function = nullptr;
  float share = 0;  // of the result's columns, 0 to 1
};

// A handle's settings. As with muBLAS, whoever changes them makes sure that nobody uses the handle meanwhile.
struct XtSettings {
  bool isSelected = false;  // devices are named once
  std::vector<XtBoard> boards;
  int blockDim = 1024;
  mublasXtPinningMemMode_t pinning = MUBLASXT_PINNING_DISABLED;
  std::array<XtRoutine, 4> products;  // by mublasXtOpType_t
};

// Null when there is no such handle (any more).
XtSettings* findSettings(mublasXtHandle_t handle);

// `body` gets the handle's settings; `none` is what a handle gives that is none.
template <class Body, class... Args>
mublasStatus_t entryOf(mublasStatus_t none, std::string_view name, mublasXtHandle_t handle, Body&& body,
                       const Args&... args) {
  return tracedCall(
      name,
      [&] {
        XtSettings* const settings = findSettings(handle);
        return settings ? body(*settings) : none;
      },
      handle, args...);
}
template <class Body, class... Args>
mublasStatus_t entry(std::string_view name, mublasXtHandle_t handle, Body&& body, const Args&... args) {
  return entryOf(MUBLAS_STATUS_NOT_INITIALIZED, name, handle, std::forward<Body>(body), args...);
}

// One call's work: the boards take turns. At its end all work is done, and the thread's device is as before.
class XtRun {
 public:
  explicit XtRun(XtSettings& self);
  ~XtRun();
  XtRun(const XtRun&) = delete;
  XtRun& operator=(const XtRun&) = delete;

  // Settings for what the next board does, which is the thread's device until the next call.
  Settings next();
  // Waits for what was queued.
  mublasStatus_t wait();

 private:
  XtSettings& self_;
  int before_ = 0;
  size_t turn_ = 0;
};

}  // namespace musashim::mublas
