/* musaProfilerStart and musaProfilerStop; declared with the rest of the runtime API. */
#ifndef MUSASHIM_MUSA_PROFILER_API_H
#define MUSASHIM_MUSA_PROFILER_API_H

#include "musa_runtime_api.h"

#endif /* MUSASHIM_MUSA_PROFILER_API_H */
