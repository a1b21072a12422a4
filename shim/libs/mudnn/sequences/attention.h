// Multi-head attention with its projections, as cuDNN's interface has it.
#pragma once

#include <array>
#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// One of queries, keys, values and the output: the size of its vectors outside, and in each head (the output:
// of the projection). projects: there are weights.
struct AttentionSide {
  int64_t size = 0, inHead = 0;
  bool projects = false;
};

struct Attention {
  enum Side : uint8_t { kQuery, kKey, kValue, kOut };
  int64_t heads = 1;
  double scale = 1;
  std::array<AttentionSide, 4> sides;
  bool hasBiases = false;
  Element element = Element::kFloat;
};

// Weights of one side, of all heads: a matrix from `columns` to `rows` for each head.
struct AttentionPlace {
  int64_t offset = 0, heads = 0, rows = 0, columns = 0, ofHead = 0, ofRow = 0, ofColumn = 0;  // in elements
};
AttentionPlace attentionWeights(const Attention& attention, Attention::Side side);  // no heads: none
AttentionPlace attentionBiases(const Attention& attention, Attention::Side side);
int64_t attentionWeightCount(const Attention& attention);

// Vectors by time and batch; sizes and strides in that order, then the vector.
struct AttentionData {
  void* data = nullptr;
  int64_t time = 0, batch = 0, ofTime = 0, ofBatch = 0, size = 0;
};

struct AttentionArrays {
  std::array<AttentionData, 4> data;  // by Attention::Side
  AttentionData residual;             // without memory where there is none
  const void* weights = nullptr;
  std::vector<int> from, to;                                 // which keys each query looks at
  const int *lengthsQuery = nullptr, *lengthsKey = nullptr;  // in device memory
  int only = -1;                                             // the one query that is asked for
  void* tape = nullptr;                                      // what training keeps
};

size_t attentionTapeSize(const Attention& attention, int64_t timeQuery, int64_t timeKey, int64_t batch);
Work attentionForward(const Attention& attention, const AttentionArrays& arrays);
// gradients: where they go, of queries, keys and values; kOut holds the output's gradient.
Work attentionBackwardData(const Attention& attention, const AttentionArrays& arrays,
                           const std::array<AttentionData, 4>& gradients);
// After attentionBackwardData. gradient: as the weights.
Work attentionBackwardWeights(const Attention& attention, const AttentionArrays& arrays,
                              const AttentionData& ofOut, void* gradient, bool adds);

}  // namespace musashim::mudnn
