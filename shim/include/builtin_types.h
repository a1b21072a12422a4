/* The types that need no include under mcc, for C and C++. */
#ifndef MUSASHIM_BUILTIN_TYPES_H
#define MUSASHIM_BUILTIN_TYPES_H

#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"

#endif
