// Attention of heads that are there already: softmax(q k') v, and its gradients.
#pragma once

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

struct FusedAttention {
  double scale = 1;
  double dropout = 0;
  bool causal = false;
  bool padding = false;  // the mask is by batch and place of k
};

// By batch, head, place and element; with begins by place, head and element. What may be left out has no
// memory.
struct FusedAttentionArrays {
  Array q, k, v, out, mask;
  Array weights, logSum;  // what is saved, times 1 / (1 - dropout)
  Array stays;            // the mask of dropout
  Array beginsQ, beginsK;
};

Work fusedAttention(const FusedAttention& attention, const FusedAttentionArrays& arrays);

// From weights, or from logSum where there are none. mask: what a mask of numbers gets.
struct FusedAttentionGradients {
  Array out, q, k, v, mask;
};
Work fusedAttentionBackward(const FusedAttention& attention, const FusedAttentionArrays& arrays,
                            const FusedAttentionGradients& gradients);

}  // namespace musashim::mudnn
