#include "libs/cufile/driver.h"

#include <mutex>

#include "libs/cufile/buffers.h"
#include "libs/cufile/files.h"
#include "libs/cufile/status.h"

namespace musashim::cufile {
namespace {

constexpr size_t kPageKib = 4;

// The library's defaults, by the documentation of cufile.json. No file system is reached past the processor:
// all transfers are of the compatibility mode.
CUfileDrvProps_t defaults() {
  CUfileDrvProps_t props{};
  props.nvfs.poll_thresh_size = 4;
  props.nvfs.max_direct_io_size = 16384;
  props.nvfs.dcontrolflags = 1u << CU_FILE_ALLOW_COMPAT_MODE;
  props.fflags = 1u << CU_FILE_BATCH_IO_SUPPORTED | 1u << CU_FILE_STREAMS_SUPPORTED;
  props.max_device_cache_size = 131072;
  props.per_buffer_cache_size = 1024;
  props.max_device_pinned_mem_size = 33554432;
  props.max_batch_io_size = 128;
  props.max_batch_io_timeout_msecs = 5;
  return props;
}

struct Session {
  std::mutex mutex;
  long uses = 0;
  unsigned operations = 0;
  CUfileDrvProps_t props = defaults();
};

// Never destroyed: threads run until the process is gone.
Session& session() {
  static Session& session = *new Session;
  return session;
}

CUfileOpError close() {
  Session& session = cufile::session();
  {
    const std::lock_guard lock(session.mutex);
    if (session.uses == 0) return CU_FILE_DRIVER_NOT_INITIALIZED;
    if (session.uses == 1 && session.operations != 0) return CU_FILE_DRIVER_CLOSING;
    if (--session.uses != 0) return CU_FILE_SUCCESS;
    session.props = defaults();
  }
  forgetBuffers();
  forgetFiles();
  return CU_FILE_SUCCESS;
}

bool isWholePages(size_t kib) { return kib % kPageKib == 0; }

// Changes the properties by `set`.
template <class Set>
CUfileOpError change(bool isInRange, Set set) {
  if (!isInRange) return CU_FILE_DRIVER_UNSUPPORTED_LIMIT;
  const std::lock_guard lock(session().mutex);
  set(session().props);
  return CU_FILE_SUCCESS;
}

}  // namespace

void openIfClosed() {
  const std::lock_guard lock(session().mutex);
  if (session().uses == 0) session().uses = 1;
}

CUfileDrvProps_t properties() {
  const std::lock_guard lock(session().mutex);
  return session().props;
}

Operation::Operation() {
  const std::lock_guard lock(session().mutex);
  ++session().operations;
}

Operation::~Operation() {
  const std::lock_guard lock(session().mutex);
  --session().operations;
}

}  // namespace musashim::cufile

using namespace musashim::cufile;

extern "C" {

CUfileError_t cuFileDriverOpen() {
  return entry("cuFileDriverOpen", [] {
    const std::lock_guard lock(session().mutex);
    ++session().uses;
    return CU_FILE_SUCCESS;
  });
}

#undef cuFileDriverClose
CUfileError_t cuFileDriverClose() {
  return entry("cuFileDriverClose", [] { return close(); });
}

CUfileError_t cuFileDriverClose_v2() {
  return entry("cuFileDriverClose_v2", [] { return close(); });
}

long cuFileUseCount() {
  const std::lock_guard lock(session().mutex);
  return session().uses;
}

CUfileError_t cuFileGetVersion(int* version) {
  return entry(
      "cuFileGetVersion",
      [&] {
        if (version == nullptr) return CU_FILE_INVALID_VALUE;
        *version = 1090;  // 1000 * major + 10 * minor
        return CU_FILE_SUCCESS;
      },
      version);
}

CUfileError_t cuFileDriverGetProperties(CUfileDrvProps_t* props) {
  return entry(
      "cuFileDriverGetProperties",
      [&] {
        if (props == nullptr) return CU_FILE_INVALID_VALUE;
        const std::lock_guard lock(session().mutex);
        if (session().uses == 0) return CU_FILE_DRIVER_NOT_INITIALIZED;
        *props = session().props;
        return CU_FILE_SUCCESS;
      },
      props);
}

CUfileError_t cuFileDriverSetPollMode(bool poll, size_t poll_threshold_size) {
  return entry(
      "cuFileDriverSetPollMode",
      [&] {
        return change(isWholePages(poll_threshold_size), [&](CUfileDrvProps_t& props) {
          const unsigned flag = 1u << CU_FILE_USE_POLL_MODE;
          props.nvfs.dcontrolflags = (props.nvfs.dcontrolflags & ~flag) | (poll ? flag : 0);
          props.nvfs.poll_thresh_size = poll_threshold_size;
        });
      },
      poll, poll_threshold_size);
}

CUfileError_t cuFileDriverSetMaxDirectIOSize(size_t max_direct_io_size) {
  return entry(
      "cuFileDriverSetMaxDirectIOSize",
      [&] {
        constexpr size_t kMost = size_t{2} << 20;  // what the system reads at once
        const bool isInRange =
            max_direct_io_size != 0 && max_direct_io_size <= kMost && isWholePages(max_direct_io_size);
        return change(isInRange,
                      [&](CUfileDrvProps_t& props) { props.nvfs.max_direct_io_size = max_direct_io_size; });
      },
      max_direct_io_size);
}

CUfileError_t cuFileDriverSetMaxCacheSize(size_t max_cache_size) {
  return entry(
      "cuFileDriverSetMaxCacheSize",
      [&] {
        const bool isInRange = max_cache_size >= properties().per_buffer_cache_size &&
                               max_cache_size <= UINT32_MAX && isWholePages(max_cache_size);
        return change(isInRange, [&](CUfileDrvProps_t& props) {
          props.max_device_cache_size = static_cast<unsigned>(max_cache_size);
        });
      },
      max_cache_size);
}

CUfileError_t cuFileDriverSetMaxPinnedMemSize(size_t max_pinned_size) {
  return entry(
      "cuFileDriverSetMaxPinnedMemSize",
      [&] {
        const bool isInRange =
            max_pinned_size != 0 && max_pinned_size <= UINT32_MAX && isWholePages(max_pinned_size);
        return change(isInRange, [&](CUfileDrvProps_t& props) {
          props.max_device_pinned_mem_size = static_cast<unsigned>(max_pinned_size);
        });
      },
      max_pinned_size);
}

}  // extern "C"
