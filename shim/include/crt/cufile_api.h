/* cuFile's functions. */
#ifndef MUSASHIM_CRT_CUFILE_API_H
#define MUSASHIM_CRT_CUFILE_API_H

#include "cufile_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)
#include <musa_detail/cufile_functions.h>
#pragma GCC visibility pop

/* The text of a status; "unknown cuFile error" where there is no such. */
static inline const char* cufileop_status_error(CUfileOpError status) {
  switch (status) {
    case CU_FILE_SUCCESS:
      return "success";
    case CU_FILE_DRIVER_NOT_INITIALIZED:
      return "the driver is not open";
    case CU_FILE_DRIVER_INVALID_PROPS:
      return "invalid property";
    case CU_FILE_DRIVER_UNSUPPORTED_LIMIT:
      return "a property is out of its range";
    case CU_FILE_DRIVER_VERSION_MISMATCH:
      return "the driver is of another version";
    case CU_FILE_DRIVER_VERSION_READ_ERROR:
      return "the driver's version cannot be read";
    case CU_FILE_DRIVER_CLOSING:
      return "the driver is being closed, or has operations to end";
    case CU_FILE_PLATFORM_NOT_SUPPORTED:
      return "not supported on this platform";
    case CU_FILE_IO_NOT_SUPPORTED:
      return "not supported for this file";
    case CU_FILE_DEVICE_NOT_SUPPORTED:
      return "not supported on this device";
    case CU_FILE_NVFS_DRIVER_ERROR:
      return "error of the driver for files";
    case CU_FILE_CUDA_DRIVER_ERROR:
      return "error of the CUDA driver";
    case CU_FILE_CUDA_POINTER_INVALID:
      return "invalid device pointer";
    case CU_FILE_CUDA_MEMORY_TYPE_INVALID:
      return "invalid type of memory";
    case CU_FILE_CUDA_POINTER_RANGE_ERROR:
      return "the range exceeds the allocation";
    case CU_FILE_CUDA_CONTEXT_MISMATCH:
      return "the memory is another context's";
    case CU_FILE_INVALID_MAPPING_SIZE:
      return "access beyond the size that was pinned";
    case CU_FILE_INVALID_MAPPING_RANGE:
      return "access beyond the range that was mapped";
    case CU_FILE_INVALID_FILE_TYPE:
      return "not a file that can be read or written at offsets";
    case CU_FILE_INVALID_FILE_OPEN_FLAG:
      return "the file was opened with a flag that is not supported";
    case CU_FILE_DIO_NOT_SET:
      return "the file was not opened with O_DIRECT";
    case CU_FILE_INVALID_VALUE:
      return "invalid argument";
    case CU_FILE_MEMORY_ALREADY_REGISTERED:
      return "the memory is registered already";
    case CU_FILE_MEMORY_NOT_REGISTERED:
      return "the memory is not registered";
    case CU_FILE_PERMISSION_DENIED:
      return "permission denied";
    case CU_FILE_DRIVER_ALREADY_OPEN:
      return "the driver is open already";
    case CU_FILE_HANDLE_NOT_REGISTERED:
      return "the file is not registered";
    case CU_FILE_HANDLE_ALREADY_REGISTERED:
      return "the file is registered already";
    case CU_FILE_DEVICE_NOT_FOUND:
      return "no such device";
    case CU_FILE_INTERNAL_ERROR:
      return "internal error";
    case CU_FILE_GETNEWFD_FAILED:
      return "no new file descriptor";
    case CU_FILE_NVFS_SETUP_ERROR:
      return "the driver for files cannot be set up";
    case CU_FILE_IO_DISABLED:
      return "the file cannot be used";
    case CU_FILE_BATCH_SUBMIT_FAILED:
      return "the batch was not taken";
    case CU_FILE_GPU_MEMORY_PINNING_FAILED:
      return "no more device memory may be pinned";
    case CU_FILE_BATCH_FULL:
      return "the batch has no room";
    case CU_FILE_ASYNC_NOT_SUPPORTED:
      return "operations on streams are not supported";
    default:
      return "unknown cuFile error";
  }
}

#ifdef __cplusplus
}
#endif

/* What sources mean since 1.5. */
#define cuFileDriverClose cuFileDriverClose_v2

#endif
