// Buffers that begin anywhere, counts that are multiples of nothing, all of a group at once.
// requires: devices>=2
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.unaligned");

// Each rank's buffer holds rank + 1, rank + 2, ...
static Fleet<signed char> numbers() {
  return Fleet<signed char>(2, [](int rank) {
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.push_back(rank + 1 + i % 20);
    return values;
  });
}

int main() {
  Ranks ranks(2);
  for (const size_t count : {1, 3, 7, 13}) {
    const std::string name = "_of_" + std::to_string(count);
    Fleet<signed char> sums = numbers(), gathered = numbers(), scattered = numbers(), sent = numbers();
    SETUP_NCCL(ncclGroupStart());
    for (int r = 0; r < 2; ++r) {
      const ncclComm_t comm = ranks.comm(r);
      const cudaStream_t stream = ranks.stream(r);
      SETUP_NCCL(ncclAllReduce(sums.data(r) + 1, sums.data(r) + 1, count, ncclInt8, ncclSum, comm, stream));
      SETUP_NCCL(ncclSend(sent.data(r) + 5, count, ncclInt8, 1 - r, comm, stream));
      SETUP_NCCL(ncclAllGather(gathered.data(r) + 3 + static_cast<size_t>(r) * count, gathered.data(r) + 3,
                               count, ncclInt8, comm, stream));
      SETUP_NCCL(ncclReduceScatter(scattered.data(r) + 7,
                                   scattered.data(r) + 7 + static_cast<size_t>(r) * count, count, ncclInt8,
                                   ncclMax, comm, stream));
      SETUP_NCCL(ncclRecv(sent.data(r) + 21, count, ncclInt8, 1 - r, comm, stream));
    }
    OBSERVE("group" + name, ncclGroupEnd());
    ranks.synchronize();
    OBSERVE("sums" + name, sums.content());
    OBSERVE("gathered" + name, gathered.content());
    OBSERVE("scattered" + name, scattered.content());
    OBSERVE("sent" + name, sent.content());
  }
}
