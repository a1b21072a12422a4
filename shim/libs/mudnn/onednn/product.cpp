#include "libs/mudnn/onednn/engine.h"
#include "libs/mudnn/onednn/plan.h"

namespace musashim::mudnn::onednn {

void product(const Array& out, const Array& a, const Array& b) {
  const auto plan = planFor(Key(Key::Operation::kProduct).add(out).add(a).add(b), [&] {
    const dnnl::matmul::primitive_desc description(engine(), floatsOf(a), floatsOf(b), floatsOf(out),
                                                   planAttributes());
    return Plan(dnnl::matmul(description), description.scratchpad_desc(),
                {{DNNL_ARG_SRC, floatsOf(a), description.src_desc(), false},
                 {DNNL_ARG_WEIGHTS, floatsOf(b), description.weights_desc(), false},
                 {DNNL_ARG_DST, floatsOf(out), description.dst_desc(), true}});
  });
  plan->run({a.data, b.data, out.data});
}

void matrixProduct(const Matrix& a, const Matrix& b, float* c, int64_t pitch, int64_t rows, int64_t columns,
                   int64_t terms, bool adds) {
  useThreads();
  const dnnl_status_t status =
      dnnl_sgemm(a.isTurned ? 'T' : 'N', b.isTurned ? 'T' : 'N', rows, columns, terms, 1, a.data, a.pitch,
                 b.data, b.pitch, adds ? 1.0F : 0.0F, c, pitch);
  if (status != dnnl_success) throw dnnl::error(status, "a product of matrices failed");
}

}  // namespace musashim::mudnn::onednn
