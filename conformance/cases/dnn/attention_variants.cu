// links: cudnn
// Multi-head attention with biases, and without some of its projections.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.attention_variants");

#include "../../framework/dnn_sequences.h"

int main() {
  const cudnnHandle_t handle = makeHandle();
  Heads h;
  h.mode = CUDNN_ATTN_QUERYMAP_ALL_TO_ONE | CUDNN_ATTN_ENABLE_PROJ_BIASES;
  runAttention(handle, "biases", h);
  h = Heads();
  h.outTo = 0;
  runAttention(handle, "no_output_projection", h);
  h = Heads();
  h.queryTo = h.keyTo = h.valueTo = 0;
  runAttention(handle, "no_projections", h);
}
