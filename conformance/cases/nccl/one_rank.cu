// Communicators of one rank: everything still does what it says.
// requires: devices>=1
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.one_rank");

int main() {
  Ranks ranks(1);
  const ncclComm_t comm = ranks.comm(0);
  const cudaStream_t stream = ranks.stream(0);
  const auto numbers = [](int) { return std::vector<double>{3, -5, 7}; };
  const auto zeros = [](int) { return std::vector<double>{0, 0, 0}; };
  float factor = 2;
  ncclRedOp_t scaled;
  SETUP_NCCL(ncclRedOpCreatePreMulSum(&scaled, &factor, ncclFloat32, ncclScalarHostImmediate, comm));
  const std::pair<const char*, ncclRedOp_t> operations[] = {
      {"sum", ncclSum}, {"max", ncclMax}, {"average", ncclAvg}, {"scaled", scaled}};
  for (const auto& [name, operation] : operations) {
    Fleet<float> in(1, numbers), out(1, zeros);
    OBSERVE(std::string("apart_call_") + name,
            ncclAllReduce(in.data(0), out.data(0), 3, ncclFloat32, operation, comm, stream));
    OBSERVE(std::string("in_place_call_") + name,
            ncclReduceScatter(in.data(0), in.data(0), 3, ncclFloat32, operation, comm, stream));
    ranks.synchronize();
    OBSERVE(std::string("apart_") + name, out.content());
    OBSERVE(std::string("in_place_") + name, in.content());
  }
  Fleet<float> in(1, numbers), out(1, zeros);
  SETUP_NCCL(ncclGroupStart());
  OBSERVE("send", ncclSend(in.data(0), 2, ncclFloat32, 0, comm, stream));
  OBSERVE("receive", ncclRecv(out.data(0) + 1, 2, ncclFloat32, 0, comm, stream));
  OBSERVE("send_to_oneself", ncclGroupEnd());
  ranks.synchronize();
  OBSERVE("sent", out.content());
  OBSERVE("all_to_all", ncclAlltoAll(in.data(0), out.data(0), 3, ncclFloat32, comm, stream));
  ranks.synchronize();
  OBSERVE("exchanged", out.content());
  OBSERVE("lonely_send", ncclSend(in.data(0), 1, ncclFloat32, 0, comm, stream));
}
