/* Kept for sources that include it by name: all device functions are there already. */
#ifndef MUSASHIM_DEVICE_FUNCTIONS_H
#define MUSASHIM_DEVICE_FUNCTIONS_H
#if defined(__MUSACC__)
#include "crt/musa_device.h"
#endif
#endif
