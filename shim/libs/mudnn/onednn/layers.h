// Layers by oneDNN, on arrays of floats. Each tells whether oneDNN computes it so; if not, nothing was done.
// They run where they are called, on as many threads as the libraries may use, and throw what oneDNN throws.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn::onednn {

struct Pooling {
  enum class Mode : uint8_t { kMax, kAverageWithPad, kAverageWithoutPad };
  Mode mode;
  Array x, y;
  std::vector<int64_t> window, pads, strides;  // for each dimension of places
};
bool poolingForward(const Pooling& problem);  // numbers that are not are passed over by maxima

// x and y are the gradients here, of which x is written. Maxima are looked for in `in`, which lies as x does;
// among them may be no numbers that are not.
bool poolingBackward(const Pooling& problem, const void* in);

// Of rows without gaps.
bool softmax(const Array& out, const Array& in, int64_t rows, int64_t length, bool ofLogarithms);
bool softmaxBackward(const Array& gradIn, const Array& out, const Array& gradOut, int64_t rows,
                     int64_t length, bool ofLogarithms);

// y = x / (k + alpha / n * sum of squares of n channels around)^beta
bool localResponse(const Array& y, const Array& x, int64_t n, double alpha, double beta, double k);

enum class Function : uint8_t { kSigmoid, kTanh, kExp, kSwish, kElu, kGelu };
bool mapElements(Function function, double alpha, const Array& out, const Array& in);

}  // namespace musashim::mudnn::onednn
