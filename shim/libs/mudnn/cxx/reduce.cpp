// musa::dnn::Reduce, Softmax, Cum, TopK, Sort and SortByKey.
#include "libs/mudnn/operations/reduce.h"

#include <algorithm>

#include "libs/mudnn/cxx/entry.h"

namespace musa::dnn {

using musashim::mudnn::Array;
using musashim::mudnn::given;
using musashim::mudnn::Reduction;
using musashim::mudnn::run;
using musashim::mudnn::Sorting;

Status Reduce::SetMode(Mode mode) {
  if (mode < Mode::ADD || mode > Mode::STD) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Reduce::SetDim(std::initializer_list<int> dimensions) {
  return SetDim(static_cast<int>(dimensions.size()), dimensions.begin());
}
Status Reduce::SetDim(int count, const int* dimensions) {
  if (count < 0 || count > musashim::mudnn::kMaxRank || (count > 0 && !dimensions))
    return Status::INVALID_PARAMETER;
  count_ = count;
  std::copy_n(dimensions, count, dimensions_);
  return Status::SUCCESS;
}
Status Reduce::SetNormOrd(float order) {
  order_ = order;
  return Status::SUCCESS;
}
Status Reduce::SetCorrection(double correction) {
  correction_ = correction;
  return Status::SUCCESS;
}
#define MUDNN_REDUCTION \
  Reduction { mode_, {dimensions_, dimensions_ + count_}, order_, correction_ }
Status Reduce::Run(Handle& handle, Tensor& out, const Tensor& in, const MemoryMaintainer&) const {
  return run("Reduce::Run", handle,
             [&] { return musashim::mudnn::reduce(MUDNN_REDUCTION, given(out), Array(), given(in)); });
}
Status Reduce::RunIndices(Handle& handle, Tensor& indices, const Tensor& in, const MemoryMaintainer&) const {
  return run("Reduce::RunIndices", handle,
             [&] { return musashim::mudnn::reduce(MUDNN_REDUCTION, Array(), given(indices), given(in)); });
}
Status Reduce::RunWithIndices(Handle& handle, Tensor& out, Tensor& indices, const Tensor& in,
                              const MemoryMaintainer&) const {
  return run("Reduce::RunWithIndices", handle,
             [&] { return musashim::mudnn::reduce(MUDNN_REDUCTION, given(out), given(indices), given(in)); });
}

Status Softmax::SetMode(Mode mode) {
  if (mode < Mode::SOFTMAX || mode > Mode::LOGSUMEXP) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Softmax::SetAlgorithm(Algorithm algorithm) {
  return algorithm == Algorithm::FAST || algorithm == Algorithm::ACCURATE ? Status::SUCCESS
                                                                          : Status::INVALID_PARAMETER;
}
Status Softmax::SetDim(int dimension) {
  dimension_ = dimension;
  return Status::SUCCESS;
}
Status Softmax::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("Softmax::Run", handle,
             [&] { return musashim::mudnn::softmax(mode_, {dimension_}, given(out), given(in)); });
}
Status Softmax::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& out, const Tensor& gradOut) const {
  return run("Softmax::RunBwd", handle, [&] {
    return musashim::mudnn::softmaxBackward(mode_, {dimension_}, given(gradIn), given(out), given(gradOut));
  });
}

Status Cum::SetMode(Mode mode) {
  if (mode != Mode::ADD && mode != Mode::MUL) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Cum::SetDim(int dimension) {
  dimension_ = dimension;
  return Status::SUCCESS;
}
Status Cum::Run(Handle& handle, Tensor& out, const Tensor& in, const MemoryMaintainer&) const {
  return run("Cum::Run", handle,
             [&] { return musashim::mudnn::accumulate(mode_, dimension_, given(out), given(in)); });
}

Status TopK::SetK(int count) {
  if (count < 1) return Status::INVALID_PARAMETER;
  count_ = count;
  return Status::SUCCESS;
}
Status TopK::SetDim(int dimension) {
  dimension_ = dimension;
  return Status::SUCCESS;
}
Status TopK::SetLargest(bool largest) {
  largest_ = largest;
  return Status::SUCCESS;
}
Status TopK::SetSorted(bool /*sorted*/) { return Status::SUCCESS; }
Status TopK::Run(Handle& handle, Tensor& values, Tensor& indices, const Tensor& in,
                 const MemoryMaintainer&) const {
  return run("TopK::Run", handle, [&] {
    return musashim::mudnn::sort({dimension_, count_, largest_}, given(values), given(indices), given(in),
                                 Array());
  });
}

Status Sort::SetDim(int dimension) {
  dimension_ = dimension;
  return Status::SUCCESS;
}
Status Sort::SetDescending(bool descending) {
  descending_ = descending;
  return Status::SUCCESS;
}
Status Sort::SetStable(bool /*stable*/) { return Status::SUCCESS; }
Status Sort::Run(Handle& handle, Tensor& values, Tensor& indices, const Tensor& in,
                 const MemoryMaintainer&) const {
  return run("Sort::Run", handle, [&] {
    return musashim::mudnn::sort({dimension_, 0, descending_}, given(values), given(indices), given(in),
                                 Array());
  });
}

Status SortByKey::SetDim(int dimension) {
  dimension_ = dimension;
  return Status::SUCCESS;
}
Status SortByKey::SetDescending(bool descending) {
  descending_ = descending;
  return Status::SUCCESS;
}
Status SortByKey::SetStable(bool /*stable*/) { return Status::SUCCESS; }
Status SortByKey::Run(Handle& handle, Tensor& keysOut, Tensor& valuesOut, const Tensor& keys,
                      const Tensor& values, const MemoryMaintainer&) const {
  return run("SortByKey::Run", handle, [&] {
    return musashim::mudnn::sort({dimension_, 0, descending_}, given(keysOut), given(valuesOut), given(keys),
                                 given(values));
  });
}

}  // namespace musa::dnn
