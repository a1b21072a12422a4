/* Kept for sources that include it by name: what compilers of host code need to know. */
#include "host_defines.h"
