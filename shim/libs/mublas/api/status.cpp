#include "libs/mublas/api/status.h"

namespace musashim::mublas {
namespace {

namespace vendor {
#include "crt/mublas_statuses.h"
}

// rocBLAS documents INVALID_VALUE for options, INVALID_SIZE for sizes, increments and leading dimensions, and
// INVALID_POINTER. Options are looked at before the operation is; what it refuses then is one of the others.
int vendorsStatus(mublasStatus_t status) {
  switch (static_cast<int>(status)) {
    case MUBLAS_STATUS_SUCCESS:
      return vendor::MUBLAS_STATUS_SUCCESS;
    case MUBLAS_STATUS_NOT_INITIALIZED:
    case kBadHandle:
      return vendor::MUBLAS_STATUS_INVALID_HANDLE;
    case MUBLAS_STATUS_ALLOC_FAILED:
      return vendor::MUBLAS_STATUS_MEMORY_ERROR;
    case MUBLAS_STATUS_NOT_SUPPORTED:
    case MUBLAS_STATUS_ARCH_MISMATCH:
      return vendor::MUBLAS_STATUS_NOT_IMPLEMENTED;
    case MUBLAS_STATUS_INVALID_VALUE:
      if (!publicCall.isOperation) return vendor::MUBLAS_STATUS_INVALID_VALUE;
      return publicCall.hasNull ? vendor::MUBLAS_STATUS_INVALID_POINTER : vendor::MUBLAS_STATUS_INVALID_SIZE;
    case kBadOption:
      return vendor::MUBLAS_STATUS_INVALID_VALUE;
    case kBadSize:
    case kBadTransferSize:
      return vendor::MUBLAS_STATUS_INVALID_SIZE;
    case kBadPointer:
      return vendor::MUBLAS_STATUS_INVALID_POINTER;
    default:
      return vendor::MUBLAS_STATUS_INTERNAL_ERROR;
  }
}

int cudasStatus(mublasStatus_t status) {
  switch (static_cast<int>(status)) {
    case kBadOption:
    case kBadSize:
    case kBadPointer:
    case kBadHandle:
      return MUBLAS_STATUS_INVALID_VALUE;
    case kBadTransferSize:
      return MUBLAS_STATUS_MAPPING_ERROR;
    default:
      return status;
  }
}

struct Row {
  int status;
  const char *name, *text;
};

#define MUBLAS_ROW(status, text) {vendor::MUBLAS_STATUS_##status, "MUBLAS_STATUS_" #status, text}
constexpr Row kVendors[] = {
    MUBLAS_ROW(SUCCESS, "success"),
    MUBLAS_ROW(INVALID_HANDLE, "the handle is none, or there is no device"),
    MUBLAS_ROW(NOT_IMPLEMENTED, "not implemented"),
    MUBLAS_ROW(INVALID_POINTER, "a pointer is null"),
    MUBLAS_ROW(INVALID_SIZE, "a size, an increment or a leading dimension is wrong"),
    MUBLAS_ROW(MEMORY_ERROR, "out of memory"),
    MUBLAS_ROW(INTERNAL_ERROR, "an error in the library, or work that could not be queued"),
    MUBLAS_ROW(PERF_DEGRADED, "slower than it could be, for want of memory"),
    MUBLAS_ROW(SIZE_QUERY_MISMATCH, "a size is asked for between start and stop of sizes"),
    MUBLAS_ROW(SIZE_INCREASED, "the size that is needed has grown"),
    MUBLAS_ROW(SIZE_UNCHANGED, "the size that is needed is as before"),
    MUBLAS_ROW(INVALID_VALUE, "an option has a value that there is not"),
    MUBLAS_ROW(CONTINUE, "nothing kept the call from going on"),
    MUBLAS_ROW(CHECK_NUMERICS_FAIL, "a matrix or vector holds NaN or infinity"),
    MUBLAS_ROW(ARCH_MISMATCH, "the device has no such operation"),
    MUBLAS_ROW(MAPPING_ERROR, "memory could not be copied"),
    MUBLAS_ROW(EXECUTION_FAILED, "work failed on the device"),
    MUBLAS_ROW(LICENSE_ERROR, "licence error")};
#undef MUBLAS_ROW

#define MUBLAS_ROW(status, text) {MUBLAS_STATUS_##status, "CUBLAS_STATUS_" #status, text}
constexpr Row kCudas[] = {MUBLAS_ROW(SUCCESS, "success"),
                          MUBLAS_ROW(NOT_INITIALIZED, "the handle is none, or there is no device"),
                          MUBLAS_ROW(ALLOC_FAILED, "out of memory"),
                          MUBLAS_ROW(INVALID_VALUE, "an argument has a value that it must not have"),
                          MUBLAS_ROW(ARCH_MISMATCH, "the device has no such operation"),
                          MUBLAS_ROW(MAPPING_ERROR, "memory could not be copied"),
                          MUBLAS_ROW(EXECUTION_FAILED, "work could not be queued, or failed on the device"),
                          MUBLAS_ROW(INTERNAL_ERROR, "an error in the library"),
                          MUBLAS_ROW(NOT_SUPPORTED, "not supported"),
                          MUBLAS_ROW(LICENSE_ERROR, "licence error")};
#undef MUBLAS_ROW

template <size_t kCount>
const Row* find(const Row (&rows)[kCount], int status) {
  for (const Row& row : rows)
    if (row.status == status) return &row;
  return nullptr;
}

const Row* rowOf(mublasStatus_t status) {
  return publicCall.isVendors ? find(kVendors, status) : find(kCudas, status);
}

}  // namespace

mublasStatus_t toldStatus(mublasStatus_t status) {
  return static_cast<mublasStatus_t>(publicCall.isVendors ? vendorsStatus(status) : cudasStatus(status));
}

const char* nameOfTold(mublasStatus_t status) {
  const Row* const row = rowOf(status);
  return row ? row->name : nullptr;
}

const char* textOfTold(mublasStatus_t status) {
  const Row* const row = rowOf(status);
  return row ? row->text : nullptr;
}

}  // namespace musashim::mublas
