// Groups, point to point, streams: what may be combined, and in which order it happens.
#include <chrono>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

Buffer filled(int device, size_t count, float value) {
  Buffer buffer(device, count * sizeof(float));
  buffer.write(std::vector<float>(count, value));
  return buffer;
}

std::vector<Buffer> filledOnAll(const World& world, size_t count, float value) {
  std::vector<Buffer> buffers;
  for (int rank = 0; rank < world.ranks(); ++rank) buffers.push_back(filled(rank, count, value));
  return buffers;
}

TEST(Groups, ManyCollectivesWithSetDeviceBetweenThem) {
  World world(4);
  constexpr size_t kCount = 1000;
  auto buffers = filledOnAll(world, kCount, 1.0f);
  ASSERT_MCCL(mcclGroupStart());
  for (int iteration = 0; iteration < 20; ++iteration) {
    for (int r = 0; r < 4; ++r) {
      ASSERT_MUSA(musaSetDevice(r));
      Rank& rank = world.rank(r);
      ASSERT_MCCL(mcclAllReduce(buffers[r].data(), buffers[r].data(), kCount, mcclFloat, mcclMax, rank.comm,
                                rank.stream));
      ASSERT_MCCL(mcclAllReduce(buffers[r].data(), buffers[r].data(), kCount, mcclFloat,
                                iteration < 3 ? mcclSum : mcclAvg, rank.comm, rank.stream));
    }
  }
  ASSERT_MUSA(musaSetDevice(2));
  ASSERT_MCCL(mcclGroupEnd());
  int device = -1;
  ASSERT_MUSA(musaGetDevice(&device));
  EXPECT_EQ(device, 2) << "the current device is the caller's";
  world.synchronize();
  for (Buffer& buffer : buffers) EXPECT_EQ(buffer.read<float>()[kCount - 1], 64.0f);  // 4 * 4 * 4
}

TEST(Groups, OnlyTheOutermostEndLaunches) {
  World world(2);
  auto buffers = filledOnAll(world, 4, 1.0f);
  ASSERT_MCCL(mcclGroupStart());
  for (int r = 0; r < 2; ++r) {
    ASSERT_MCCL(mcclGroupStart());
    ASSERT_MCCL(mcclAllReduce(buffers[r].data(), buffers[r].data(), 4, mcclFloat, mcclSum, world.rank(r).comm,
                              world.rank(r).stream));
    ASSERT_MCCL(mcclGroupEnd());
    ASSERT_MUSA(musaSetDevice(r));
    ASSERT_MUSA(musaStreamSynchronize(world.rank(r).stream)) << "nothing is queued yet";
    EXPECT_EQ(buffers[r].read<float>()[0], 1.0f);
  }
  ASSERT_MCCL(mcclGroupEnd());
  world.synchronize();
  EXPECT_EQ(buffers[0].read<float>()[0], 2.0f);
}

TEST(Groups, EndWithoutStartIsInvalidUsage) { EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage); }

TEST(Groups, ErrorOfACallComesBackFromTheEndAndNothingRuns) {
  World world(2);
  auto buffers = filledOnAll(world, 4, 1.0f);
  ASSERT_MCCL(mcclGroupStart());
  for (int r = 0; r < 2; ++r) {
    ASSERT_MCCL(mcclAllReduce(buffers[r].data(), buffers[r].data(), 4, mcclFloat, mcclSum, world.rank(r).comm,
                              world.rank(r).stream));
  }
  EXPECT_EQ(mcclBroadcast(buffers[0].data(), buffers[0].data(), 4, mcclFloat, 7, world.rank(0).comm,
                          world.rank(0).stream),
            mcclInvalidArgument);
  EXPECT_EQ(mcclGroupEnd(), mcclInvalidArgument);
  world.synchronize();
  EXPECT_EQ(buffers[0].read<float>()[0], 1.0f);
  EXPECT_MCCL(mcclGroupStart());  // the error is gone
  EXPECT_MCCL(mcclGroupEnd());
}

