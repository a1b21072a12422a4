/* Declares threadIdx and its like, for sources that include it by name. */
#ifndef MUSASHIM_DEVICE_LAUNCH_PARAMETERS_H
#define MUSASHIM_DEVICE_LAUNCH_PARAMETERS_H
#include "crt/builtin_variables.h"
#endif
