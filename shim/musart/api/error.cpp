// Errors: the thread's last one, names and texts. That of a faulted device is given again by
// every call that needs the device, not by these.
#include <utility>

#include "musart/api/runtime.h"

using namespace musashim::musart;

extern "C" {

musaError_t musaGetLastError(void) { return std::exchange(lastError(), musaSuccess); }

musaError_t musaPeekAtLastError(void) { return lastError(); }

const char* musaGetErrorName(musaError_t error) {
  const char* name = errorName(error);
  return name ? name : "unrecognized error code";
}

const char* musaGetErrorString(musaError_t error) {
  const char* text = errorText(error);
  return text ? text : "unrecognized error code";
}

}  // extern "C"