TEST(Groups, SeveralCommunicatorsInOneGroup) {
  World first(3), second(3);
  auto a = filledOnAll(first, 5, 1.0f), b = filledOnAll(second, 5, 2.0f);
  ASSERT_MCCL(mcclGroupStart());
  for (int r = 0; r < 3; ++r) {
    for (auto [world, buffers] : {std::pair{&first, &a}, std::pair{&second, &b}}) {
      Rank& rank = world->rank(r);
      char* data = (*buffers)[r].data();
      ASSERT_MCCL(mcclAllReduce(data, data, 5, mcclFloat, mcclSum, rank.comm, rank.stream));
    }
  }
  ASSERT_MCCL(mcclGroupEnd());
  first.synchronize();
  second.synchronize();
  EXPECT_EQ(a[1].read<float>()[4], 3.0f);
  EXPECT_EQ(b[2].read<float>()[4], 6.0f);
}

TEST(Groups, CommunicatorsOnOtherStreamsProgressIndependently) {
  World stuck(2), free(2);
  auto a = filledOnAll(stuck, 4, 1.0f), b = filledOnAll(free, 4, 1.0f);
  Rank& waiting = stuck.rank(0);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MCCL(mcclAllReduce(a[0].data(), a[0].data(), 4, mcclFloat, mcclSum, waiting.comm, waiting.stream));
  free.each([&](Rank& r) {
    return mcclAllReduce(b[r.rank].data(), b[r.rank].data(), 4, mcclFloat, mcclSum, r.comm, r.stream);
  });
  free.synchronize();
  EXPECT_EQ(b[0].read<float>()[0], 2.0f);
  EXPECT_EQ(musaStreamQuery(waiting.stream), musaErrorNotReady) << "rank 1 has not come yet";
  ASSERT_MUSA(musaSetDevice(1));
  ASSERT_MCCL(mcclAllReduce(a[1].data(), a[1].data(), 4, mcclFloat, mcclSum, stuck.rank(1).comm,
                            stuck.rank(1).stream));
  stuck.synchronize();
  EXPECT_EQ(a[0].read<float>()[0], 2.0f);
}

TEST(Groups, WorkWaitsForWhatIsQueuedBeforeItOnItsStream) {
  World world(2);
  auto buffers = filledOnAll(world, 1, 1.0f);
  struct Late {
    char* target;
  } late{buffers[1].data()};
  ASSERT_MUSA(musaSetDevice(1));
  ASSERT_MUSA(musaLaunchHostFunc(
      world.rank(1).stream,
      [](void* data) {
        std::this_thread::sleep_for(30ms);
        const DeviceAccess access;
        *reinterpret_cast<float*>(static_cast<Late*>(data)->target) = 40.0f;
      },
      &late));
  world.each([&](Rank& r) {
    return mcclAllReduce(buffers[r.rank].data(), buffers[r.rank].data(), 1, mcclFloat, mcclSum, r.comm,
                         r.stream);
  });
  world.synchronize();
  EXPECT_EQ(buffers[0].read<float>()[0], 41.0f);
}

TEST(Groups, StreamsOfOneGroupWaitForEachOther) {
  World world(2);
  auto a = filledOnAll(world, 1, 1.0f), b = filledOnAll(world, 1, 2.0f);
  musaStream_t second[2];
  for (int r = 0; r < 2; ++r) {
    ASSERT_MUSA(musaSetDevice(r));
    ASSERT_MUSA(musaStreamCreate(&second[r]));
  }
  world.each([&](Rank& r) {
    char *x = a[r.rank].data(), *y = b[r.rank].data();
    const mcclResult_t one = mcclAllReduce(x, x, 1, mcclFloat, mcclSum, r.comm, r.stream);
    return one != mcclSuccess ? one : mcclAllReduce(y, y, 1, mcclFloat, mcclSum, r.comm, second[r.rank]);
  });
  for (int r = 0; r < 2; ++r) {
    ASSERT_MUSA(musaSetDevice(r));
    ASSERT_MUSA(musaStreamSynchronize(second[r]));
    EXPECT_EQ(a[r].read<float>()[0], 2.0f) << "done on the other stream as well";
    EXPECT_EQ(b[r].read<float>()[0], 4.0f);
  }
  world.synchronize();
  for (int r = 0; r < 2; ++r) {
    ASSERT_MUSA(musaSetDevice(r));
    ASSERT_MUSA(musaStreamDestroy(second[r]));
  }
}

