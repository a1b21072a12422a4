/* muDNN's C++ interface (libmudnncxx). Operations: which there are and what they compute is in the parts. */
#ifndef MUDNNCXX_MUDNN_H_
#define MUDNNCXX_MUDNN_H_

#include "mudnn_attention.h"
#include "mudnn_base.h"
#include "mudnn_elementwise.h"
#include "mudnn_layout.h"
#include "mudnn_loss.h"
#include "mudnn_nn.h"
#include "mudnn_reduce.h"
#include "mudnn_xmma.h"

#endif /* MUDNNCXX_MUDNN_H_ */
