/* Kept for sources that include it by name: matrix fragments. */
#include "../mma.h"
