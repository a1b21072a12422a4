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

/* Between two looks at the word: lets others run, and ends the kernel with a fault, and says why, once the
 * communicator of the window has failed or was aborted. */
class Pause {
 public:
  __device__ explicit Pause(mcclWindow_t window) : window_(window) {}
  __device__ void operator()() {
    __nanosleep(20);
    if (++turns_ % 64 == 0) endIfInVain(window_);
  }

 private:
  mcclWindow_t window_;
  uint32_t turns_ = 0;
};

}  // namespace mccli

#endif
