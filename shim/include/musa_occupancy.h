/* Occupancy. CUDA's header computes it from a description of a GPU's registers, which say nothing about
 * another vendor's: the runtime's functions (musaOccupancy...) know the device, and uses of the descriptions
 * say so. */
#ifndef MUSASHIM_MUSA_OCCUPANCY_H
#define MUSASHIM_MUSA_OCCUPANCY_H

#include "musa_runtime.h"

#define MUSASHIM_USE_RUNTIME \
  __attribute__((unavailable("use the runtime: musaOccupancyMaxActiveBlocksPerMultiprocessor and its kin")))

typedef struct musaOccDeviceProp musaOccDeviceProp MUSASHIM_USE_RUNTIME;
typedef struct musaOccFuncAttributes musaOccFuncAttributes MUSASHIM_USE_RUNTIME;
typedef struct musaOccDeviceState musaOccDeviceState MUSASHIM_USE_RUNTIME;
typedef struct musaOccResult musaOccResult MUSASHIM_USE_RUNTIME;
MUSASHIM_USE_RUNTIME int musaOccMaxActiveBlocksPerMultiprocessor(void*, ...);
MUSASHIM_USE_RUNTIME int musaOccMaxPotentialOccupancyBlockSize(int*, ...);
MUSASHIM_USE_RUNTIME int musaOccMaxPotentialOccupancyBlockSizeVariableSMem(int*, ...);
MUSASHIM_USE_RUNTIME int musaOccAvailableDynamicSMemPerBlock(size_t*, ...);

#undef MUSASHIM_USE_RUNTIME

#endif
