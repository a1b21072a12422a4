/* The runtime API (libmusart), for C and C++.
 *
 * Functions are declared from the records in shim/api/runtime.yml; in C++ they have the default
 * arguments of CUDA's. musa_runtime.h adds the C++ templates.
 */
#ifndef MUSASHIM_MUSA_RUNTIME_API_H
#define MUSASHIM_MUSA_RUNTIME_API_H
/* Sources ask by this name whether the header was included (the vendor's guard, as CUDA's). */
#define __MUSA_RUNTIME_API_H__

#include <limits.h>
#include <stddef.h>

#include "driver_types.h"
#include "musart_version.h"

#define MUSART_VERSION 50200 /* 10000 * major + 100 * minor + patch */

#pragma GCC visibility push(default)
#ifdef __cplusplus
#define MUSART_DEFAULT(value) = value
extern "C" {
#else
#define MUSART_DEFAULT(value)
#endif
#ifdef MUSA_API_PER_THREAD_DEFAULT_STREAM
#include "musa_detail/runtime_per_thread.h"
#endif
#include "musa_detail/runtime_functions.h"
#ifdef MUSASHIM_CUDA_SOURCE
#include "musa_detail/cuda_runtime_functions.h"
#endif
#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#undef MUSART_DEFAULT
#include "crt/graphics_resources.h"
#ifdef MUSASHIM_CUDA_SOURCE
#include "crt/cuda_runtime_overloads.h"
#endif

/* CUDA 12's versioned spellings of functions that have one form here. */
#define musaGetDeviceProperties_v2 musaGetDeviceProperties
#define musaStreamGetCaptureInfo_v2 musaStreamGetCaptureInfo

static __inline__ struct musaPitchedPtr make_musaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  struct musaPitchedPtr s;
  s.ptr = d;
  s.pitch = p;
  s.xsize = xsz;
  s.ysize = ysz;
  return s;
}

static __inline__ struct musaPos make_musaPos(size_t x, size_t y, size_t z) {
  struct musaPos p;
  p.x = x;
  p.y = y;
  p.z = z;
  return p;
}

static __inline__ struct musaExtent make_musaExtent(size_t w, size_t h, size_t d) {
  struct musaExtent e;
  e.width = w;
  e.height = h;
  e.depth = d;
  return e;
}

/* With MUSA_NO_RUNTIME_OVERLOADS each name is one function, as with MUSA_NO_DRIVER_OVERLOADS in musa.h. */
#if defined(__cplusplus) && !defined(MUSA_NO_RUNTIME_OVERLOADS)
#include "crt/graph_versions.h"
#endif

#endif /* MUSASHIM_MUSA_RUNTIME_API_H */
