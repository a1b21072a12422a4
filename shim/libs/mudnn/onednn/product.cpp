#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/support.h"

namespace musashim::mudnn::onednn {

void product(const Array& out, const Array& a, const Array& b) {
  const dnnl::matmul::primitive_desc description(engine(), floatsOf(a), floatsOf(b), floatsOf(out));
  dnnl::stream queue = stream();
  dnnl::matmul(description)
      .execute(queue,
               {{DNNL_ARG_SRC, memoryOf(a)}, {DNNL_ARG_WEIGHTS, memoryOf(b)}, {DNNL_ARG_DST, memoryOf(out)}});
}

}  // namespace musashim::mudnn::onednn
