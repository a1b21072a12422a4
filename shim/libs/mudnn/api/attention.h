// What descriptors of multi-head attention and of its sequences hold.
#pragma once

#include "libs/mudnn/api/entry.h"

struct mudnnSeqDataStruct {
  bool isSet = false;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  int sizes[MUDNN_SEQDATA_DIM_COUNT] = {};
  mudnnSeqDataAxis_t axes[MUDNN_SEQDATA_DIM_COUNT] = {};
  std::vector<int> lengths;
  bool fills = false;
  double fill = 0;
};
struct mudnnAttnStruct {
  bool isSet = false;
  unsigned mode = 0;
  int heads = 0;
  double scale = 1;
  mudnnDataType_t type = MUDNN_DATA_FLOAT, precision = MUDNN_DATA_FLOAT;
  mudnnMathType_t math = MUDNN_DEFAULT_MATH;
  mudnnDropoutDescriptor_t dropout = nullptr, dropoutBehind = nullptr;
  int sizes[3] = {}, projected[4] = {}, longestQuery = 0, longestKey = 0, batch = 0, beam = 0;
};

namespace musashim::mudnn {

// Whether attention on data of `type` may compute in `precision`.
bool isTypeOfAttention(mudnnDataType_t type, mudnnDataType_t precision);

}  // namespace musashim::mudnn
