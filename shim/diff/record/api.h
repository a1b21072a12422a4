// The driver API by either vendor's names, so that one source records both: API(MemAlloc_v2) is
// muMemAlloc_v2, or cuMemAlloc_v2 where it is built on an NVIDIA machine.
#pragma once

#ifdef MUSASHIM_RECORD_CUDA
#include <cuda.h>
#if CUDA_VERSION < 12040
#error "the recorder needs CUDA 12.4 or later: it asks the driver for the parameters of kernels"
#endif
#define API(name) cu##name
#define TYPE(name) CU##name
#define ENUM(name) CU_##name
#define SUCCESS CUDA_SUCCESS
#define API_NAME "cuda"
#else
#include <musa.h>
#define API(name) mu##name
#define TYPE(name) MU##name
#define ENUM(name) MU_##name
#define SUCCESS MUSA_SUCCESS
#define API_NAME "musa"
#endif

namespace musashim::record {

// Whether a call of this thread is of the recorder itself, or within one that is recorded as a whole.
inline thread_local int depth = 0;

struct Nested {
  Nested() { ++depth; }
  ~Nested() { --depth; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
};

}  // namespace musashim::record
