// Handles of registered buffers and windows: which are none, and how often they are given back.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.handles");

int main() {
  Ranks ranks(2);
  void* memory[2] = {};
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    SETUP_NCCL(ncclMemAlloc(&memory[r], 1 << 20));
  }
  int stranger = 0;
  OBSERVE("deregister_nothing", ncclCommDeregister(ranks.comm(0), nullptr));
  OBSERVE("deregister_stranger", ncclCommDeregister(ranks.comm(0), &stranger));
  OBSERVE("deregister_null_communicator", ncclCommDeregister(nullptr, &stranger));
  OBSERVE("window_deregister_nothing", ncclCommWindowDeregister(ranks.comm(0), nullptr));

  SETUP(cudaSetDevice(0));
  void *once = nullptr, *twice = nullptr, *part = nullptr;
  OBSERVE("once", ncclCommRegister(ranks.comm(0), memory[0], 1 << 20, &once));
  OBSERVE("twice", ncclCommRegister(ranks.comm(0), memory[0], 1 << 20, &twice));
  OBSERVE("part", ncclCommRegister(ranks.comm(0), static_cast<char*>(memory[0]) + 4096, 4096, &part));
  OBSERVE("same_handle", once == twice);
  OBSERVE("same_handle_for_a_part", once == part);
  OBSERVE("back_1", ncclCommDeregister(ranks.comm(0), once));
  OBSERVE("back_2", ncclCommDeregister(ranks.comm(0), twice));
  OBSERVE("back_3", ncclCommDeregister(ranks.comm(0), part));
  OBSERVE("back_4", ncclCommDeregister(ranks.comm(0), once));

  ncclWindow_t windows[2] = {};
  SETUP_NCCL(ncclGroupStart());
  for (int r = 0; r < 2; ++r) {
    OBSERVE("window_" + std::to_string(r),
            ncclCommWindowRegister(ranks.comm(r), memory[r], 1 << 20, &windows[r], NCCL_WIN_COLL_SYMMETRIC));
  }
  OBSERVE("windows", ncclGroupEnd());
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(memory[r], memory[r], 1, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r));
  });
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("window_back_" + std::to_string(r), ncclCommWindowDeregister(ranks.comm(r), windows[r]));
  }
}
