/* The driver API's profiler control: muProfilerStart and muProfilerStop. */
#include "musa.h"
