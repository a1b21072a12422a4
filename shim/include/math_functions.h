/* Kept for sources that include it by name: the math functions of device code. */
#ifndef MUSASHIM_MATH_FUNCTIONS_H
#define MUSASHIM_MATH_FUNCTIONS_H
#if defined(__MUSACC__)
#include "crt/musa_device.h"
#else
#include "crt/math_functions.h"
#endif
#endif
