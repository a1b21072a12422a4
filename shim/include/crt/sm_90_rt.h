/* Kept for sources that include it by name: all device functions are there already. */
#include "../device_functions.h"
