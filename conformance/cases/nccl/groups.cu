// Groups: nested, empty, several operations, send and receive.
// requires: devices>=2
// links: nccl
#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.groups");

static std::vector<unsigned char> intsOf(const std::vector<int>& numbers) {
  const unsigned char* first = reinterpret_cast<const unsigned char*>(numbers.data());
  return std::vector<unsigned char>(first, first + numbers.size() * sizeof(int));
}

static std::string contentOf(const RankBuffer& buffer) {
  const std::vector<unsigned char> bytes = buffer.read();
  const int* numbers = reinterpret_cast<const int*>(bytes.data());
  return joined(std::vector<int>(numbers, numbers + bytes.size() / sizeof(int)));
}

int main() {
  Ranks ranks(2);
  OBSERVE("empty_start", ncclGroupStart());
  OBSERVE("empty_end", ncclGroupEnd());

  RankBuffer a(0, intsOf({1, 2, 3, 0, 0, 0}));
  RankBuffer b(1, intsOf({10, 20, 30, 0, 0, 0}));
  RankBuffer* const buffers[] = {&a, &b};

  SETUP_NCCL(ncclGroupStart());
  for (int rank = 0; rank < 2; ++rank) {
    int* data = static_cast<int*>(buffers[rank]->data());
    SETUP_NCCL(ncclSend(data, 3, ncclInt32, 1 - rank, ranks.comm(rank), ranks.stream(rank)));
    SETUP_NCCL(ncclRecv(data + 3, 3, ncclInt32, 1 - rank, ranks.comm(rank), ranks.stream(rank)));
  }
  OBSERVE("exchange", ncclGroupEnd());
  ranks.synchronize();
  OBSERVE("exchanged_0", contentOf(a));
  OBSERVE("exchanged_1", contentOf(b));

  SETUP_NCCL(ncclGroupStart());
  SETUP_NCCL(ncclGroupStart());
  for (int rank = 0; rank < 2; ++rank) {
    int* data = static_cast<int*>(buffers[rank]->data());
    SETUP_NCCL(ncclAllReduce(data, data, 3, ncclInt32, ncclSum, ranks.comm(rank), ranks.stream(rank)));
  }
  OBSERVE("inner_end", ncclGroupEnd());
  for (int rank = 0; rank < 2; ++rank) {
    int* data = static_cast<int*>(buffers[rank]->data());
    SETUP_NCCL(ncclBroadcast(data + 3, data + 3, 3, ncclInt32, 0, ranks.comm(rank), ranks.stream(rank)));
  }
  OBSERVE("outer_end", ncclGroupEnd());
  ranks.synchronize();
  OBSERVE("nested_0", contentOf(a));
  OBSERVE("nested_1", contentOf(b));

  int* own = static_cast<int*>(a.data());
  SETUP_NCCL(ncclGroupStart());
  SETUP_NCCL(ncclSend(own, 2, ncclInt32, 0, ranks.comm(0), ranks.stream(0)));
  SETUP_NCCL(ncclRecv(own + 4, 2, ncclInt32, 0, ranks.comm(0), ranks.stream(0)));
  OBSERVE("to_itself", ncclGroupEnd());
  ranks.synchronize();
  OBSERVE("to_itself_values", contentOf(a));
}
