// What is told about communicators, and to whom.
#include "mccl/watch/ras.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "../engine/clique_calls.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/comm/communicator.h"

namespace musashim::mccl {
namespace {

using testing::HasSubstr;
using testing::Not;

std::shared_ptr<Communicator> makeCommunicator(int ranks) {
  Roster roster{randomBytes(), randomBytes(), {}};
  for (int rank = 0; rank < ranks; ++rank) roster.ranks.push_back(ownInfo(rank, ""));
  return Communicator::findOrMake(roster, Segment::create(ranks, false));
}

TEST(Ras, NamesWhoWaitsForWhomInWhichCall) {
  const auto communicator = makeCommunicator(3);
  EXPECT_THAT(rasReport(false), HasSubstr("3 ranks  in step\n"));
  std::vector<float> data(5);
  for (const int rank : {0, 2}) communicator->clique().arrive(rank, 0, allReduce(data, data));
  const std::string report = rasReport(false);
  EXPECT_THAT(report, HasSubstr("3 ranks  waits for rank 1\n"));
  EXPECT_THAT(report, HasSubstr("rank 2  process "));
  EXPECT_THAT(report, HasSubstr("1 collectives, waits in AllReduce(count 5, float, sum) for rank 1\n"));
  EXPECT_THAT(report, Not(HasSubstr("rank 1  process"))) << "nothing to say of it";
  EXPECT_THAT(rasReport(true), HasSubstr("rank 1  process"));
}

TEST(Ras, RanksThatAreAheadByMoreWaitForThoseWhoHaveNotCome) {
  const auto communicator = makeCommunicator(3);
  std::vector<float> data(5), other(6);
  communicator->clique().arrive(0, 0, allReduce(data, data));
  communicator->clique().arrive(0, 1, allReduce(other, other));
  communicator->clique().arrive(2, 0, allReduce(data, data));
  const std::string report = rasReport(false);
  EXPECT_THAT(report, HasSubstr("3 ranks  waits for rank 1\n"));
  EXPECT_THAT(report, HasSubstr("2 collectives, waits in AllReduce(count 5, float, sum) for rank 1\n"));
  EXPECT_THAT(report, HasSubstr("1 collectives, waits in AllReduce(count 5, float, sum) for rank 1\n"));
  EXPECT_EQ(communicator->clique().waitsInCollective(0, 1), "AllReduce(count 5, float, sum)");
  EXPECT_EQ(communicator->clique().waitsInCollective(0, 2), "AllReduce(count 6, float, sum)");
}

TEST(Ras, NamesWhoIsStillAtWorkInACallThatAllHaveComeTo) {
  const auto communicator = makeCommunicator(2);
  std::vector<float> data(5);
  for (const int rank : {0, 1}) communicator->clique().arrive(rank, 0, allReduce(data, data));
  EXPECT_THAT(rasReport(false), HasSubstr("2 ranks  in step\n"));
  // As it would be were rank 1 stopped within its share of the work.
  const Segment& segment = communicator->clique().segment();
  segment.rank(1).workers.store(1);
  EXPECT_THAT(rasReport(false), HasSubstr("2 ranks  waits for rank 1\n"));
  EXPECT_THAT(rasReport(false), HasSubstr("waits in AllReduce(count 5, float, sum) for rank 1\n"));
  segment.rank(1).workers.store(0);
}

TEST(Ras, TellsErrorsAndTheDead) {
  const auto communicator = makeCommunicator(2);
  communicator->clique().noteDeath(1);
  communicator->clique().fail(mcclRemoteError, "somebody pulled the plug");
  EXPECT_THAT(rasReport(false), HasSubstr("failed: somebody pulled the plug"));
  EXPECT_THAT(rasReport(false), HasSubstr("0 collectives, has died"));
}

TEST(Ras, ForgetsCommunicatorsThatHaveEnded) {
  makeCommunicator(2).reset();
  EXPECT_EQ(rasReport(true), "");
}

TEST(Ras, AnswersAtTheDoorOfTheProcess) {
  const auto communicator = makeCommunicator(4);
  Fd socket;
  for (int attempt = 0; !socket && attempt < 500; ++attempt) {
    socket = connectToDoor(rasDoorOf(getpid()));
    if (!socket) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(socket);
  const std::string request = "STATUS\n", expected = rasReport(false);
  ASSERT_TRUE(sendAll(socket.get(), request.data(), request.size()));
  std::string answer(expected.size(), ' ');
  ASSERT_TRUE(receiveAll(socket.get(), answer.data(), answer.size(), [] { return true; }));
  EXPECT_EQ(answer, expected);
}

}  // namespace
}  // namespace musashim::mccl
