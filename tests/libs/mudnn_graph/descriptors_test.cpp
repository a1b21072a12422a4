// Descriptors of graphs: attributes, what finalizing refuses, the last error's text, plans as text.
#include "mudnn_graph/support.h"

namespace musashim::test {
namespace {

class GraphDescriptors : public GraphTest {};

TEST_F(GraphDescriptors, AttributesAreThoseOfTheKind) {
  Node tensor(MUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const int64_t one = 1;
  const float real = 1;
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, tensor.put(MUDNN_ATTR_POINTWISE_AXIS, MUDNN_TYPE_INT64, 1, &one));
  EXPECT_EQ(2000, tensor.put(MUDNN_ATTR_TENSOR_UNIQUE_ID, MUDNN_TYPE_FLOAT, 1, &real) / 1000 * 1000);
  EXPECT_EQ(2000, tensor.put(MUDNN_ATTR_TENSOR_UNIQUE_ID, MUDNN_TYPE_INT64, 1, nullptr) / 1000 * 1000);
  EXPECT_EQ(MUDNN_STATUS_SUCCESS, tensor.put(MUDNN_ATTR_TENSOR_UNIQUE_ID, MUDNN_TYPE_INT64, 1, &one));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, tensor.finish()) << "without sizes";
  char text[256] = {};
  mudnnGetLastErrorString(text, sizeof text);
  EXPECT_NE(std::string::npos, std::string(text).find("MUDNN_ATTR_TENSOR_BYTE_ALIGNMENT")) << text;
  char shorter[8];
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, tensor.finish());
  mudnnGetLastErrorString(shorter, sizeof shorter);
  EXPECT_EQ(7u, std::string(shorter).size());
}

TEST_F(GraphDescriptors, FinalizedOnesKeepTheirValues) {
  TensorNode& x = tensor({2, 3, 4});
  const int64_t one = 1;
  EXPECT_EQ(MUDNN_STATUS_NOT_INITIALIZED, x.put(MUDNN_ATTR_TENSOR_UNIQUE_ID, MUDNN_TYPE_INT64, 1, &one));
  int64_t sizes[8] = {}, count = 0;
  ASSERT_C(mudnnBackendGetAttribute(x.descriptor, MUDNN_ATTR_TENSOR_DIMENSIONS, MUDNN_TYPE_INT64, 0, &count,
                                    nullptr));
  EXPECT_EQ(3, count);
  ASSERT_C(mudnnBackendGetAttribute(x.descriptor, MUDNN_ATTR_TENSOR_DIMENSIONS, MUDNN_TYPE_INT64, 8, &count,
                                    sizes));
  EXPECT_EQ((Sizes{2, 3, 4}), Sizes(sizes, sizes + 3));
  Node fresh(MUDNN_BACKEND_TENSOR_DESCRIPTOR);
  EXPECT_EQ(MUDNN_STATUS_NOT_INITIALIZED,
            mudnnBackendGetAttribute(fresh.descriptor, MUDNN_ATTR_TENSOR_DIMENSIONS, MUDNN_TYPE_INT64, 8,
                                     &count, sizes));
}

TEST_F(GraphDescriptors, WhatIsNoDescriptorIsRefused) {
  int other = 0;
  EXPECT_EQ(2000, mudnnBackendFinalize(nullptr) / 1000 * 1000);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnBackendFinalize(&other));
  mudnnBackendDescriptor_t descriptor = nullptr;
  ASSERT_C(mudnnBackendCreateDescriptor(MUDNN_BACKEND_MATMUL_DESCRIPTOR, &descriptor));
  ASSERT_C(mudnnBackendDestroyDescriptor(descriptor));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnBackendFinalize(descriptor));
  EXPECT_EQ(MUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED,
            mudnnBackendCreateDescriptor(static_cast<mudnnBackendDescriptorType_t>(999), &descriptor));
}

