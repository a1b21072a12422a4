/* Kept for sources that include it by its old name. */
#ifndef MUSASHIM_HOST_DEFINES_H
#define MUSASHIM_HOST_DEFINES_H
#include "crt/host_defines.h"
#endif
