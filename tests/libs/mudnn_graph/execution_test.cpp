// How plans run: captured, as nodes of graphs, on ragged tensors, with values of the host, by many threads.
#include <thread>

#include "mudnn_graph/support.h"

namespace musashim::test {
namespace {

class GraphExecution : public GraphTest {};

TEST_F(GraphExecution, StreamsCaptureIt) {
  TensorNode &x = tensor({3}, {1, 2, 3}), &y = tensor({3});
  pointwise(MUDNN_POINTWISE_NEG, x, nullptr, y);
  const Node &made = plan(), &memory = pack();
  musaStream_t stream = nullptr;
  ASSERT_EQ(musaSuccess, musaStreamCreate(&stream));
  ASSERT_C(mudnnSetStream(handle, stream));
  musaGraph_t graph = nullptr;
  musaGraphExec_t executable = nullptr;
  ASSERT_EQ(musaSuccess, musaStreamBeginCapture(stream, musaStreamCaptureModeGlobal));
  ASSERT_C(mudnnBackendExecute(handle, made.descriptor, memory.descriptor));
  ASSERT_EQ(musaSuccess, musaStreamEndCapture(stream, &graph));
  EXPECT_EQ((Numbers{0, 0, 0}), y.fetch());
  ASSERT_EQ(musaSuccess, musaGraphInstantiate(&executable, graph, 0));
  for (const double factor : {1.0, 10.0}) {
    x.fill({factor, 2 * factor, 3 * factor});
    ASSERT_EQ(musaSuccess, musaGraphLaunch(executable, stream));
    EXPECT_EQ((Numbers{-factor, -2 * factor, -3 * factor}), y.fetch());
  }
  ASSERT_EQ(musaSuccess, musaGraphExecDestroy(executable));
  ASSERT_EQ(musaSuccess, musaGraphDestroy(graph));
  ASSERT_C(mudnnSetStream(handle, nullptr));
  ASSERT_EQ(musaSuccess, musaStreamDestroy(stream));
}

TEST_F(GraphExecution, GraphsArePopulatedAndUpdated) {
  Options scalar;
  scalar.type = MUDNN_DATA_FLOAT;
  scalar.isValue = true;
  TensorNode &x = tensor({3}, {1, 2, 3}), &factor = tensor({1}, {2}, scalar), &y = tensor({3});
  pointwise(MUDNN_POINTWISE_MUL, x, &factor, y);
  const Node& made = plan();
  musaGraph_t graph = nullptr;
  musaGraphExec_t executable = nullptr;
  ASSERT_EQ(musaSuccess, musaGraphCreate(&graph, 0));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM_MUSA_GRAPH_MISMATCH,
            mudnnBackendUpdateMusaGraph(handle, made.descriptor, pack().descriptor, graph));
  ASSERT_C(mudnnBackendPopulateMusaGraph(handle, made.descriptor, pack().descriptor, graph));
  EXPECT_EQ(MUDNN_STATUS_BAD_PARAM,
            mudnnBackendPopulateMusaGraph(handle, made.descriptor, pack().descriptor, graph));
  ASSERT_EQ(musaSuccess, musaGraphInstantiate(&executable, graph, 0));
  factor.value = 100;  // read when the graph was made
  ASSERT_EQ(musaSuccess, musaGraphLaunch(executable, nullptr));
  EXPECT_EQ((Numbers{2, 4, 6}), y.fetch());
  ASSERT_C(mudnnBackendUpdateMusaGraph(handle, made.descriptor, pack().descriptor, graph));
  musaGraphExecUpdateResultInfo result{};
  ASSERT_EQ(musaSuccess, musaGraphExecUpdate(executable, graph, &result));
  ASSERT_EQ(musaSuccess, musaGraphLaunch(executable, nullptr));
  EXPECT_EQ((Numbers{100, 200, 300}), y.fetch());
  ASSERT_EQ(musaSuccess, musaGraphExecDestroy(executable));
  ASSERT_EQ(musaSuccess, musaGraphDestroy(graph));
}

// Two sequences of 1 and 3 rows of two, one behind the other; what is behind the last stays as it is.
TEST_F(GraphExecution, RaggedBatches) {
  Options offsets;
  offsets.type = MUDNN_DATA_INT32;
  TensorNode& begins = tensor({3, 1, 1, 1}, {0, 2, 8}, offsets);
  Options ragged;
  ragged.strides = {6, 2, 2, 1};
  ragged.ragged = &begins;
  TensorNode &x = tensor({2, 1, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, ragged),
             &y = tensor({2, 1, 3, 2}, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, ragged), &sums = tensor({2, 1, 1, 1});
  pointwise(MUDNN_POINTWISE_NEG, x, nullptr, y);
  reduction(MUDNN_REDUCE_TENSOR_ADD, x, sums);
  run();
  EXPECT_EQ((Numbers{-1, -2, -3, -4, -5, -6, -7, -8, 9, 9}), y.fetch(10));
  EXPECT_EQ((Numbers{3, 33}), sums.fetch());
}

TEST_F(GraphExecution, WhatLacksIsTold) {
  TensorNode &x = tensor({3}, {1, 2, 3}), &y = tensor({3});
  pointwise(MUDNN_POINTWISE_NEG, x, nullptr, y);
  const Node& made = plan();
  Node half(MUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  half.set(MUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, Sizes{x.uid});
  ASSERT_C(half.put(MUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, MUDNN_TYPE_VOID_PTR, 1, &x.memory));
  EXPECT_EQ(2000, mudnnBackendExecute(handle, made.descriptor, half.descriptor) / 1000 * 1000)
      << "it is not finalized";
  ASSERT_C(half.finish());
  EXPECT_EQ(2000, mudnnBackendExecute(handle, made.descriptor, half.descriptor) / 1000 * 1000)
      << "an output is missing";
  EXPECT_EQ(2000, mudnnBackendExecute(nullptr, made.descriptor, pack().descriptor) / 1000 * 1000);
  EXPECT_EQ(2000, mudnnBackendExecute(handle, half.descriptor, made.descriptor) / 1000 * 1000);
}

TEST_F(GraphExecution, ManyThreadsRunOnePlan) {
  TensorNode &x = tensor({64, 64}, randoms(4096, 1)), &y = tensor({64, 64});
  pointwise(MUDNN_POINTWISE_EXP, x, nullptr, y);
  const Node& made = plan();
  const Numbers in = x.fetch();
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, -1);
  for (size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      mudnnHandle_t own = nullptr;
      if (mudnnCreate(&own) != MUDNN_STATUS_SUCCESS) return;
      TensorNode out(y.uid, y.sizes, {}, {});
      Node memory(MUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
      const void* const pointers[] = {x.memory, out.memory};
      memory.set(MUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, Sizes{x.uid, y.uid});
      (void)memory.put(MUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, MUDNN_TYPE_VOID_PTR, 2, pointers);
      (void)memory.finish();
      wrong[t] = 0;
      for (int i = 0; i < 10; ++i) {
        if (mudnnBackendExecute(own, made.descriptor, memory.descriptor) != MUDNN_STATUS_SUCCESS) ++wrong[t];
        const Numbers found = out.fetch();
        for (size_t j = 0; j < in.size(); ++j) wrong[t] += std::fabs(found[j] - std::exp(in[j])) > 1e-12;
      }
      (void)mudnnDestroy(own);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::vector<int>(8, 0), wrong);
}

}  // namespace
}  // namespace musashim::test
