/* Kept for sources that include it by name: make_musaExtent and its like. */
#include "musa_runtime_api.h"
