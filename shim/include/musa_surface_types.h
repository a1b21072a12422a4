/* surface<void, dimensions>: a surface reference, a variable at file scope that the host binds to an array
 * and device code reads and writes through. As texture references (musa_texture_types.h), these are CUDA
 * 11's.
 */
#ifndef MUSASHIM_MUSA_SURFACE_TYPES_H
#define MUSASHIM_MUSA_SURFACE_TYPES_H

#include "surface_types.h"

#if defined(__cplusplus)

/* Clang gives such variables a copy on every device, and registers them by their template arguments. */
#if defined(__MUSACC__)
#define MUSASHIM_SURFACE_REFERENCE __attribute__((device_builtin_surface_type))
#else
#define MUSASHIM_SURFACE_REFERENCE
#endif

namespace musashim {

template <class T, int dim = 1>
struct MUSASHIM_SURFACE_REFERENCE surface : public surfaceReference {
  surface() : surfaceReference() {}
};

}  // namespace musashim

#if !defined(MUSASHIM_FINDS_REFERENCES) /* mcc does */
using musashim::surface;
#endif

#undef MUSASHIM_SURFACE_REFERENCE

#endif
#endif
