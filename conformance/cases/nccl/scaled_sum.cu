// Operations the user makes: a sum after a multiplication.
// requires: devices>=2
// links: nccl
#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.scaled_sum");

int main() {
  Ranks ranks(2);
  const float factors[2] = {0.5f, 2.0f};
  ncclRedOp_t operations[2];
  std::vector<float*> data;
  for (int rank = 0; rank < 2; ++rank) {
    SETUP(cudaSetDevice(rank));
    float* pointer = nullptr;
    SETUP(cudaMalloc(reinterpret_cast<void**>(&pointer), 2 * sizeof(float)));
    const float values[2] = {1.0f + static_cast<float>(rank), 10.0f};
    SETUP(cudaMemcpy(pointer, values, sizeof values, cudaMemcpyHostToDevice));
    data.push_back(pointer);
    float factor = factors[rank];
    OBSERVE("create_" + std::to_string(rank),
            ncclRedOpCreatePreMulSum(&operations[rank], &factor, ncclFloat32, ncclScalarHostImmediate,
                                     ranks.comm(rank)));
  }
  SETUP_NCCL(ncclGroupStart());
  for (int rank = 0; rank < 2; ++rank) {
    SETUP_NCCL(ncclAllReduce(data[static_cast<size_t>(rank)], data[static_cast<size_t>(rank)], 2, ncclFloat32,
                             operations[rank], ranks.comm(rank), ranks.stream(rank)));
  }
  OBSERVE("all_reduce", ncclGroupEnd());
  ranks.synchronize();
  float result[2] = {};
  SETUP(cudaMemcpy(result, data[1], sizeof result, cudaMemcpyDeviceToHost));
  OBSERVE("values", joined(std::vector<float>(result, result + 2)));
  OBSERVE("destroy", ncclRedOpDestroy(operations[0], ranks.comm(0)));
  OBSERVE("destroy_twice", ncclRedOpDestroy(operations[0], ranks.comm(0)));
  OBSERVE("destroy_builtin", ncclRedOpDestroy(ncclSum, ranks.comm(0)));
}
