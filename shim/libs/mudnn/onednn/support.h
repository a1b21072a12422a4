// What all uses of oneDNN share.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn::onednn {

// The processor. Made once, never destroyed: threads run until the process is gone.
const dnnl::engine& engine();

// Has primitives that the calling thread makes and runs use as many threads as the libraries may.
void useThreads();
// On the processor a call has run when it returns.
dnnl::stream stream();

dnnl::memory::dims dimsOf(const Array& array);
dnnl::memory::desc floatsOf(const Array& array);

}  // namespace musashim::mudnn::onednn
