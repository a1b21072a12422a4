// What a convolution's descriptor holds.
#pragma once

#include <mudnn.h>

#include <cstdint>
#include <vector>

struct mudnnConvolutionStruct {
  std::vector<int64_t> pads, strides, dilations;
  mudnnConvolutionMode_t mode = MUDNN_CROSS_CORRELATION;
  mudnnDataType_t computeType = MUDNN_DATA_FLOAT;
  mudnnMathType_t mathType = MUDNN_DEFAULT_MATH;
  int groups = 1;
};
