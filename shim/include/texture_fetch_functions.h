/* Kept for sources that include it by name: fetches from textures. */
#include "crt/texture_functions.h"
