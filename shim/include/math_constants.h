/* Constants of the math functions (CUDA's math_constants.h under the vendor's prefix). */
#ifndef MUSASHIM_MATH_CONSTANTS_H
#define MUSASHIM_MATH_CONSTANTS_H

#include "crt/math_constants.h"

#endif