// Whoever uses a descriptor keeps it.
TEST_F(GraphDescriptors, DestroyedOnesServeWhatWasMadeOfThem) {
  TensorNode &x = tensor({4}, {1, -2, 3, -4}), &y = tensor({4});
  pointwise(MUDNN_POINTWISE_RELU_FWD, x, nullptr, y);
  const mudnnBackendDescriptor_t made = plan().descriptor, memory = pack().descriptor;
  for (Node& one : nodes)
    if (one.descriptor != made && one.descriptor != memory) {
      ASSERT_C(mudnnBackendDestroyDescriptor(one.descriptor));
      ASSERT_C(mudnnBackendCreateDescriptor(MUDNN_BACKEND_MATMUL_DESCRIPTOR, &one.descriptor));
    }
  ASSERT_C(mudnnBackendExecute(handle, made, memory));
  EXPECT_EQ((Numbers{1, 0, 3, 0}), y.fetch());
}

TEST_F(GraphDescriptors, HeuristicsGiveConfigurations) {
  TensorNode &x = tensor({4}, {1, -2, 3, -4}), &y = tensor({4});
  pointwise(MUDNN_POINTWISE_NEG, x, nullptr, y);
  Node graph(MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  ASSERT_C(finishGraph(graph));
  for (const auto mode :
       {MUDNN_HEUR_MODE_INSTANT, MUDNN_HEUR_MODE_B, MUDNN_HEUR_MODE_FALLBACK, MUDNN_HEUR_MODE_A}) {
    Node heuristic(MUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristic.set(MUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
        .set(MUDNN_ATTR_ENGINEHEUR_MODE, MUDNN_TYPE_HEUR_MODE, mode);
    ASSERT_C(heuristic.finish());
    int64_t count = 0, got = 0;
    ASSERT_C(mudnnBackendGetAttribute(heuristic.descriptor, MUDNN_ATTR_ENGINEHEUR_RESULTS,
                                      MUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr));
    ASSERT_EQ(mode == MUDNN_HEUR_MODE_FALLBACK ? 1 : 2, count);
    Node first(MUDNN_BACKEND_ENGINECFG_DESCRIPTOR), other(MUDNN_BACKEND_TENSOR_DESCRIPTOR);
    EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
              mudnnBackendGetAttribute(heuristic.descriptor, MUDNN_ATTR_ENGINEHEUR_RESULTS,
                                       MUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &got, &other.descriptor));
    ASSERT_C(mudnnBackendGetAttribute(heuristic.descriptor, MUDNN_ATTR_ENGINEHEUR_RESULTS,
                                      MUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &got, &first.descriptor));
    Node made(MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    made.set(MUDNN_ATTR_EXECUTION_PLAN_HANDLE, MUDNN_TYPE_HANDLE, handle);
    ASSERT_C(made.set(MUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, first).finish());
    ASSERT_C(mudnnBackendExecute(handle, made.descriptor, pack().descriptor));
    EXPECT_EQ((Numbers{-1, 2, -3, 4}), y.fetch());
  }
  Node engine(MUDNN_BACKEND_ENGINE_DESCRIPTOR);
  engine.set(MUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph)
      .set(MUDNN_ATTR_ENGINE_GLOBAL_INDEX, MUDNN_TYPE_INT64, int64_t{2});
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED, engine.finish());
}

TEST_F(GraphDescriptors, PlansAreWrittenAndRead) {
  TensorNode &x = tensor({2, 2}, {1, 2, 3, 4}), &b = tensor({2, 1}, {10, 20}), &sum = between({2, 2}),
             &y = tensor({2, 2});
  pointwise(MUDNN_POINTWISE_ADD, x, &b, sum);
  pointwise(MUDNN_POINTWISE_SQRT, sum, nullptr, y);
  int64_t count = 0;
  const Node& first = plan();
  ASSERT_C(mudnnBackendGetAttribute(first.descriptor, MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
                                    MUDNN_TYPE_CHAR, 0, &count, nullptr));
  std::string text(static_cast<size_t>(count), ' ');
  ASSERT_C(mudnnBackendGetAttribute(first.descriptor, MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
                                    MUDNN_TYPE_CHAR, count, &count, text.data()));
  Node second(MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  second.set(MUDNN_ATTR_EXECUTION_PLAN_HANDLE, MUDNN_TYPE_HANDLE, handle);
  ASSERT_C(second.put(MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, MUDNN_TYPE_CHAR, count, text.data()));
  ASSERT_C(second.finish());
  ASSERT_C(mudnnBackendExecute(handle, second.descriptor, pack().descriptor));
  expectNear({std::sqrt(11), std::sqrt(12), std::sqrt(23), std::sqrt(24)}, y.fetch(), 1e-14);
  // Whatever is no plan is told, and no text of any length does harm.
  for (size_t length = 0; length + 1 < text.size(); length += 7) {
    Node third(MUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    third.set(MUDNN_ATTR_EXECUTION_PLAN_HANDLE, MUDNN_TYPE_HANDLE, handle);
    EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, third.put(MUDNN_ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
                                                MUDNN_TYPE_CHAR, static_cast<int64_t>(length), text.data()) /
                                          1000 * 1000)
        << length;
    if (text.size() - length < 40) break;
  }
}

TEST_F(GraphDescriptors, FiltersKeepTheirOrder) {
  mudnnFilterDescriptor_t filter = nullptr;
  ASSERT_C(mudnnCreateFilterDescriptor(&filter));
  ASSERT_C(mudnnSetFilter4dDescriptor(filter, MUDNN_DATA_FLOAT, MUDNN_TENSOR_NCHW, 2, 1, 1, 3));
  Options floats;
  floats.type = MUDNN_DATA_FLOAT;
  TensorNode &from = tensor({6}, {1, 2, 3, 4, 5, 6}, floats), &to = tensor({6}, {}, floats);
  ASSERT_C(mudnnReorderFilterAndBias(handle, filter, MUDNN_NO_REORDER, from.memory, to.memory, 0, nullptr,
                                     nullptr));
  EXPECT_EQ(from.fetch(), to.fetch());
  EXPECT_EQ(MUDNN_STATUS_NOT_SUPPORTED,
            mudnnReorderFilterAndBias(handle, filter, MUDNN_DEFAULT_REORDER, from.memory, to.memory, 0,
                                      nullptr, nullptr));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, mudnnReorderFilterAndBias(handle, filter, MUDNN_NO_REORDER, from.memory,
                                                              to.memory, 1, nullptr, nullptr));
  ASSERT_C(mudnnDestroyFilterDescriptor(filter));
}

TEST_F(GraphDescriptors, ShapesAreChecked) {
  const auto productOf = [&](const Sizes& a, const Sizes& b, const Sizes& c) {
    Node& made = product(tensor(a), tensor(b), tensor(c));
    return made.finish();
  };
  EXPECT_EQ(MUDNN_STATUS_SUCCESS, productOf({2, 4, 3}, {1, 3, 5}, {2, 4, 5}));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, productOf({2, 4, 3}, {2, 2, 5}, {2, 4, 5}));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, productOf({2, 4, 3}, {3, 3, 5}, {2, 4, 5}));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, productOf({2, 4, 3}, {2, 3, 5}, {2, 4, 6}));
  clear();
  TensorNode &x = tensor({2}), &a = between({2}), &b = between({2}), &y = tensor({2});
  pointwise(MUDNN_POINTWISE_ADD, x, &b, a);
  pointwise(MUDNN_POINTWISE_NEG, a, nullptr, b);
  Node circle(MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, finishGraph(circle)) << "they wait for each other";
  operations.clear();
  pointwise(MUDNN_POINTWISE_NEG, a, nullptr, y);
  Node orphan(MUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM, finishGraph(orphan)) << "nobody makes it";
}

}  // namespace
}  // namespace musashim::test
