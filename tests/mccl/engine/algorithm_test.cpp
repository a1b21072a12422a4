// What needs no ranks that wait: orders of summation, and which send meets which receive.
#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "clique_calls.h"
#include "mccl/engine/transfer_match.h"

namespace musashim::mccl {
namespace {

TransferTask transfer(bool isSend, int peer, size_t count) {
  TransferTask task;
  task.isSend = isSend;
  task.peer = peer;
  task.count = count;
  return task;
}

bool matches(const std::vector<std::vector<TransferTask>>& tasks, std::vector<TransferMatch>& found) {
  const std::vector<std::span<const TransferTask>> spans(tasks.begin(), tasks.end());
  return matchTransfers(spans, found);
}

TEST(TransferMatch, PairsSendsAndReceivesInOrder) {
  // 0 sends twice to 1 and once to itself, 1 sends to 0 first.
  const std::vector<std::vector<TransferTask>> tasks{
      {transfer(true, 1, 3), transfer(true, 1, 4), transfer(false, 1, 5), transfer(true, 0, 6),
       transfer(false, 0, 6)},
      {transfer(true, 0, 5), transfer(false, 0, 3), transfer(false, 0, 4)}};
  std::vector<TransferMatch> found;
  ASSERT_TRUE(matches(tasks, found));
  ASSERT_EQ(found.size(), 4u);
  const std::pair<const TransferTask*, const TransferTask*> expected[] = {{&tasks[0][0], &tasks[1][1]},
                                                                          {&tasks[1][0], &tasks[0][2]},
                                                                          {&tasks[0][1], &tasks[1][2]},
                                                                          {&tasks[0][3], &tasks[0][4]}};
  const size_t calls[] = {0, 0, 1, 3};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found[i].send, expected[i].first) << i;
    EXPECT_EQ(found[i].receive, expected[i].second) << i;
    EXPECT_EQ(found[i].call, calls[i]) << i;
  }
}

TEST(TransferMatch, SeesWhatDoesNotFit) {
  std::vector<TransferMatch> found;
  EXPECT_TRUE(matches({{}, {}}, found));
  EXPECT_TRUE(found.empty());
  EXPECT_FALSE(matches({{transfer(true, 1, 3)}, {}}, found));
  EXPECT_FALSE(matches({{}, {transfer(false, 0, 3)}}, found));
  EXPECT_FALSE(matches({{transfer(true, 1, 3)}, {transfer(false, 0, 4)}}, found));
  EXPECT_FALSE(matches(
      {{transfer(true, 1, 3), transfer(true, 1, 4)}, {transfer(false, 0, 4), transfer(false, 0, 3)}}, found));
  EXPECT_FALSE(matches({{transfer(true, 1, 3)}, {transfer(true, 0, 3), transfer(false, 1, 3)}}, found));
}

TEST(Algorithms, CombineInTheirOwnOrder) {
  const float values[4] = {1e8f, 3.0f, -1e8f, 5.0f};
  std::vector<CollectiveTask> tasks;
  std::vector<float> recv(4);
  std::vector<std::vector<float>> send;
  for (float value : values) send.emplace_back(4, value);
  for (int rank = 0; rank < 4; ++rank) {
    tasks.push_back(allReduce(send[rank], recv));
  }
  const std::vector<const CollectiveTask*> all = {&tasks[0], &tasks[1], &tasks[2], &tasks[3]};
  OwnAddresses addresses;
  const auto resultOf = [&](Algorithm algorithm) {
    CollectivePlan plan;
    EXPECT_EQ(plan.prepare(all, addresses, {algorithm, 1 << 20}), -1);
    for (size_t chunk = 0; chunk < plan.chunks(); ++chunk) plan.run(chunk);
    return recv;
  };
  const auto sum = [&](int a, int b, int c, int d) {
    return ((values[a] + values[b]) + values[c]) + values[d];
  };
  EXPECT_EQ(resultOf(Algorithm::kDirect), std::vector<float>(4, sum(0, 1, 2, 3)));
  EXPECT_EQ(resultOf(Algorithm::kTree),
            std::vector<float>(4, (values[0] + values[1]) + (values[2] + values[3])));
  EXPECT_EQ(resultOf(Algorithm::kRing),
            (std::vector<float>{sum(1, 2, 3, 0), sum(2, 3, 0, 1), sum(3, 0, 1, 2), sum(0, 1, 2, 3)}));
}

