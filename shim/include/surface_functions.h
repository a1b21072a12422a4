/* Kept for sources that include it by name: accesses to surfaces. */
#include "crt/surface_functions.h"
