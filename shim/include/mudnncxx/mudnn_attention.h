/* muDNN's C++ interface: attention and rotary embedding. Numbers of 16 bits are computed as float. */
#ifndef MUDNNCXX_MUDNN_ATTENTION_H_
#define MUDNNCXX_MUDNN_ATTENTION_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

/* out = dropout(softmax(scale * q k' + mask)) v, of tensors by batch, head, place and element (any strides).
 * There may be several heads of q for each of k and v. The mask broadcasts to batch, head, place of q, place
 * of k: a bool says who takes part, a number is added. A row that nobody takes part in gives zeros.
 *
 * Dropout: the mask of what stays is an output of Run...(), and empty where nothing is dropped; numbers are
 * those of Dropout, of a seed that each run counts up. What is saved for gradients is of weights times
 * 1 / (1 - p), also of those that were dropped, so that Run...Bwd() need not be told p: their sum says it. */
class MUDNN_CXX_API ScaledDotProductAttention {
 public:
  using ComputeMode = detail::ComputeMode;

  Status SetComputeMode(ComputeMode mode);
  Status SetEmbedDim(int elements);  /* of all heads of out; is checked, 0 is not */
  Status SetHeadsNum(int heads);     /* of q; is checked, 0 is not */
  Status SetTraining(bool training); /* nothing is dropped without */
  Status SetDropoutP(double probability);
  Status SetCausal(bool causal);                 /* Flash: places of k behind that of q take no part */
  Status SetMaskMode(bool padding);              /* the mask is by batch and place of k */
  Status SetScale(double scale);                 /* 1 / sqrt(elements of a head of q) at first */
  Status SetIsDeterministic(bool deterministic); /* all are */
  /* ...Varlen: the number of sequences, and the longest of them; are checked, 0 is not. */
  Status SetBatchSize(int count);
  Status SetMaxSeqlenQ(int length);
  Status SetMaxSeqlenK(int length);

  /* weights: the softmax, by batch, head, place of q, place of k; may be empty. */
  Status RunMath(Handle& handle, Tensor& out, Tensor& weights, const Tensor& q, const Tensor& k,
                 const Tensor& v, const Tensor& mask, Tensor& dropoutMask,
                 const MemoryMaintainer& maintainer = nullptr) const;
  /* gradMask: what a mask of numbers would get, of the weights' size; may be empty. */
  Status RunMathBwd(Handle& handle, Tensor& gradQ, Tensor& gradK, Tensor& gradV, Tensor& gradMask,
                    const Tensor& gradOut, const Tensor& q, const Tensor& k, const Tensor& v,
                    const Tensor& weights, const Tensor& dropoutMask,
                    const MemoryMaintainer& maintainer = nullptr) const;
  /* logSum: the logarithm of the sum of exponentials, by batch, head, place of q; may be empty. */
  Status RunFlash(Handle& handle, Tensor& out, Tensor& logSum, const Tensor& q, const Tensor& k,
                  const Tensor& v, const Tensor& mask, Tensor& dropoutMask,
                  const MemoryMaintainer& maintainer = nullptr) const;
  Status RunFlashBwd(Handle& handle, Tensor& gradQ, Tensor& gradK, Tensor& gradV, const Tensor& gradOut,
                     const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, const Tensor& out,
                     const Tensor& logSum, const Tensor& dropoutMask,
                     const MemoryMaintainer& maintainer = nullptr) const;
  /* Sequences of several lengths behind each other: tensors by place, head and element. begins...: 32-bit
   * places where sequences begin, and the end. logSum: by sequence, head, place in it. Causal: the last of q
   * sees all of k. There are no masks, and no dropout. */
  Status RunFlashVarlen(Handle& handle, Tensor& out, Tensor& logSum, const Tensor& q, const Tensor& k,
                        const Tensor& v, const Tensor& mask, const Tensor& dropoutMask, const Tensor& beginsQ,
                        const Tensor& beginsK, const MemoryMaintainer& maintainer = nullptr) const;
  Status RunFlashVarlenBwd(Handle& handle, Tensor& gradQ, Tensor& gradK, Tensor& gradV, const Tensor& gradOut,
                           const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
                           const Tensor& out, const Tensor& logSum, const Tensor& dropoutMask,
                           const Tensor& beginsQ, const Tensor& beginsK,
                           const MemoryMaintainer& maintainer = nullptr) const;

 private:
  friend struct Internals;
  int embed_ = 0, heads_ = 0, batch_ = 0, longestQ_ = 0, longestK_ = 0;
  bool training_ = false, causal_ = false, padding_ = false;
  double dropout_ = 0, scale_ = 0;
};

/* Rotary position embedding of tensors by place, batch, head and element; angles: by place and element. The
 * first elements of a head, as many as there are angles, are turned by pairs, the others stay. */
class MUDNN_CXX_API Rope {
 public:
  Status SetRotaryInterleaved(bool interleaved); /* pairs are neighbours, else first and second half */
  Status SetBatchFirst(bool batchFirst);         /* by batch, place, head and element */
  Status SetMultiLatentAttention(bool latent);   /* elements of even places come first, then the odd */
  Status Run(Handle& handle, Tensor& out, const Tensor& in, const Tensor& angles) const;
  Status RunBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut, const Tensor& angles) const;

 private:
  bool interleaved_ = false, batchFirst_ = false, latent_ = false;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_ATTENTION_H_ */
