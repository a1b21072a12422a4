// What calls of the C interface check of several tensors besides their sizes.
#pragma once

#include <mudnn.h>

#include <algorithm>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

inline bool sameStrides(const Array& a, const Array& b) {
  for (size_t i = 0; i < static_cast<size_t>(a.rank); ++i)
    if (a.sizes[i] > 1 && a.strides[i] != b.strides[i]) return false;
  return true;
}

inline void requireSameTypes(std::initializer_list<const Array*> arrays) {
  for (const Array* const array : arrays)
    require(array->element == (*arrays.begin())->element, "the tensors have different types");
}

// A gradient goes back through an activation: what is read lies as the gradient that is written.
inline void checkActivationGradient(const Array& gradIn, const Array& gradOut, const Array& in) {
  require(gradIn.data != gradOut.data || sameStrides(gradIn, gradOut),
          "the gradients are one memory with different strides");
  for (const Array* const array : {&gradOut, &in})
    requireSupport(
        array->sameSizes(gradIn) && array->element == gradIn.element && sameStrides(*array, gradIn),
        "the tensors have different sizes, types or strides");
}

inline void checkSoftmax(mudnnSoftmaxAlgorithm_t algo, mudnnSoftmaxMode_t mode) {
  require(algo >= MUDNN_SOFTMAX_FAST && algo <= MUDNN_SOFTMAX_LOG, "there is no such algorithm");
  require(mode == MUDNN_SOFTMAX_MODE_INSTANCE || mode == MUDNN_SOFTMAX_MODE_CHANNEL, "there is no such mode");
}

// A gradient of a pooling lies as its tensor.
inline void checkPoolingGradient(const Array& tensor, const Array& gradient) {
  require(tensor.sameSizes(gradient), "a gradient has other sizes than its tensor");
  requireSameTypes({&tensor, &gradient});
  require(sameStrides(tensor, gradient), "a gradient has other strides than its tensor");
}

// Normalisation over a batch: tensors of 4 or 5 dimensions, parameters of floats or of doubles.
inline void checkBatchNorm(const Array& in, const Array& out, const Array& parameters) {
  require(in.rank == 4 || in.rank == 5, "tensors have 4 or 5 dimensions");
  requireSameTypes({&in, &out});
  require(parameters.element == (in.element == Element::kDouble ? Element::kDouble : Element::kFloat),
          "parameters are floats, of doubles doubles");
}

// What is added behind a convolution, and its biases.
inline bool fitsBehind(const Array& out, const Array& added, const Array& bias) {
  return added.sameSizes(out) && added.element == out.element && bias.rank == out.rank &&
         bias.count() == bias.sizes[1] && bias.sizes[1] == out.sizes[1];
}

}  // namespace musashim::mudnn
