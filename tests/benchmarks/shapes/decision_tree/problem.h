// The leaf of a decision tree of depth ten for rows of 16 features; a thread walks down the tree for its row.
#pragma once

#include "harness/serve.h"

struct DecisionTree {
  using Output = float;
  static constexpr int kThreads = 256, kFeatures = 16, kDepth = 10, kInner = (1 << kDepth) - 1;

  explicit DecisionTree(bench::Size size) : rows(bench::pick(size, 1000, 1 << 14, 1 << 20)) {}

  int blocks() const { return (rows + kThreads - 1) / kThreads; }
  static float feature(size_t at) { return bench::uniform(1, at); }
  static int column(size_t node) { return static_cast<int>(kFeatures * bench::uniform(2, node)); }
  static float threshold(size_t node) { return 0.3f + 0.4f * bench::uniform(3, node); }
  static float leaf(size_t at) { return bench::uniform(4, at); }
  size_t outputCount() const { return size_t(rows); }
  double error(const float* got) const {
    auto want = [](size_t row) {
      size_t node = 0;
      while (node < size_t(kInner))
        node = 2 * node + (feature(row * kFeatures + column(node)) < threshold(node) ? 1 : 2);
      return double(leaf(node - kInner));
    };
    return bench::largestError(got, outputCount(), want, 0, 1e-7);
  }

  template <template <class> class Memory>
  struct Data {
    explicit Data(const DecisionTree& p)
        : features(size_t(p.rows) * kFeatures),
          columns(kInner),
          thresholds(kInner),
          leaves(kInner + 1),
          out(p.rows) {
      features.fill(DecisionTree::feature);
      columns.fill(DecisionTree::column);
      thresholds.fill(DecisionTree::threshold);
      leaves.fill(DecisionTree::leaf);
    }
    void reset() { out.clear(); }
    void result(float* to) { out.read(to); }
    Memory<float> features;
    Memory<int> columns;
    Memory<float> thresholds, leaves, out;
  };

  int rows;
};