// Data is cut into a part for each ring, and what all ranks get into a share for each rank of it, which is
// combined in the ring's order and ends with its owner.
TEST(Algorithms, RingsCombineInTheirOrders) {
  const float values[4] = {1e8f, 3.0f, -1e8f, 5.0f};
  const std::vector<uint16_t> rings = {0, 2, 1, 3, 3, 2, 1, 0};
  OwnAddresses addresses;
  std::vector<std::vector<float>> send;
  for (float value : values) send.emplace_back(8, value);
  std::vector<float> recv(8);
  std::vector<CollectiveTask> tasks;
  for (int rank = 0; rank < 4; ++rank) tasks.push_back(allReduce(send[rank], recv));
  const std::vector<const CollectiveTask*> all = {&tasks[0], &tasks[1], &tasks[2], &tasks[3]};
  const auto sum = [&](int a, int b, int c, int d) {
    return ((values[a] + values[b]) + values[c]) + values[d];
  };
  const auto run = [&] {
    CollectivePlan plan;
    EXPECT_EQ(plan.prepare(all, addresses, {Algorithm::kRing, 1 << 20, 0, rings}), -1);
    for (size_t chunk = 0; chunk < plan.chunks(); ++chunk) plan.run(chunk);
  };
  run();
  EXPECT_EQ(recv, (std::vector<float>{sum(2, 1, 3, 0), sum(1, 3, 0, 2), sum(3, 0, 2, 1), sum(0, 2, 1, 3),
                                      sum(2, 1, 0, 3), sum(1, 0, 3, 2), sum(0, 3, 2, 1), sum(3, 2, 1, 0)}));
  // Rank 2 gets all: in each part the ring begins behind it.
  for (CollectiveTask& task : tasks) {
    task.kind = CollectiveKind::kReduce;
    task.root = 2;
  }
  run();
  EXPECT_EQ(recv, (std::vector<float>{sum(1, 3, 0, 2), sum(1, 3, 0, 2), sum(1, 3, 0, 2), sum(1, 3, 0, 2),
                                      sum(1, 0, 3, 2), sum(1, 0, 3, 2), sum(1, 0, 3, 2), sum(1, 0, 3, 2)}));
  // Each rank gets two elements, of which each ring brings one.
  std::vector<std::vector<float>> parts(4, std::vector<float>(2));
  for (int rank = 0; rank < 4; ++rank) {
    tasks[rank].kind = CollectiveKind::kReduceScatter;
    tasks[rank].count = 2;
    tasks[rank].recv = Buffer(parts[rank].data());
  }
  run();
  EXPECT_EQ(parts[0], (std::vector<float>{sum(2, 1, 3, 0), sum(3, 2, 1, 0)}));
  EXPECT_EQ(parts[1], (std::vector<float>{sum(3, 0, 2, 1), sum(0, 3, 2, 1)}));
  EXPECT_EQ(parts[3], (std::vector<float>{sum(0, 2, 1, 3), sum(2, 1, 0, 3)}));
}

