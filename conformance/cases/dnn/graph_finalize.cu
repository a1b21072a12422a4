// links: cudnn
// What finalizing checks: tensors, operations whose tensors do not go together, graphs, engines and plans.
#include "../../framework/dnn_graph.h"

CONFORMANCE_CASE("dnn.graph_finalize");

using Sizes = std::vector<int64_t>;

static std::string tensor(cudnnDataType_t type, const Sizes& sizes, const Sizes& strides,
                          int64_t alignment = 16) {
  Node node(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  node.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, int64_t{1}).set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  node.set(CUDNN_ATTR_TENSOR_DIMENSIONS, sizes).set(CUDNN_ATTR_TENSOR_STRIDES, strides);
  node.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, alignment);
  return code(node.finish());
}

static std::string lacking(int left) {
  Node node(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  if (left != 0) node.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, int64_t{1});
  if (left != 1) node.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT);
  if (left != 2) node.set(CUDNN_ATTR_TENSOR_DIMENSIONS, Sizes{2, 3, 4});
  if (left != 3) node.set(CUDNN_ATTR_TENSOR_STRIDES, Sizes{12, 4, 1});
  if (left != 4) node.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, int64_t{16});
  return code(node.finish());
}

static std::string product(const Sizes& a, const Sizes& b, const Sizes& c) {
  TensorNode left(1, CUDNN_DATA_FLOAT, a), right(2, CUDNN_DATA_FLOAT, b), out(3, CUDNN_DATA_FLOAT, c);
  Node how(CUDNN_BACKEND_MATMUL_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT).finish();
  operation.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, left).set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, right);
  operation.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, out).set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
  return code(operation.finish());
}

static std::string pointwise(cudnnPointwiseMode_t mode, const Sizes& x, const Sizes& b, const Sizes& y) {
  TensorNode left(1, CUDNN_DATA_FLOAT, x), right(2, CUDNN_DATA_FLOAT, b.empty() ? Sizes{1} : b),
      out(3, CUDNN_DATA_FLOAT, y);
  Node how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
  how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT).finish();
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, left).set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, out);
  if (!b.empty()) operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, right);
  return code(operation.finish());
}

static std::string reduction(const Sizes& x, const Sizes& y) {
  TensorNode in(1, CUDNN_DATA_FLOAT, x), out(2, CUDNN_DATA_FLOAT, y);
  Node how(CUDNN_BACKEND_REDUCTION_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, CUDNN_REDUCE_TENSOR_ADD);
  how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_DATA_FLOAT).finish();
  operation.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, in).set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, out);
  operation.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
  return code(operation.finish());
}

static std::string convolution(const Sizes& x, const Sizes& w, const Sizes& y, int64_t pad = 1,
                               int64_t spatial = 2, int64_t stride = 1) {
  TensorNode in(1, CUDNN_DATA_FLOAT, x), filter(2, CUDNN_DATA_FLOAT, w), out(3, CUDNN_DATA_FLOAT, y);
  Node how(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR),
      operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  how.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
  how.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
  how.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, spatial);
  how.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, Sizes(2, 1))
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, Sizes(2, stride));
  how.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, Sizes(2, pad))
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, Sizes(2, pad));
  const cudnnStatus_t status = how.finish();
  if (status != CUDNN_STATUS_SUCCESS) return "how: " + code(status);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, in)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, filter);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, out);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, how);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0f);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0f);
  return code(operation.finish());
}

