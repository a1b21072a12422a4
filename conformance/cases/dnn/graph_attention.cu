// links: cudnn
// Attention as a graph: a product, a softmax of pointwise operations and reductions, and a product again.
#include "../../framework/dnn_graph.h"

CONFORMANCE_CASE("dnn.graph_attention");

using Sizes = std::vector<int64_t>;
static const auto kHalf = CUDNN_DATA_HALF;
static const auto kFloat = CUDNN_DATA_FLOAT;

struct Pointwise {
  Pointwise(cudnnPointwiseMode_t mode, const TensorNode& x, const TensorNode* b, const TensorNode& y)
      : how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR) {
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, kFloat).finish();
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x).set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
    if (b) operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *b);
    if (operation.finish() != CUDNN_STATUS_SUCCESS) fprintf(stderr, "pointwise operation %d failed\n", mode);
  }
  Node how, operation;
};

struct Reduction {
  Reduction(cudnnReduceTensorOp_t op, const TensorNode& x, const TensorNode& y)
      : how(CUDNN_BACKEND_REDUCTION_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR) {
    how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, op);
    how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, kFloat).finish();
    operation.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x).set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
    operation.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
    if (operation.finish() != CUDNN_STATUS_SUCCESS) fprintf(stderr, "reduction %d failed\n", op);
  }
  Node how, operation;
};

struct Product {
  Product(const TensorNode& a, const TensorNode& b, const TensorNode& c)
      : how(CUDNN_BACKEND_MATMUL_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR) {
    how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, kFloat).finish();
    operation.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a).set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    operation.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c).set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
    if (operation.finish() != CUDNN_STATUS_SUCCESS) fprintf(stderr, "product failed\n");
  }
  Node how, operation;
};

// `keyHeads` heads of keys and values serve `heads` of queries.
static void attention(cudnnHandle_t handle, const std::string& key, int64_t heads, int64_t keyHeads) {
  const int64_t batch = 2, places = 64, width = 64;
  const Sizes queries{batch, heads, places, width}, keys{batch, keyHeads, width, places},
      values{batch, keyHeads, places, width}, scores{batch, heads, places, places},
      rows{batch, heads, places, 1};
  const auto virtually = TensorNode::kVirtual;
  TensorNode q(1, kHalf, queries),
      k(2, kHalf, keys, TensorNode::kMemory, {keyHeads * places * width, places * width, 1, width}),
      v(3, kHalf, values), o(4, kHalf, queries), stats(5, kFloat, rows),
      scale(6, kFloat, {1, 1, 1, 1}, TensorNode::kValue), s(10, kFloat, scores, virtually),
      scaled(11, kFloat, scores, virtually), largest(12, kFloat, rows, virtually),
      shifted(13, kFloat, scores, virtually), exponents(14, kFloat, scores, virtually),
      sum(15, kFloat, rows, virtually), logarithm(16, kFloat, rows, virtually),
      p(17, kHalf, scores, virtually);
  q.fill(quarters(q.count, 61));
  k.fill(quarters(k.count, 62));
  v.fill(quarters(v.count, 63));
  scale.fill({0.125f});
  Product first(q, k, s), second(p, v, o);
  Pointwise scaling(CUDNN_POINTWISE_MUL, s, &scale, scaled),
      shifting(CUDNN_POINTWISE_SUB, scaled, &largest, shifted),
      raising(CUDNN_POINTWISE_EXP, shifted, nullptr, exponents),
      taking(CUDNN_POINTWISE_LOG, sum, nullptr, logarithm),
      adding(CUDNN_POINTWISE_ADD, largest, &logarithm, stats),
      dividing(CUDNN_POINTWISE_DIV, exponents, &sum, p);
  Reduction finding(CUDNN_REDUCE_TENSOR_MAX, scaled, largest),
      summing(CUDNN_REDUCE_TENSOR_ADD, exponents, sum);
  if (!runGraph(
          observedCase, key, handle,
          {&first.operation, &scaling.operation, &finding.operation, &shifting.operation, &raising.operation,
           &summing.operation, &taking.operation, &adding.operation, &dividing.operation, &second.operation},
          {&q, &k, &v, &o, &stats, &scale}))
    return;
  std::vector<float> out = o.fetch(), sums = stats.fetch();
  const std::vector<float> lastOut(out.end() - 16, out.end());
  out.resize(32);
  sums.resize(32);
  OBSERVE(key + ".out", rounded(out, 1));
  OBSERVE(key + ".last", rounded(lastOut, 1));
  OBSERVE(key + ".stats", rounded(sums, 2));
}

int main() {
  cudnnHandle_t handle = nullptr;
  if (cudnnCreate(&handle) != CUDNN_STATUS_SUCCESS) return 3;
  attention(handle, "all_heads", 2, 2);
  attention(handle, "shared_heads", 4, 2);
  attention(handle, "one_head", 4, 1);
  cudnnDestroy(handle);
  return 0;
}
