/* Included by mcc before every MUSA source file, as the vendor's compiler includes
 * its runtime. Declares what clang's launch code looks up by name; mcc's host pass
 * gives the calls musart's names. */
#ifndef MUSASHIM_MCC_PRELUDE_H
#define MUSASHIM_MCC_PRELUDE_H

/* What clang says of -fgpu-default-stream=per-thread. */
#if defined(HIP_API_PER_THREAD_DEFAULT_STREAM) && !defined(MUSA_API_PER_THREAD_DEFAULT_STREAM)
#define MUSA_API_PER_THREAD_DEFAULT_STREAM 1
#endif

#include <musa_runtime.h>

/* nvcc lets sources ask whether a type is that of a lambda for devices. Mcc's frontend gives such closures
 * the member types when one of these templates asks (frontend/lambda_traits.cpp). */
#ifdef __cplusplus
#define MUSASHIM_LAMBDA_TRAIT(trait, member)        \
  template <class, class = void>                    \
  struct trait {                                    \
    static constexpr bool value = false;            \
  };                                                \
  template <class Closure>                          \
  struct trait<Closure, typename Closure::member> { \
    static constexpr bool value = true;             \
  };
MUSASHIM_LAMBDA_TRAIT(__musa_lambda_is_device, __musa_device_lambda)
MUSASHIM_LAMBDA_TRAIT(__musa_lambda_is_preserved, __musa_device_lambda_with_result)
MUSASHIM_LAMBDA_TRAIT(__musa_lambda_is_host_device, __musa_host_device_lambda)
#undef MUSASHIM_LAMBDA_TRAIT
#define __nv_is_extended_device_lambda_closure_type(...) (::__musa_lambda_is_device<__VA_ARGS__>::value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) \
  (::__musa_lambda_is_preserved<__VA_ARGS__>::value)
#define __nv_is_extended_host_device_lambda_closure_type(...) \
  (::__musa_lambda_is_host_device<__VA_ARGS__>::value)
#endif

/* In device code, a launch is the device runtime's (device_plugin/semantics/device_launches.cpp). */
#ifdef MUSASHIM_DEVICE_COMPILER
#define MUSASHIM_LAUNCHES __host__ __device__
#else
#define MUSASHIM_LAUNCHES
#endif
extern "C" MUSASHIM_LAUNCHES unsigned __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                                 size_t sharedMem = 0,
                                                                 musaStream_t stream = 0);
#undef MUSASHIM_LAUNCHES
extern "C" musaError_t hipLaunchKernel(const void* function, dim3 gridDim, dim3 blockDim, void** arguments,
                                       size_t sharedMem, musaStream_t stream);
/* The name that clang's launches have where the default stream is per thread. */
extern "C" musaError_t hipLaunchKernel_spt(const void* function, dim3 gridDim, dim3 blockDim,
                                           void** arguments, size_t sharedMem, musaStream_t stream);

/* A checked program says so before its first allocation, so that the device runtime
 * follows every one. Programs without the device runtime have nothing to check. */
#if defined(MUSASHIM_CHECKS) && !defined(MUSASHIM_DEVICE_COMPILER)
extern "C" void* dlsym(void* __restrict handle, const char* __restrict name) noexcept;
static __attribute__((constructor(101), used)) void __musa_enable_checks() {
  if (void* enable = dlsym(nullptr, "__musa_check_enable")) {
    reinterpret_cast<void (*)(unsigned)>(enable)(MUSASHIM_CHECKS);
  }
}
#endif
#if defined(MUSASHIM_CHECKS) && defined(MUSASHIM_DEVICE_COMPILER)
#include "musa_check_inline.h"
#endif

#endif

/* What sources begin with, where it is precompiled behind the prelude, which is read again for it
 * (driver/kept/leading_headers.h). */
#ifdef MUSASHIM_LEADING_HEADER_0
#include MUSASHIM_LEADING_HEADER_0
#include MUSASHIM_LEADING_HEADER_1
#include MUSASHIM_LEADING_HEADER_2
#include MUSASHIM_LEADING_HEADER_3
#include MUSASHIM_LEADING_HEADER_4
#include MUSASHIM_LEADING_HEADER_5
#include MUSASHIM_LEADING_HEADER_6
#include MUSASHIM_LEADING_HEADER_7
#include MUSASHIM_LEADING_HEADER_8
#include MUSASHIM_LEADING_HEADER_9
#include MUSASHIM_LEADING_HEADER_10
#include MUSASHIM_LEADING_HEADER_11
#undef MUSASHIM_LEADING_HEADER_0
#undef MUSASHIM_LEADING_HEADER_1
#undef MUSASHIM_LEADING_HEADER_2
#undef MUSASHIM_LEADING_HEADER_3
#undef MUSASHIM_LEADING_HEADER_4
#undef MUSASHIM_LEADING_HEADER_5
#undef MUSASHIM_LEADING_HEADER_6
#undef MUSASHIM_LEADING_HEADER_7
#undef MUSASHIM_LEADING_HEADER_8
#undef MUSASHIM_LEADING_HEADER_9
#undef MUSASHIM_LEADING_HEADER_10
#undef MUSASHIM_LEADING_HEADER_11
#endif
