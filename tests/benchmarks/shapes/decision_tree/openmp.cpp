#include "problem.h"

static void decisionTree(const DecisionTree& p, DecisionTree::Data<bench::Buffer>& d) {
  const float* __restrict data = d.features.data(), * __restrict thresholds = d.thresholds.data();
  const int* __restrict columns = d.columns.data();
  constexpr int kInner = DecisionTree::kInner;
#pragma omp parallel for schedule(static)
  for (int row = 0; row < p.rows; ++row) {
    int node = 0;
    while (node < kInner) {
      node = 2 * node + (data[row * DecisionTree::kFeatures + columns[node]] < thresholds[node] ? 1 : 2);
    }
    d.out.data()[row] = d.leaves.data()[node - kInner];
  }
}

BENCH_HOST(DecisionTree, decisionTree)