TEST(Groups, LegacyStreamOfEachDevice) {
  World world(3);
  auto buffers = filledOnAll(world, 9, 1.0f);
  ASSERT_MUSA(musaSetDevice(0));  // the communicator's device counts, not the current one
  ASSERT_MCCL(mcclGroupStart());
  for (int r = 0; r < 3; ++r) {
    ASSERT_MCCL(mcclAllReduce(buffers[r].data(), buffers[r].data(), 9, mcclFloat, mcclSum, world.rank(r).comm,
                              nullptr));
  }
  ASSERT_MCCL(mcclGroupEnd());
  for (int r = 0; r < 3; ++r) {
    ASSERT_MUSA(musaSetDevice(r));
    ASSERT_MUSA(musaDeviceSynchronize());
    EXPECT_EQ(buffers[r].read<float>()[8], 3.0f);
  }
}

TEST(Groups, ZeroCountQueuesNothing) {
  World world(2);
  Rank& alone = world.rank(0);
  ASSERT_MUSA(musaSetDevice(0));
  EXPECT_MCCL(mcclAllReduce(nullptr, nullptr, 0, mcclFloat, mcclSum, alone.comm, alone.stream));
  EXPECT_MCCL(mcclAllGather(nullptr, nullptr, 0, mcclFloat, alone.comm, alone.stream));
  EXPECT_EQ(musaStreamSynchronize(alone.stream), musaSuccess) << "rank 1 need not call";
}

TEST(PointToPoint, ExchangeInOneGroup) {
  for (Drive drive : {Drive::kOneThread, Drive::kThreadPerRank}) {
    World world(2, drive);
    constexpr size_t kCount = 500000;
    auto send = filledOnAll(world, kCount, 0.0f), recv = filledOnAll(world, kCount, -1.0f);
    for (int r = 0; r < 2; ++r) send[r].write(std::vector<float>(kCount, 10.0f + r));
    world.each([&](Rank& r) {
      mcclGroupStart();
      mcclSend(send[r.rank].data(), kCount, mcclFloat, 1 - r.rank, r.comm, r.stream);
      mcclRecv(recv[r.rank].data(), kCount, mcclFloat, 1 - r.rank, r.comm, r.stream);
      return mcclGroupEnd();
    });
    world.synchronize();
    EXPECT_EQ(recv[0].read<float>(), std::vector<float>(kCount, 11.0f));
    EXPECT_EQ(recv[1].read<float>(), std::vector<float>(kCount, 10.0f));
  }
}

TEST(PointToPoint, UngroupedSendMeetsUngroupedReceive) {
  World world(2);
  auto send = filled(0, 3, 5.0f), recv = filled(1, 3, 0.0f);
  ASSERT_MCCL(mcclSend(send.data(), 3, mcclFloat, 1, world.rank(0).comm, world.rank(0).stream));
  ASSERT_MCCL(mcclRecv(recv.data(), 3, mcclFloat, 0, world.rank(1).comm, world.rank(1).stream));
  world.synchronize();
  EXPECT_EQ(recv.read<float>()[2], 5.0f);
}

TEST(PointToPoint, SendToSelf) {
  World world(2);
  auto send = filled(0, 3, 5.0f), recv = filled(0, 3, 0.0f);
  Rank& self = world.rank(0);
  ASSERT_MCCL(mcclGroupStart());
  ASSERT_MCCL(mcclRecv(recv.data(), 3, mcclFloat, 0, self.comm, self.stream));
  ASSERT_MCCL(mcclSend(send.data(), 3, mcclFloat, 0, self.comm, self.stream));
  ASSERT_MCCL(mcclGroupEnd());
  world.synchronize();
  EXPECT_EQ(recv.read<float>()[2], 5.0f);
  EXPECT_EQ(mcclSend(send.data(), 3, mcclFloat, 0, self.comm, self.stream), mcclInvalidUsage)
      << "without its receive";
}

