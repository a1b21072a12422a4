/* How kernels wait for words that other ranks write. */
#ifndef MCCL_DEVICE_WAIT_H_
#define MCCL_DEVICE_WAIT_H_

#include "ptr.h"

namespace mccli {

static __device__ __attribute__((noinline)) void endIfInVain(mcclWindow_t window) {
  const char* const why = window->whyInVain(window->of);
  if (why == nullptr) return;
  if (*why != '\0') printf("mccl: device API: a kernel of rank %d waits in vain: %s\n", window->rank, why);
  __trap();
}

/* Until `holds`. Lets others run; ends the kernel with a fault, and says why, once the communicator of the
 * window has failed or was aborted. The inner loop does nothing but look, by which mcc knows that blocks wait
 * here for others, and lets those run. */
template <typename Holds>
__device__ void awaitOthers(mcclWindow_t window, const Holds& holds) {
  for (;;) {
    for (int turn = 0; turn < 64; ++turn) {
      if (holds()) return;
      __nanosleep(20);
    }
    endIfInVain(window);
  }
}

}  // namespace mccli

#endif
