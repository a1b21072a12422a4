/* mtmusa::experimental::awbarrier: CUDA 11.0's class for barriers in shared memory
 * (nvcuda::experimental::awbarrier), which <musa/barrier> replaces. */
#ifndef MUSASHIM_MUSA_AWBARRIER_H
#define MUSASHIM_MUSA_AWBARRIER_H

#include "musa_awbarrier_primitives.h"

#if defined(__MUSACC__)

namespace mtmusa {
namespace experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    /* How many arrivals the phase still waited for, this one included. */
    MUSASHIM_D uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend class awbarrier;
    MUSASHIM_D explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
    __mbarrier_token_t token_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  MUSASHIM_D arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier_)); }
  MUSASHIM_D arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&barrier_)); }
  /* Whether the phase ended in that time. */
  MUSASHIM_D bool timed_wait(arrival_token token, uint32_t hint_cycles) {
    const long long end = clock64() + hint_cycles;
    while (!__mbarrier_test_wait(&barrier_, token.token_)) {
      if (clock64() > end) return false;
    }
    return true;
  }
  MUSASHIM_D bool timed_wait_parity(bool phase, uint32_t hint_cycles) {
    const long long end = clock64() + hint_cycles;
    while (!__mbarrier_test_wait_parity(&barrier_, phase)) {
      if (clock64() > end) return false;
    }
    return true;
  }
  MUSASHIM_D void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&barrier_, token.token_)) __nanosleep(0);
  }
  MUSASHIM_D void arrive_and_wait() { wait(arrive()); }
  static MUSASHIM_HD uint32_t max() { return __mbarrier_maximum_count(); }

  /* For __pipeline_arrive_on. */
  MUSASHIM_D __mbarrier_t* musashimWord() { return &barrier_; }

  friend MUSASHIM_D void init(awbarrier* barrier, uint32_t expected_count) {
    __mbarrier_init(&barrier->barrier_, expected_count);
  }
  friend MUSASHIM_D void inval(awbarrier* barrier) { __mbarrier_inval(&barrier->barrier_); }

 private:
  __mbarrier_t barrier_;
};

}  // namespace experimental
}  // namespace mtmusa

#endif
#endif
