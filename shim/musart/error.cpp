// Errors: the thread's last one, names and texts.
#include "musart/runtime.h"

using namespace musashim::musart;

namespace {

// The error of a faulted device stays whatever is asked.
musaError_t stickyError() {
  MUcontext current = nullptr;
  if (muCtxGetCurrent(&current) != MUSA_SUCCESS || !current) return musaSuccess;
  unsigned flags = 0;
  return fromDriver(muCtxGetFlags(&flags));
}

musaError_t peek() {
  musaError_t sticky = stickyError();
  return sticky != musaSuccess ? sticky : thisThread.lastError;
}

}  // namespace

extern "C" {

musaError_t musaGetLastError(void) {
  musaError_t error = peek();
  thisThread.lastError = musaSuccess;
  return error;
}

musaError_t musaPeekAtLastError(void) { return peek(); }

const char* musaGetErrorName(musaError_t error) {
  const char* name = errorName(error);
  return name ? name : "unrecognized error code";
}

const char* musaGetErrorString(musaError_t error) {
  const char* text = errorText(error);
  return text ? text : "unrecognized error code";
}

}  // extern "C"
