/* Kept for sources that include it by name: 8-bit floats. */
#include "musa_fp8.h"
