/* Kept for sources that include it by name: the math functions of device code. */
#include "math_functions.h"
