// What the calls for normalisation over a batch share.
#pragma once

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/operations/norms.h"

namespace musashim::mudnn {

inline bool isMode(mudnnBatchNormMode_t mode) {
  return mode >= MUDNN_BATCHNORM_PER_ACTIVATION && mode <= MUDNN_BATCHNORM_SPATIAL_PERSISTENT;
}

inline BatchNormArrays batchOf(mudnnBatchNormMode_t mode, const Array& in, const Array& out, double epsilon) {
  require(isMode(mode), "there is no such mode");
  require(epsilon >= MUDNN_BN_MIN_EPSILON, "epsilon is negative");
  BatchNormArrays arrays;
  arrays.in = in;
  arrays.out = out;
  arrays.perActivation = mode == MUDNN_BATCHNORM_PER_ACTIVATION;
  arrays.epsilon = epsilon;
  return arrays;
}

inline Array orNone(mudnnTensorDescriptor_t descriptor, const void* data) {
  return data ? tensor(descriptor, data) : Array();
}

}  // namespace musashim::mudnn
