// What 0 means for programs whose default stream is per thread.
#pragma once

#include "musa.h"

namespace musashim::musa {

inline MUstream perThread(MUstream stream) { return stream ? stream : MU_STREAM_PER_THREAD; }

/// A synchronous call is an asynchronous one that is waited for.
inline MUresult waitedFor(MUresult submitted) {
  return submitted == MUSA_SUCCESS ? muStreamSynchronize(MU_STREAM_PER_THREAD) : submitted;
}

}  // namespace musashim::musa
