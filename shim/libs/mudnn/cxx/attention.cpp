// musa::dnn::ScaledDotProductAttention and Rope.
#include <mudnncxx/mudnn_attention.h>

#include <cmath>

#include "libs/mudnn/cxx/entry.h"
#include "libs/mudnn/sequences/fused_attention.h"
#include "libs/mudnn/sequences/rope.h"

namespace musa::dnn {
namespace {

using musashim::mudnn::Array;
using musashim::mudnn::FusedAttention;
using musashim::mudnn::FusedAttentionArrays;
using musashim::mudnn::given;
using musashim::mudnn::require;
using musashim::mudnn::run;

// A tensor that may be left out: it has no memory then, or no elements.
Array there(const Tensor& tensor) {
  const Array array = Internals::arrayOf(tensor);
  return array.count() == 0 ? Array() : array;
}

FusedAttentionArrays arraysOf(const Tensor& q, const Tensor& k, const Tensor& v, const Array& out,
                              const Tensor& mask) {
  FusedAttentionArrays arrays;
  arrays.q = given(q);
  arrays.k = given(k);
  arrays.v = given(v);
  arrays.out = out;
  arrays.mask = there(mask);
  return arrays;
}

Status setCount(int& to, int count) {
  if (count < 0) return Status::INVALID_PARAMETER;
  to = count;
  return Status::SUCCESS;
}

}  // namespace

FusedAttention Internals::attentionOf(const ScaledDotProductAttention& op, const Array& q, const Array& v,
                                      bool flash) {
  const auto last = static_cast<size_t>(q.rank > 0 ? q.rank - 1 : 0);
  require(op.heads_ == 0 || (q.rank >= 3 && q.sizes[1] == op.heads_),
          "the number of heads is not that of the tensor");
  require(op.embed_ == 0 || (v.rank == q.rank && op.embed_ == q.sizes[1] * v.sizes[last]),
          "the number of elements is not that of all heads");
  FusedAttention attention;
  attention.scale = op.scale_ != 0 ? op.scale_ : 1 / std::sqrt(static_cast<double>(q.sizes[last]));
  attention.dropout = op.training_ ? op.dropout_ : 0;
  attention.causal = flash && op.causal_;
  attention.padding = op.padding_;
  return attention;
}

void Internals::checkVaried(const ScaledDotProductAttention& op, const Array& beginsQ, const Array& logSum) {
  require(op.batch_ == 0 || beginsQ.count() == op.batch_ + 1, "there are not so many sequences");
  require(op.longestQ_ == 0 || !logSum.data || (logSum.rank == 3 && logSum.sizes[2] >= op.longestQ_),
          "the logarithms have no place for the longest sequence");
}

using Sdpa = ScaledDotProductAttention;

Status Sdpa::SetComputeMode(ComputeMode mode) {
  return mode < ComputeMode::SCALAR || mode > ComputeMode::ALL ? Status::INVALID_PARAMETER : Status::SUCCESS;
}
Status Sdpa::SetEmbedDim(int elements) { return setCount(embed_, elements); }
Status Sdpa::SetHeadsNum(int heads) { return setCount(heads_, heads); }
Status Sdpa::SetBatchSize(int count) { return setCount(batch_, count); }
Status Sdpa::SetMaxSeqlenQ(int length) { return setCount(longestQ_, length); }
Status Sdpa::SetMaxSeqlenK(int length) { return setCount(longestK_, length); }
Status Sdpa::SetTraining(bool training) {
  training_ = training;
  return Status::SUCCESS;
}
Status Sdpa::SetDropoutP(double probability) {
  if (!(probability >= 0 && probability < 1)) return Status::INVALID_PARAMETER;
  dropout_ = probability;
  return Status::SUCCESS;
}
Status Sdpa::SetCausal(bool causal) {
  causal_ = causal;
  return Status::SUCCESS;
}
Status Sdpa::SetMaskMode(bool padding) {
  padding_ = padding;
  return Status::SUCCESS;
}
Status Sdpa::SetScale(double scale) {
  if (!std::isfinite(scale)) return Status::INVALID_PARAMETER;
  scale_ = scale;
  return Status::SUCCESS;
}
Status Sdpa::SetIsDeterministic(bool /*deterministic*/) { return Status::SUCCESS; }

Status Sdpa::RunMath(Handle& handle, Tensor& out, Tensor& weights, const Tensor& q, const Tensor& k,
                     const Tensor& v, const Tensor& mask, Tensor& dropoutMask,
                     const MemoryMaintainer&) const {
  return run("ScaledDotProductAttention::RunMath", handle, [&] {
    FusedAttentionArrays arrays = arraysOf(q, k, v, given(out), mask);
    arrays.weights = there(weights);
    const FusedAttention attention = Internals::attentionOf(*this, arrays.q, arrays.v, false);
    if (attention.dropout > 0) arrays.stays = there(dropoutMask);
    return musashim::mudnn::fusedAttention(attention, arrays);
  });
}
Status Sdpa::RunMathBwd(Handle& handle, Tensor& gradQ, Tensor& gradK, Tensor& gradV, Tensor& gradMask,
                        const Tensor& gradOut, const Tensor& q, const Tensor& k, const Tensor& v,
                        const Tensor& weights, const Tensor& dropoutMask, const MemoryMaintainer&) const {
  return run("ScaledDotProductAttention::RunMathBwd", handle, [&] {
    FusedAttentionArrays arrays = arraysOf(q, k, v, Array(), Tensor());
    arrays.weights = there(weights);
    arrays.stays = there(dropoutMask);
    return musashim::mudnn::fusedAttentionBackward(
        Internals::attentionOf(*this, arrays.q, arrays.v, false), arrays,
        {given(gradOut), given(gradQ), given(gradK), given(gradV), there(gradMask)});
  });
}
Status Sdpa::RunFlash(Handle& handle, Tensor& out, Tensor& logSum, const Tensor& q, const Tensor& k,
                      const Tensor& v, const Tensor& mask, Tensor& dropoutMask,
                      const MemoryMaintainer&) const {
  return run("ScaledDotProductAttention::RunFlash", handle, [&] {
    FusedAttentionArrays arrays = arraysOf(q, k, v, given(out), mask);
    arrays.logSum = there(logSum);
    const FusedAttention attention = Internals::attentionOf(*this, arrays.q, arrays.v, true);
    if (attention.dropout > 0) arrays.stays = there(dropoutMask);
    return musashim::mudnn::fusedAttention(attention, arrays);
  });
}
Status Sdpa::RunFlashBwd(Handle& handle, Tensor& gradQ, Tensor& gradK, Tensor& gradV, const Tensor& gradOut,
                         const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
                         const Tensor& /*out*/, const Tensor& logSum, const Tensor& dropoutMask,
                         const MemoryMaintainer&) const {
  return run("ScaledDotProductAttention::RunFlashBwd", handle, [&] {
    FusedAttentionArrays arrays = arraysOf(q, k, v, Array(), mask);
    arrays.logSum = given(logSum);
    arrays.stays = there(dropoutMask);
    return musashim::mudnn::fusedAttentionBackward(
        Internals::attentionOf(*this, arrays.q, arrays.v, true), arrays,
        {given(gradOut), given(gradQ), given(gradK), given(gradV), Array()});
  });
}
Status Sdpa::RunFlashVarlen(Handle& handle, Tensor& out, Tensor& logSum, const Tensor& q, const Tensor& k,
                            const Tensor& v, const Tensor& mask, const Tensor& /*dropoutMask*/,
                            const Tensor& beginsQ, const Tensor& beginsK, const MemoryMaintainer&) const {
  return run("ScaledDotProductAttention::RunFlashVarlen", handle, [&] {
    FusedAttentionArrays arrays = arraysOf(q, k, v, given(out), mask);
    arrays.logSum = there(logSum);
    arrays.beginsQ = given(beginsQ);
    arrays.beginsK = given(beginsK);
    Internals::checkVaried(*this, arrays.beginsQ, arrays.logSum);
    return musashim::mudnn::fusedAttention(Internals::attentionOf(*this, arrays.q, arrays.v, true), arrays);
  });
}
Status Sdpa::RunFlashVarlenBwd(Handle& handle, Tensor& gradQ, Tensor& gradK, Tensor& gradV,
                               const Tensor& gradOut, const Tensor& q, const Tensor& k, const Tensor& v,
                               const Tensor& mask, const Tensor& /*out*/, const Tensor& logSum,
                               const Tensor& /*dropoutMask*/, const Tensor& beginsQ, const Tensor& beginsK,
                               const MemoryMaintainer&) const {
  return run("ScaledDotProductAttention::RunFlashVarlenBwd", handle, [&] {
    FusedAttentionArrays arrays = arraysOf(q, k, v, Array(), mask);
    arrays.logSum = given(logSum);
    arrays.beginsQ = given(beginsQ);
    arrays.beginsK = given(beginsK);
    Internals::checkVaried(*this, arrays.beginsQ, arrays.logSum);
    return musashim::mudnn::fusedAttentionBackward(
        Internals::attentionOf(*this, arrays.q, arrays.v, true), arrays,
        {given(gradOut), given(gradQ), given(gradK), given(gradV), Array()});
  });
}

Status Rope::SetRotaryInterleaved(bool interleaved) {
  interleaved_ = interleaved;
  return Status::SUCCESS;
}
Status Rope::SetBatchFirst(bool batchFirst) {
  batchFirst_ = batchFirst;
  return Status::SUCCESS;
}
Status Rope::SetMultiLatentAttention(bool latent) {
  latent_ = latent;
  return Status::SUCCESS;
}
Status Rope::Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& angles) const {
  return run("Rope::Run", handle, [&] {
    return musashim::mudnn::rotary({interleaved_, batchFirst_, latent_, false}, given(out), given(in),
                                   given(angles));
  });
}
Status Rope::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& angles) const {
  return run("Rope::RunBwd", handle, [&] {
    return musashim::mudnn::rotary({interleaved_, batchFirst_, latent_, true}, given(gradIn), given(gradOut),
                                   given(angles));
  });
}

}  // namespace musa::dnn
