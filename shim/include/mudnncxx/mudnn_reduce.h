/* muDNN's C++ interface: operations over one or several dimensions. Sums are made in double, of integers
 * exactly. */
#ifndef MUDNNCXX_MUDNN_REDUCE_H_
#define MUDNNCXX_MUDNN_REDUCE_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

/* Over the given dimensions, over all where none is given. The output has them as 1 or not at all. */
class MUDNN_CXX_API Reduce {
 public:
  enum class Mode { ADD = 0, MEAN, MIN, MAX, PROD, NORM, AND, OR, VARIANCE, STD };

  Status SetMode(Mode mode);
  Status SetDim(std::initializer_list<int> dimensions);
  Status SetDim(int count, const int* dimensions);
  Status SetNormOrd(
      float order); /* of NORM, 2 at first; 0 counts what is not zero, infinities are largest and smallest */
  Status SetCorrection(double correction); /* of VARIANCE and STD: what is taken from the count, 1 at first */
  Status Run(Handle& handle, Tensor& out, const Tensor& in,
             const MemoryMaintainer& maintainer = nullptr) const;
  /* The first place of the least or largest (MIN, MAX) along one dimension, or of all elements. */
  Status RunIndices(Handle& handle, Tensor& indices, const Tensor& in,
                    const MemoryMaintainer& maintainer = nullptr) const;
  Status RunWithIndices(Handle& handle, Tensor& out, Tensor& indices, const Tensor& in,
                        const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::ADD;
  int count_ = 0;
  int dimensions_[8] = {};
  float order_ = 2;
  double correction_ = 1;
};

class MUDNN_CXX_API Softmax {
 public:
  enum class Mode {
    SOFTMAX = 0,
    LOGSOFTMAX,
    LOGSUMEXP /* the output has the dimension as 1 or not at all */
  };
  enum class Algorithm { FAST = 0, ACCURATE }; /* both are accurate */

  Status SetMode(Mode mode);
  Status SetAlgorithm(Algorithm algorithm);
  Status SetDim(int dimension);
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& out,
                const Tensor& gradOut) const; /* not of LOGSUMEXP */

 private:
  Mode mode_ = Mode::SOFTMAX;
  int dimension_ = -1;
};

/* Sums and products of all elements so far. */
class MUDNN_CXX_API Cum {
 public:
  enum class Mode { ADD = 0, MUL };

  Status SetMode(Mode mode);
  Status SetDim(int dimension);
  Status Run(Handle& handle, Tensor& out, const Tensor& in,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::ADD;
  int dimension_ = 0;
};

/* The largest (or smallest) elements along a dimension with their places, sorted. */
class MUDNN_CXX_API TopK {
 public:
  Status SetK(int count);
  Status SetDim(int dimension);
  Status SetLargest(bool largest);
  Status SetSorted(bool sorted); /* they are sorted always */
  Status Run(Handle& handle, Tensor& values, Tensor& indices, const Tensor& in,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int count_ = 1, dimension_ = -1;
  bool largest_ = true;
};

/* Along a dimension, with the elements' places; equal elements keep their order. NaN is larger than any
 * number. */
class MUDNN_CXX_API Sort {
 public:
  Status SetDim(int dimension);
  Status SetDescending(bool descending);
  Status SetStable(bool stable);
  Status Run(Handle& handle, Tensor& values, Tensor& indices, const Tensor& in,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int dimension_ = -1;
  bool descending_ = false;
};

class MUDNN_CXX_API SortByKey {
 public:
  Status SetDim(int dimension);
  Status SetDescending(bool descending);
  Status SetStable(bool stable);
  Status Run(Handle& handle, Tensor& keysOut, Tensor& valuesOut, const Tensor& keys, const Tensor& values,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  int dimension_ = -1;
  bool descending_ = false;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_REDUCE_H_ */
