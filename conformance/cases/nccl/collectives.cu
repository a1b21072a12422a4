// Broadcast, reduce, all-gather and reduce-scatter on four ranks, in and out of place.
// requires: devices>=4
// links: nccl
#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.collectives");

constexpr int kRanks = 4;
constexpr int kCount = 3;

// `count` ints, the rank's own.
static std::vector<unsigned char> numbersOf(int rank, int count) {
  std::vector<int> numbers(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) numbers[static_cast<size_t>(i)] = 100 * (rank + 1) + i;
  const unsigned char* first = reinterpret_cast<const unsigned char*>(numbers.data());
  return std::vector<unsigned char>(first, first + numbers.size() * sizeof(int));
}

struct Fleet {
  std::vector<RankBuffer*> send;
  std::vector<RankBuffer*> receive;
  Fleet(int sendCount, int receiveCount) {
    for (int rank = 0; rank < kRanks; ++rank) {
      send.push_back(new RankBuffer(rank, numbersOf(rank, sendCount)));
      receive.push_back(new RankBuffer(
          rank, std::vector<unsigned char>(static_cast<size_t>(receiveCount) * sizeof(int), 0)));
    }
  }
  ~Fleet() {
    for (RankBuffer* buffer : send) delete buffer;
    for (RankBuffer* buffer : receive) delete buffer;
  }
};

static std::string contentOf(const std::vector<RankBuffer*>& buffers) {
  std::string text;
  for (const RankBuffer* buffer : buffers) {
    const std::vector<unsigned char> bytes = buffer->read();
    const int* numbers = reinterpret_cast<const int*>(bytes.data());
    if (!text.empty()) text += " | ";
    text += joined(std::vector<int>(numbers, numbers + bytes.size() / sizeof(int)));
  }
  return text;
}

template <class Call>
static void onEveryRank(const Ranks& ranks, Call call) {
  SETUP_NCCL(ncclGroupStart());
  for (int rank = 0; rank < kRanks; ++rank) SETUP_NCCL(call(rank));
  SETUP_NCCL(ncclGroupEnd());
  ranks.synchronize();
}

int main() {
  Ranks ranks(kRanks);
  Fleet f(kCount, kCount);
  onEveryRank(ranks, [&](int r) {
    return ncclBroadcast(f.send[r]->data(), f.receive[r]->data(), kCount, ncclInt32, 2, ranks.comm(r),
                         ranks.stream(r));
  });
  OBSERVE("broadcast", contentOf(f.receive));
  onEveryRank(ranks, [&](int r) {
    return ncclReduce(f.send[r]->data(), f.receive[r]->data(), kCount, ncclInt32, ncclSum, 1, ranks.comm(r),
                      ranks.stream(r));
  });
  OBSERVE("reduce", contentOf(f.receive));
  onEveryRank(ranks, [&](int r) {
    return ncclAllReduce(f.send[r]->data(), f.receive[r]->data(), kCount, ncclInt32, ncclMax, ranks.comm(r),
                         ranks.stream(r));
  });
  OBSERVE("all_reduce", contentOf(f.receive));
  onEveryRank(ranks, [&](int r) {
    return ncclBcast(f.send[r]->data(), kCount, ncclInt32, 3, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("broadcast_in_place", contentOf(f.send));

  Fleet gather(kCount, kCount * kRanks);
  onEveryRank(ranks, [&](int r) {
    return ncclAllGather(gather.send[r]->data(), gather.receive[r]->data(), kCount, ncclInt32, ranks.comm(r),
                         ranks.stream(r));
  });
  OBSERVE("all_gather", contentOf(gather.receive));

  Fleet scatter(kCount * kRanks, kCount);
  onEveryRank(ranks, [&](int r) {
    return ncclReduceScatter(scatter.send[r]->data(), scatter.receive[r]->data(), kCount, ncclInt32, ncclSum,
                             ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("reduce_scatter", contentOf(scatter.receive));
  onEveryRank(ranks, [&](int r) {
    int* data = static_cast<int*>(scatter.send[r]->data());
    return ncclAllGather(data + r * kCount, data, kCount, ncclInt32, ranks.comm(r), ranks.stream(r));
  });
  OBSERVE("all_gather_in_place", contentOf(scatter.send));
}
