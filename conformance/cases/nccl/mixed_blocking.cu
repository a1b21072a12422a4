// Communicators that wait and communicators that do not, in one group.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.mixed_blocking");

int main() {
  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  ncclConfig_t waits = NCCL_CONFIG_INITIALIZER, returns = NCCL_CONFIG_INITIALIZER;
  waits.blocking = 1;
  returns.blocking = 0;
  ncclComm_t comms[2] = {};
  SETUP_NCCL(ncclGroupStart());
  SETUP(cudaSetDevice(0));
  OBSERVE("first", ncclCommInitRankConfig(&comms[0], 2, id, 0, &waits));
  SETUP(cudaSetDevice(1));
  OBSERVE("second", ncclCommInitRankConfig(&comms[1], 2, id, 1, &returns));
  OBSERVE("end", ncclGroupEnd());
  OBSERVE("no_communicator_0", comms[0] == nullptr);
  OBSERVE("no_communicator_1", comms[1] == nullptr);
}