int main() {
  const char* const parts[] = {"uid", "type", "sizes", "strides", "alignment"};
  for (int i = 0; i < 5; ++i) OBSERVE(std::string("tensor.without.") + parts[i], lacking(i));
  OBSERVE("tensor.size_0", tensor(CUDNN_DATA_FLOAT, {2, 0, 4}, {12, 4, 1}));
  OBSERVE("tensor.size_minus", tensor(CUDNN_DATA_FLOAT, {2, -3, 4}, {12, 4, 1}));
  OBSERVE("tensor.stride_0", tensor(CUDNN_DATA_FLOAT, {2, 3, 4}, {12, 0, 1}));
  OBSERVE("tensor.stride_minus", tensor(CUDNN_DATA_FLOAT, {2, 3, 4}, {12, -4, 1}));
  OBSERVE("tensor.fewer_strides", tensor(CUDNN_DATA_FLOAT, {2, 3, 4}, {4, 1}));
  OBSERVE("tensor.overlaps", tensor(CUDNN_DATA_FLOAT, {2, 3, 4}, {4, 4, 1}));
  OBSERVE("tensor.alignment_2", tensor(CUDNN_DATA_FLOAT, {2, 3, 4}, {12, 4, 1}, 2));
  OBSERVE("tensor.alignment_4", tensor(CUDNN_DATA_FLOAT, {2, 3, 4}, {12, 4, 1}, 4));
  OBSERVE("tensor.alignment_8", tensor(CUDNN_DATA_HALF, {2, 3, 4}, {12, 4, 1}, 8));
  OBSERVE("tensor.one_dimension", tensor(CUDNN_DATA_FLOAT, {5}, {1}));
  OBSERVE("tensor.two_dimensions", tensor(CUDNN_DATA_FLOAT, {5, 2}, {2, 1}));
  OBSERVE("tensor.int8x4", tensor(CUDNN_DATA_INT8x4, {2, 3, 4}, {12, 4, 1}));
  OBSERVE("tensor.int8x32", tensor(CUDNN_DATA_INT8x32, {2, 3, 4}, {12, 4, 1}));
  OBSERVE("tensor.boolean", tensor(CUDNN_DATA_BOOLEAN, {2, 3, 4}, {12, 4, 1}));

  OBSERVE("product.good", product({1, 4, 3}, {1, 3, 5}, {1, 4, 5}));
  OBSERVE("product.terms", product({1, 4, 3}, {1, 2, 5}, {1, 4, 5}));
  OBSERVE("product.rows", product({1, 4, 3}, {1, 3, 5}, {1, 6, 5}));
  OBSERVE("product.columns", product({1, 4, 3}, {1, 3, 5}, {1, 4, 7}));
  OBSERVE("product.batches", product({2, 4, 3}, {3, 3, 5}, {2, 4, 5}));
  OBSERVE("product.batch_for_all", product({2, 4, 3}, {1, 3, 5}, {2, 4, 5}));
  OBSERVE("product.part_of_batches", product({4, 4, 3}, {2, 3, 5}, {4, 4, 5}));
  OBSERVE("product.ranks", product({4, 3}, {1, 3, 5}, {1, 4, 5}));
  OBSERVE("product.two_dimensions", product({4, 3}, {3, 5}, {4, 5}));

  OBSERVE("pointwise.good", pointwise(CUDNN_POINTWISE_ADD, {2, 3, 4}, {2, 3, 4}, {2, 3, 4}));
  OBSERVE("pointwise.broadcast", pointwise(CUDNN_POINTWISE_ADD, {2, 3, 4}, {1, 3, 1}, {2, 3, 4}));
  OBSERVE("pointwise.broadcast_first", pointwise(CUDNN_POINTWISE_ADD, {1, 3, 1}, {2, 3, 4}, {2, 3, 4}));
  OBSERVE("pointwise.other_size", pointwise(CUDNN_POINTWISE_ADD, {2, 3, 4}, {2, 2, 4}, {2, 3, 4}));
  OBSERVE("pointwise.output", pointwise(CUDNN_POINTWISE_ADD, {2, 3, 4}, {2, 3, 4}, {2, 3, 5}));
  OBSERVE("pointwise.ranks", pointwise(CUDNN_POINTWISE_ADD, {2, 3, 4}, {3, 4}, {2, 3, 4}));
  OBSERVE("pointwise.lacks_b", pointwise(CUDNN_POINTWISE_ADD, {2, 3, 4}, {}, {2, 3, 4}));
  OBSERVE("pointwise.too_much", pointwise(CUDNN_POINTWISE_RELU_FWD, {2, 3, 4}, {2, 3, 4}, {2, 3, 4}));
  OBSERVE("pointwise.unary", pointwise(CUDNN_POINTWISE_RELU_FWD, {2, 3, 4}, {}, {2, 3, 4}));

  OBSERVE("reduction.good", reduction({2, 3, 4}, {1, 3, 1}));
  OBSERVE("reduction.nothing", reduction({2, 3, 4}, {2, 3, 4}));
  OBSERVE("reduction.other_size", reduction({2, 3, 4}, {2, 2, 4}));
  OBSERVE("reduction.larger", reduction({2, 3, 4}, {2, 6, 4}));
  OBSERVE("reduction.ranks", reduction({2, 3, 4}, {2, 3}));

  OBSERVE("convolution.good", convolution({1, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 8, 8}));
  OBSERVE("convolution.output", convolution({1, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 7, 8}));
  OBSERVE("convolution.channels", convolution({1, 4, 8, 8}, {6, 3, 3, 3}, {1, 6, 8, 8}));
  OBSERVE("convolution.filters", convolution({1, 4, 8, 8}, {6, 4, 3, 3}, {1, 5, 8, 8}));
  OBSERVE("convolution.batch", convolution({2, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 8, 8}));
  OBSERVE("convolution.groups", convolution({1, 4, 8, 8}, {6, 2, 3, 3}, {1, 6, 8, 8}));
  OBSERVE("convolution.spatial", convolution({1, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 8, 8}, 1, 3));
  OBSERVE("convolution.pad_minus", convolution({1, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 4, 4}, -1));
  OBSERVE("convolution.stride_0", convolution({1, 4, 8, 8}, {6, 4, 3, 3}, {1, 6, 8, 8}, 1, 2, 0));

  cudnnHandle_t handle = nullptr;
  OBSERVE("handle", code(cudnnCreate(&handle)));
  TensorNode a(1, CUDNN_DATA_HALF, {1, 16, 32}), b(2, CUDNN_DATA_HALF, {1, 32, 16}),
      c(3, CUDNN_DATA_HALF, {1, 16, 16});
  Node how(CUDNN_BACKEND_MATMUL_DESCRIPTOR), operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_DATA_FLOAT).finish();
  operation.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, a).set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
  operation.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, c).set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
  Node early(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  early.put(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  early.put(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &operation.descriptor);
  OBSERVE("graph.unfinished_operation", code(early.finish()));
  OBSERVE("operation", code(operation.finish()));
  Node orphan(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR), empty(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR),
      wrong(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR), graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  orphan.put(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &operation.descriptor);
  OBSERVE("graph.no_handle", code(orphan.finish()));
  empty.put(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  OBSERVE("graph.no_operations", code(empty.finish()));
  OBSERVE("graph.tensor_as_operation",
          code(wrong.put(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &a.descriptor)));
  graph.put(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  graph.put(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &operation.descriptor);
  OBSERVE("graph.good", code(graph.finish()));
  int64_t count = 0, got = 0;
  OBSERVE("graph.engines",
          code(cudnnBackendGetAttribute(graph.descriptor, CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT,
                                        CUDNN_TYPE_INT64, 1, &got, &count)));
  OBSERVE("graph.engines.some", count > 0);
  for (const int64_t index : {int64_t{-1}, int64_t{100000}}) {
    Node engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph).set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, index);
    OBSERVE("engine." + std::to_string(index), code(engine.finish()));
  }
  for (int mode = -1; mode <= 4; ++mode) {
    Node heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    const auto value = static_cast<cudnnBackendHeurMode_t>(mode);
    const std::string key = "heuristic." + std::to_string(mode);
    heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    OBSERVE(key + ".set", code(heuristic.put(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &value)));
    const cudnnStatus_t status = heuristic.finish();
    OBSERVE(key, code(status));
    if (status != CUDNN_STATUS_SUCCESS) continue;
    OBSERVE(key + ".asked",
            code(cudnnBackendGetAttribute(heuristic.descriptor, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                          CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr)));
    OBSERVE(key + ".some", count > 0);
  }
  // A configuration without an engine, and a plan without a configuration, end the process there.
  cudnnDestroy(handle);
  return 0;
}
