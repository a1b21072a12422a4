/* How lanes of a warp wait for each other and hand values over, in memory that is the runtime's. It is in no
 * allocation that checked code knows. So the functions that read and write it (MUSASHIM_EXCHANGE) are left
 * out of checks, and are not always inlined, for then they would be checked as the user's.
 */
#ifndef MUSASHIM_CRT_LANE_MEETING_H
#define MUSASHIM_CRT_LANE_MEETING_H

#include "builtin_variables.h"
#include "device_runtime.h"

#define MUSASHIM_EXCHANGE inline __device__ __attribute__((disable_sanitizer_instrumentation))

MUSASHIM_D unsigned int musashimThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/* The caller's 32 lanes wait for each other, also on a device with 128 a warp. */
MUSASHIM_D void musashimMeet() { (void)__musa_ballot(0xffffffffu, 1); }
MUSASHIM_D unsigned int musashimLane() { return musashimThread() % 32u; }

#endif
