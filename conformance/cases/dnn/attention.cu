// links: cudnn
// Multi-head attention: sizes of weights, values, gradients, windows; what descriptors refuse. In double.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.attention");

#include "../../framework/dnn_sequences.h"

int main() {
  const cudnnHandle_t handle = makeHandle();
  Heads h;
  runAttention(handle, "plain", h);
  h.causal = true;
  runAttention(handle, "causal", h);

  cudnnAttnDescriptor_t attention = nullptr;
  STATUS("create", cudnnCreateAttnDescriptor(&attention));
  const auto set = [&](const std::string& key, int heads, int type, int precision, int query, int queryTo,
                       int keyTo, double scale, int times) {
    STATUS(key, cudnnSetAttnDescriptor(attention, 0, heads, scale, static_cast<cudnnDataType_t>(type),
                                       static_cast<cudnnDataType_t>(precision), CUDNN_DEFAULT_MATH, nullptr,
                                       nullptr, query, 4, 4, queryTo, keyTo, 2, 5, times, 4, 2, 1));
  };
  set("set", 2, 0, 0, 4, 3, 3, 1, 3);
  set("refuses.heads", 0, 0, 0, 4, 3, 3, 1, 3);
  set("refuses.projections", 2, 0, 0, 4, 3, 2, 1, 3);
  set("refuses.scale", 2, 0, 0, 4, 3, 3, -1, 3);
  set("refuses.size", 2, 0, 0, 0, 3, 3, 1, 3);
  set("refuses.times", 2, 0, 0, 4, 3, 3, 1, 0);
  set("refuses.type", 2, CUDNN_DATA_INT32, 0, 4, 3, 3, 1, 3);
  set("refuses.precision", 2, CUDNN_DATA_FLOAT, CUDNN_DATA_DOUBLE, 4, 3, 3, 1, 3);
  set("half_in_float", 2, CUDNN_DATA_HALF, CUDNN_DATA_FLOAT, 4, 3, 3, 1, 3);
  set("refuses.sizes_without_projection", 2, 0, 0, 5, 0, 0, 1, 3);
  STATUS("destroy", cudnnDestroyAttnDescriptor(attention));
}
