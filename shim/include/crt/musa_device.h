/* Everything device code sees without asking: musa_runtime.h includes this file when
 * a MUSA source is compiled (__MUSACC__), in the host and in the device pass. */
#ifndef MUSASHIM_CRT_MUSA_DEVICE_H
#define MUSASHIM_CRT_MUSA_DEVICE_H

// clang-format off: the order matters
#include "host_defines.h"
#include "../vector_types.h"
#include "../vector_functions.h"
#include "builtin_variables.h"
#include "standard_headers.h"
#include "sync.h"
#include "named_barriers.h"
#include "warp.h"
#include "atomics.h"
#include "load_store.h"
#include "min_max.h"
#include "integer_intrinsics.h"
#include "simd_intrinsics.h"
#include "xorsign.h"
#include "conversions.h"
#include "float_intrinsics.h"
#include "old_names.h"
#include "vendor_builtins.h"
#include "float_rounding.h"
#include "math_functions.h"
#include "texture_functions.h"
#include "surface_functions.h"
#include "reference_functions.h"
#include "device_launch.h"
#include "vendor_matrices.h"
// clang-format on

#endif
