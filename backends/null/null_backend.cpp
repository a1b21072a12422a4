#include "null/null_backend.h"

#include <time.h>

#include <cstdlib>

namespace musashim::backend {

Device& NullBackend::device(size_t) { std::abort(); }

Status NullBackend::allocateHost(size_t, void** pointer) {
  *pointer = nullptr;
  return {StatusCode::kNotSupported, "there is no device"};
}

Status NullBackend::releaseHost(void*) { return {StatusCode::kInvalidValue, "there is no device"}; }

int64_t NullBackend::now() const {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace musashim::backend
