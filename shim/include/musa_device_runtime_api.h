/* The runtime API as device code calls it: launches need no include (crt/device_launch.h). */
#include "musa_runtime_api.h"
