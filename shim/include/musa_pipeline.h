/* mtmusa::experimental::pipeline: CUDA 11.0's class for asynchronous copies to shared memory
 * (nvcuda::experimental::pipeline), which <musa/pipeline> replaces. Copies are complete when they were
 * called. */
#ifndef MUSASHIM_MUSA_PIPELINE_H
#define MUSASHIM_MUSA_PIPELINE_H

#include "musa_awbarrier.h"
#include "musa_pipeline_primitives.h"

#if defined(__MUSACC__)

namespace mtmusa {
namespace experimental {

class pipeline {
 public:
  MUSASHIM_D pipeline() : batch_(0) {}
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  /* The number of the batch that ends here. */
  MUSASHIM_D size_t commit() { return batch_++; }
  MUSASHIM_D void commit_and_wait() { commit(); }
  MUSASHIM_D void wait(size_t batch) { (void)batch; }
  /* Until all batches but the last N are complete. */
  template <unsigned N>
  MUSASHIM_D void wait_prior() {}
  MUSASHIM_D void arrive_on(awbarrier& barrier) { __pipeline_arrive_on(barrier.musashimWord()); }

 private:
  size_t batch_;
};

/* Where the source is smaller than the destination, zeros follow it. */
template <class D, class S>
MUSASHIM_D void memcpy_async(D& destination, const S& source, pipeline&) {
  static_assert(sizeof(D) >= sizeof(S), "the source must not be larger than the destination");
  __builtin_memcpy(&destination, &source, sizeof(S));
  __builtin_memset(reinterpret_cast<char*>(&destination) + sizeof(S), 0, sizeof(D) - sizeof(S));
}
template <size_t Count, class D, class S>
MUSASHIM_D void memcpy_async(D (&destination)[Count], const S (&source)[Count], pipeline& pipe) {
  for (size_t i = 0; i < Count; ++i) memcpy_async(destination[i], source[i], pipe);
}

}  // namespace experimental
}  // namespace mtmusa

#endif
#endif