TEST(PointToPoint, ZeroCountPairs) {
  World world(2);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MCCL(mcclSend(nullptr, 0, mcclFloat, 1, world.rank(0).comm, world.rank(0).stream));
  ASSERT_MUSA(musaSetDevice(1));
  ASSERT_MCCL(mcclRecv(nullptr, 0, mcclFloat, 0, world.rank(1).comm, world.rank(1).stream));
  world.synchronize();
}

TEST(PointToPoint, MixedWithCollectivesInAnyOrder) {
  World world(3);
  auto sums = filledOnAll(world, 6, 1.0f), sent = filledOnAll(world, 6, 3.0f),
       received = filledOnAll(world, 6, 0.0f);
  ASSERT_MCCL(mcclGroupStart());
  for (int r = 0; r < 3; ++r) {
    Rank& rank = world.rank(r);
    const auto reduce = [&] {
      ASSERT_MCCL(
          mcclAllReduce(sums[r].data(), sums[r].data(), 6, mcclFloat, mcclSum, rank.comm, rank.stream));
    };
    if (r != 1) reduce();
    ASSERT_MCCL(mcclSend(sent[r].data(), 6, mcclFloat, (r + 1) % 3, rank.comm, rank.stream));
    if (r == 1) reduce();
    ASSERT_MCCL(mcclRecv(received[r].data(), 6, mcclFloat, (r + 2) % 3, rank.comm, rank.stream));
  }
  ASSERT_MCCL(mcclGroupEnd());
  world.synchronize();
  for (int r = 0; r < 3; ++r) {
    EXPECT_EQ(sums[r].read<float>()[5], 3.0f);
    EXPECT_EQ(received[r].read<float>()[5], 3.0f);
  }
}

TEST(PointToPoint, MessagesOfAPairKeepTheirOrder) {
  World world(2);
  std::vector<Buffer> sent, received;
  for (int i = 0; i < 10; ++i) {
    sent.push_back(filled(0, 1, static_cast<float>(i)));
    received.push_back(filled(1, 1, -1.0f));
    ASSERT_MCCL(mcclSend(sent[i].data(), 1, mcclFloat, 1, world.rank(0).comm, world.rank(0).stream));
  }
  ASSERT_MCCL(mcclGroupStart());  // the receives of one group match the sends of many
  for (Buffer& buffer : received) {
    ASSERT_MCCL(mcclRecv(buffer.data(), 1, mcclFloat, 0, world.rank(1).comm, world.rank(1).stream));
  }
  ASSERT_MCCL(mcclGroupEnd());
  world.synchronize();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(received[i].read<float>()[0], static_cast<float>(i));
}

TEST(Stress, ThreadsWithSeveralCommunicatorsAtOnce) {
  constexpr int kRanks = 4, kComms = 3, kRounds = 40;
  std::vector<std::unique_ptr<World>> worlds;
  for (int i = 0; i < kComms; ++i) worlds.push_back(std::make_unique<World>(kRanks, Drive::kThreadPerRank));
  std::vector<std::vector<Buffer>> buffers;
  for (auto& world : worlds) buffers.push_back(filledOnAll(*world, 1000, 1.0f));
  onThreads(kRanks, [&](int r) {
    EXPECT_EQ(musaSetDevice(r), musaSuccess);
    for (int round = 0; round < kRounds; ++round) {
      for (int c = 0; c < kComms; ++c) {
        Rank& rank = worlds[c]->rank(r);
        char* data = buffers[c][r].data();
        EXPECT_MCCL(mcclAllReduce(data, data, 1000, mcclFloat, round % 2 ? mcclAvg : mcclSum, rank.comm,
                                  rank.stream));
      }
    }
    for (auto& world : worlds) EXPECT_EQ(musaStreamSynchronize(world->rank(r).stream), musaSuccess);
  });
  // Each pair of rounds multiplies by 4, and then averages: 4^20.
  for (auto& ofWorld : buffers) {
    for (Buffer& buffer : ofWorld) EXPECT_EQ(buffer.read<float>()[999], 1099511627776.0f);
  }
}

}  // namespace
}  // namespace musashim::mccl
