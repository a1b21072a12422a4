/* Everything device code sees without asking: musa_runtime.h includes this file when
 * a MUSA source is compiled (__MUSACC__), in the host and in the device pass. */
#ifndef MUSASHIM_CRT_MUSA_DEVICE_H
#define MUSASHIM_CRT_MUSA_DEVICE_H

#include "../vector_functions.h"
#include "../vector_types.h"
#include "builtin_variables.h"
#include "host_defines.h"

#endif
