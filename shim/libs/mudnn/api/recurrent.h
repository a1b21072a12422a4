// What descriptors of recurrent networks and of their data hold.
#pragma once

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/sequences/recurrent.h"

struct mudnnRNNStruct {
  bool isSet = false;
  mudnnRNNAlgo_t algorithm = MUDNN_RNN_ALGO_STANDARD;
  mudnnRNNMode_t mode = MUDNN_RNN_RELU;
  mudnnRNNBiasMode_t bias = MUDNN_RNN_DOUBLE_BIAS;
  mudnnDirectionMode_t direction = MUDNN_UNIDIRECTIONAL;
  mudnnRNNInputMode_t input = MUDNN_LINEAR_INPUT;
  mudnnDataType_t type = MUDNN_DATA_FLOAT, precision = MUDNN_DATA_FLOAT;
  mudnnMathType_t math = MUDNN_DEFAULT_MATH;
  int inputs = 0, hidden = 0, projection = 0, layers = 0;
  mudnnDropoutDescriptor_t dropout = nullptr;
  uint32_t flags = 0;
  mudnnRNNClipMode_t clip = MUDNN_RNN_CLIP_NONE;
  mudnnNanPropagation_t clipNan = MUDNN_NOT_PROPAGATE_NAN;
  double least = 0, most = 0;
};
struct mudnnRNNDataStruct {
  bool isSet = false;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  musashim::mudnn::Sequences sequences;
};
