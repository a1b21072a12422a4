// Misuse of shrink, split and revoke.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.shrink_errors");

int main() {
  Ranks ranks(2);
  ncclComm_t made = nullptr;
  int other = 1, self = 0, outside = 2, negative = -1;
  OBSERVE("null_communicator", ncclCommShrink(nullptr, &other, 1, &made, nullptr, NCCL_SHRINK_DEFAULT));
  OBSERVE("null_result", ncclCommShrink(ranks.comm(0), &other, 1, nullptr, nullptr, NCCL_SHRINK_DEFAULT));
  OBSERVE("nobody", ncclCommShrink(ranks.comm(0), &other, 0, &made, nullptr, NCCL_SHRINK_DEFAULT));
  OBSERVE("negative_count", ncclCommShrink(ranks.comm(0), &other, -1, &made, nullptr, NCCL_SHRINK_DEFAULT));
  OBSERVE("itself", ncclCommShrink(ranks.comm(0), &self, 1, &made, nullptr, NCCL_SHRINK_DEFAULT));
  OBSERVE("outside", ncclCommShrink(ranks.comm(0), &outside, 1, &made, nullptr, NCCL_SHRINK_DEFAULT));
  OBSERVE("negative_rank", ncclCommShrink(ranks.comm(0), &negative, 1, &made, nullptr, NCCL_SHRINK_DEFAULT));
}