TEST(CollectivePlan, FromEitherEndTheResultIsTheSame) {
  constexpr size_t kCount = 100'003;  // chunks, and what is done forwards of one, are not full at the end
  std::vector<std::vector<float>> send(3, std::vector<float>(kCount)), recv = send;
  for (size_t rank = 0; rank < 3; ++rank) {
    for (size_t i = 0; i < kCount; ++i) send[rank][i] = static_cast<float>((rank + 1) * i);
  }
  OwnAddresses addresses;
  CollectivePlan plan;
  for (const Order order : {Order::kForwards, Order::kBackwards}) {
    std::vector<CollectiveTask> tasks;
    for (size_t rank = 0; rank < 3; ++rank) tasks.push_back(allReduce(send[rank], recv[rank]));
    const std::vector<const CollectiveTask*> all = {&tasks[0], &tasks[1], &tasks[2]};
    ASSERT_EQ(plan.prepare(all, addresses, {Algorithm::kDirect, 0, 150'016}), -1);
    ASSERT_EQ(plan.chunks(), 3);
    for (size_t left = plan.chunks(); left > 0; --left) plan.run(inOrder(order, 0, 3, left), order);
    for (std::vector<float>& result : recv) {
      for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(result[i], static_cast<float>(6 * i)) << i;
      std::fill(result.begin(), result.end(), -1.0f);
    }
  }
}

// Results are built where a rank wants them, unless that is where another rank's are read from.
TEST(CollectivePlan, SomeRanksInPlaceAndOthersNot) {
  constexpr size_t kCount = 10'001;
  for (unsigned inPlace = 0; inPlace < 8; ++inPlace) {
    std::vector<std::vector<float>> send(3, std::vector<float>(kCount)), recv = send;
    std::vector<CollectiveTask> tasks;
    for (size_t rank = 0; rank < 3; ++rank)
      tasks.push_back(allReduce(send[rank], (inPlace >> rank & 1) != 0 ? send[rank] : recv[rank]));
    const std::vector<const CollectiveTask*> all = {&tasks[0], &tasks[1], &tasks[2]};
    OwnAddresses addresses;
    for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kTree}) {
      for (size_t rank = 0; rank < 3; ++rank) {
        for (size_t i = 0; i < kCount; ++i) send[rank][i] = static_cast<float>((rank + 1) * i);
      }
      CollectivePlan plan;
      ASSERT_EQ(plan.prepare(all, addresses, {algorithm, 4096}), -1);
      for (size_t chunk = 0; chunk < plan.chunks(); ++chunk) plan.run(chunk);
      for (size_t rank = 0; rank < 3; ++rank) {
        const std::vector<float>& result = (inPlace >> rank & 1) != 0 ? send[rank] : recv[rank];
        for (size_t i = 0; i < kCount; ++i)
          ASSERT_EQ(result[i], static_cast<float>(6 * i))
              << i << " of rank " << rank << ", in place " << inPlace;
      }
    }
  }
}

TEST(Algorithms, NamesAndNumbers) {
  Algorithm algorithm = Algorithm::kDirect;
  EXPECT_EQ(parseAlgorithms("", "", algorithm), mcclSuccess);
  EXPECT_EQ(algorithm, Algorithm::kDirect);
  EXPECT_EQ(parseAlgorithms("1", "2", algorithm), mcclSuccess);  // as MCCL's documentation has it
  EXPECT_EQ(algorithm, Algorithm::kRing);
  EXPECT_EQ(parseAlgorithms("tree", "Simple,LL", algorithm), mcclSuccess);
  EXPECT_EQ(algorithm, Algorithm::kTree);
  EXPECT_EQ(parseAlgorithms("^Ring", "", algorithm), mcclSuccess);
  EXPECT_EQ(algorithm, Algorithm::kTree);
  EXPECT_EQ(parseAlgorithms("Ring,Tree", "", algorithm), mcclSuccess);
  EXPECT_EQ(algorithm, Algorithm::kDirect);
  EXPECT_EQ(parseAlgorithms("NVLS", "", algorithm), mcclInvalidUsage);
  EXPECT_EQ(parseAlgorithms("Rong", "", algorithm), mcclInvalidUsage);
  EXPECT_EQ(parseAlgorithms("", "9", algorithm), mcclInvalidUsage);
}

}  // namespace
}  // namespace musashim::mccl
