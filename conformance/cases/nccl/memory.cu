// The library's own memory, and buffers made known to it.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.memory");

int main() {
  Ranks ranks(2);
  void* memory[2] = {};
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("alloc_" + std::to_string(r), ncclMemAlloc(&memory[r], 4096));
    const int number = r + 1;
    SETUP(cudaMemcpy(memory[r], &number, sizeof number, cudaMemcpyHostToDevice));
  }
  void* handles[2] = {};
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("register_" + std::to_string(r), ncclCommRegister(ranks.comm(r), memory[r], 4096, &handles[r]));
  }
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(memory[r], memory[r], 1, ncclInt32, ncclSum, ranks.comm(r), ranks.stream(r));
  });
  int number = 0;
  SETUP(cudaMemcpy(&number, memory[1], sizeof number, cudaMemcpyDeviceToHost));
  OBSERVE("sum", number);
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("deregister_" + std::to_string(r), ncclCommDeregister(ranks.comm(r), handles[r]));
  }
  for (int r = 0; r < 2; ++r) {
    SETUP(cudaSetDevice(r));
    OBSERVE("free_" + std::to_string(r), ncclMemFree(memory[r]));
  }
  OBSERVE("free_null", ncclMemFree(nullptr));
  OBSERVE("alloc_null", ncclMemAlloc(nullptr, 16));
  OBSERVE("register_null_communicator", ncclCommRegister(nullptr, &number, 4, &handles[0]));
}
