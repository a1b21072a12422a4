/* Surface references (CUDA 11's programming guide, "Surface Reference API"); the types of surface objects are
 * in driver_types.h. For C and C++. */
#ifndef MUSASHIM_SURFACE_TYPES_H
#define MUSASHIM_SURFACE_TYPES_H

#include "driver_types.h"

/* musa_surface_types.h has the variables that device code reads and writes through. */
struct surfaceReference {
  struct musaChannelFormatDesc channelDesc;
  musaSurfaceObject_t musashimObject; /* a device's copy: what the reference is bound to there; 0: nothing */
};

#endif
