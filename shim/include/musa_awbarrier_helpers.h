/* Kept for sources that include it by name: barriers in shared memory. */
#include "musa_awbarrier_primitives.h"
