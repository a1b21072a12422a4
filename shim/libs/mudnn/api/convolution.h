// What a convolution's descriptor holds.
#pragma once

#include <mudnn.h>

#include <algorithm>
#include <cstdint>
#include <vector>

struct mudnnConvolutionStruct {
  std::vector<int64_t> pads, strides, dilations;
  mudnnConvolutionMode_t mode = MUDNN_CROSS_CORRELATION;
  mudnnDataType_t computeType = MUDNN_DATA_FLOAT;
  mudnnMathType_t mathType = MUDNN_DEFAULT_MATH;
  int groups = 1;
  mudnnReorderType_t reorder = MUDNN_DEFAULT_REORDER;
};

namespace musashim::mudnn {

// Which algorithm it is changes nothing: `best` first, then the others, and behind them `missing`, which
// there is not. time: milliseconds, -1: not measured.
template <class Performance, class Algorithm>
mudnnStatus_t tellAlgorithms(int requested, int* returned, Performance* results, Algorithm best,
                             Algorithm count, Algorithm missing, float time) {
  if (requested == 0 || !returned) return MUDNN_STATUS_SUCCESS;  // nobody asks
  if (requested < 0 || !results) return MUDNN_STATUS_BAD_PARAM;
  std::vector<Algorithm> all{best};
  for (int i = 0; i < count; ++i)
    if (i != best && i != missing) all.push_back(static_cast<Algorithm>(i));
  if (missing < count) all.push_back(missing);
  *returned = std::min(requested, static_cast<int>(all.size()));
  for (int i = 0; i < *returned; ++i) {
    const Algorithm algorithm = all[static_cast<size_t>(i)];
    const bool isThere = algorithm != missing;
    results[i] = {algorithm,
                  isThere ? MUDNN_STATUS_SUCCESS : MUDNN_STATUS_NOT_SUPPORTED,
                  isThere ? time : -1,
                  0,
                  MUDNN_DETERMINISTIC,
                  MUDNN_DEFAULT_MATH,
                  {0, 0, 0}};
  }
  return MUDNN_STATUS_SUCCESS;
}

}  // namespace musashim::mudnn
