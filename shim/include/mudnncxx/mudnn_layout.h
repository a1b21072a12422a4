/* muDNN's C++ interface: elements moved, chosen and counted. Nothing is computed but by Scatter and
 * ScatterND. */
#ifndef MUDNNCXX_MUDNN_LAYOUT_H_
#define MUDNNCXX_MUDNN_LAYOUT_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

/* out = in, of the same sizes with strides of their own, which Config...() sets. */
class MUDNN_CXX_API Permute {
 public:
  /* in's dimensions in the order that out has them. */
  Status ConfigDimStride(Tensor& out, Tensor& in, int count, const int64_t* order) const;
  Status ConfigDimStride(Tensor& out, Tensor& in, int count, const int* order) const;
  /* in's part of out's sizes from `starts`, each `strides`-th element, which may be negative. */
  Status ConfigDimStrideForSlice(Tensor& out, Tensor& in, const int64_t* starts,
                                 const int64_t* strides = nullptr) const;
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;
};

class MUDNN_CXX_API Concat {
 public:
  Status SetAxis(int axis);
  Status Run(Handle& handle, Tensor& out, int count, const Tensor* inputs) const;

 private:
  int axis_ = 0;
};

/* Pads: before and behind, of the last place first, then of the one in front of it; negative ones cut
 * (CONSTANT). */
class MUDNN_CXX_API Pad {
 public:
  enum class Mode { CONSTANT = 0, REFLECT, REPLICATE };

  Status SetMode(Mode mode);
  Status SetValue(Scalar value);
  Status SetPaddingInfo(int count, const int* pads);
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;

 private:
  Mode mode_ = Mode::CONSTANT;
  Scalar value_ = 0.0;
  int count_ = 0;
  int pads_[16] = {};
};

/* out = in at indices along `axis`, where the first `batchDims` dimensions are those of both. An index out of
 * range gives 0. */
class MUDNN_CXX_API GatherX {
 public:
  enum class Mode { GATHER = 0 };

  Status SetMode(Mode mode);
  Status SetAxis(int axis);
  Status SetBatchDims(int dimensions);
  Status Run(Handle& handle, Tensor& out, const Tensor& indices, const Tensor& in) const;

 private:
  int axis_ = 0, batchDims_ = 0;
};

/* out[... index ...] = source, along a dimension, for every element of `indices`; one by one, so that the
 * last of several stays. An index out of range is a fault of the device. */
class MUDNN_CXX_API Scatter {
 public:
  enum class Mode { UPDATE_ONLY = 0, ADD, SUB, MUL, MAX, MIN };

  Status SetMode(Mode mode);
  Status Run(Handle& handle, Tensor& out, const Tensor& indices, const Tensor& source, int dimension,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::UPDATE_ONLY;
};

/* The last dimension of `indices` is places in out's first dimensions, where the slices of `updates` go. */
class MUDNN_CXX_API ScatterND {
 public:
  using Mode = Scatter::Mode;

  Status SetMode(Mode mode);
  Status Run(Handle& handle, Tensor& out, const Tensor& indices, const Tensor& updates,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::UPDATE_ONLY;
};

/* The following wait for their work, as the size of what they find is that of the tensor then: no stream may
 * capture. */

/* Places of what is not zero: a row of 64-bit integers for each. */
class MUDNN_CXX_API Nonzero {
 public:
  Status Run(Handle& handle, Tensor& out, const Tensor& in,
             const MemoryMaintainer& maintainer = nullptr) const;
};

class MUDNN_CXX_API MaskedSelect {
 public:
  Status Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& mask,
             const MemoryMaintainer& maintainer = nullptr) const;
};

/* Different values in the order of their first (UNSORTED) or by size, which of them each element is, and how
 * many it has. */
class MUDNN_CXX_API Unique {
 public:
  enum class Mode { UNSORTED = 0, SORTED };

  Status SetMode(Mode mode);
  Status Run(Handle& handle, Tensor& values, Tensor& indices, Tensor& counts, const Tensor& in,
             const MemoryMaintainer& maintainer = nullptr) const;

 private:
  Mode mode_ = Mode::UNSORTED;
};

/* inOut's elements where the mask is not zero become the source's, in order. */
class MUDNN_CXX_API MaskedScatter {
 public:
  Status Run(Handle& handle, Tensor& inOut, const Tensor& mask, const Tensor& source,
             const MemoryMaintainer& maintainer = nullptr) const;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_LAYOUT_H_ */
