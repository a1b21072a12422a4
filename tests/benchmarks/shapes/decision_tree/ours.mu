#include "harness/musa.h"
#include "kernel.h"
#include "problem.h"

static void launch(const DecisionTree& p, DecisionTree::Data<bench::DeviceBuffer>& d, musaStream_t stream) {
  decisionTree<<<p.blocks(), DecisionTree::kThreads, 0, stream>>>(
      p.rows, DecisionTree::kFeatures, DecisionTree::kInner, d.features.data(), d.columns.data(),
      d.thresholds.data(), d.leaves.data(), d.out.data());
}

BENCH_MUSA_MAIN(DecisionTree, launch)
