/* Kept for sources that include it by name: make_float4 and its like. */
#include "vector_functions.h"
