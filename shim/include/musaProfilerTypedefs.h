/* Types of the profiler control functions; they are with the others. */
#include "musaTypedefs.h"
