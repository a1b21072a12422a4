// Ranks meeting by unique id, without devices.
#include "mccl/bootstrap/meeting.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "mccl/bootstrap/unique_id.h"
#include "mccl/comm/config.h"
#include "mccl/comm/registry.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

std::shared_ptr<Member> memberOn(int device) { return std::make_shared<Member>(device, CommOptions{}); }

TEST(Meeting, LastRankDecides) {
  Meeting meeting(2);
  auto first = memberOn(0), second = memberOn(1);
  ASSERT_EQ(meeting.join(1, {second, 0, 1}), mcclSuccess);
  EXPECT_EQ(second->state(), mcclInProgress);
  ASSERT_EQ(meeting.join(0, {first, 0, 0}), mcclSuccess);
  EXPECT_EQ(first->state(), mcclSuccess);
  EXPECT_EQ(second->rank(), 1);
  EXPECT_EQ(first->ranks(), 2);
}

TEST(Meeting, SharedDeviceIsInvalidUsageForAll) {
  Meeting meeting(2);
  auto first = memberOn(3), second = memberOn(3);
  (void)meeting.join(0, {first, 0, 0});
  (void)meeting.join(1, {second, 0, 1});
  EXPECT_EQ(first->state(), mcclInvalidUsage);
  EXPECT_EQ(second->state(), mcclInvalidUsage);
  EXPECT_NE(lastError().find("rank 0 and rank 1 both on MUSA device 3"), std::string::npos) << lastError();
}

TEST(Meeting, RankThatIsTakenIsRefused) {
  Meeting meeting(2);
  auto first = memberOn(0), again = memberOn(1);
  (void)meeting.join(0, {first, 0, 0});
  EXPECT_EQ(meeting.join(0, {again, 0, 0}), mcclInvalidUsage);
  EXPECT_EQ(again->state(), mcclInvalidUsage);
  EXPECT_EQ(first->state(), mcclInProgress);
}

TEST(Meeting, CancelRejectsThoseWhoWaitAndThoseWhoCome) {
  Meeting meeting(2);
  auto first = memberOn(0), late = memberOn(1);
  (void)meeting.join(0, {first, 0, 0});
  std::thread waiting([&] { meeting.wait(); });
  meeting.cancel(mcclRemoteError);
  waiting.join();
  EXPECT_EQ(first->state(), mcclRemoteError);
  EXPECT_EQ(meeting.join(1, {late, 0, 1}), mcclRemoteError);
}

TEST(Meeting, ColoursFormCommunicatorsOrderedByKey) {
  Meeting meeting(4);
  std::shared_ptr<Member> members[4];
  for (int i = 0; i < 4; ++i) {
    members[i] = memberOn(i);
    const int color = i == 3 ? MCCL_SPLIT_NOCOLOR : i % 2;
    (void)meeting.join(i, {members[i], color, -i});
  }
  EXPECT_EQ(members[0]->rank(), 1);  // keys 0 and -2 in colour 0
  EXPECT_EQ(members[2]->rank(), 0);
  EXPECT_EQ(members[1]->ranks(), 1);
  EXPECT_FALSE(members[3]->isReady());
  EXPECT_EQ(members[3]->state(), mcclSuccess);
}

// A rank of another process, without the process.
class Visitor final : public Party {
 public:
  const RankInfo& info() const override { return info_; }
  bool comesBySocket() const override { return true; }
  void admit(const Admission&) override { isAdmitted_ = true; }
  void reject(mcclResult_t, const std::string&) override { isRejected_ = true; }

  bool isAdmitted() const { return isAdmitted_; }
  bool isRejected() const { return isRejected_; }

 private:
  RankInfo info_ = [] {
    RankInfo info = ownInfo(7, "");
    info.process = randomBytes();
    return info;
  }();
  bool isAdmitted_ = false, isRejected_ = false;
};

// A meeting of a rank of this process and one of another, which have met.
struct MeetingWithVisitor : testing::Test {
  void SetUp() override {
    ASSERT_EQ(meeting_->join(0, {member_, 0, 0}), mcclSuccess);
    member_->setMeeting(meeting_);
    ASSERT_EQ(meeting_->join(1, {visitor_, 0, 1}), mcclSuccess);
    EXPECT_TRUE(visitor_->isAdmitted());
  }

  std::shared_ptr<Meeting> meeting_ = std::make_shared<Meeting>(2);
  std::shared_ptr<Member> member_ = memberOn(0);
  std::shared_ptr<Visitor> visitor_ = std::make_shared<Visitor>();
};

TEST_F(MeetingWithVisitor, ThisProcessIsNeededUntilTheVisitorHasLeft) {
  EXPECT_EQ(member_->state(), mcclInProgress);
  meeting_->leave("it has all it needs, or has died");
  EXPECT_EQ(member_->met(), mcclSuccess);
}

TEST_F(MeetingWithVisitor, AbortWaitsForNoVisitor) {
  std::thread abort([&] { member_->abort(); });
  abort.join();
  EXPECT_EQ(member_->met(), mcclSuccess);
  meeting_->leave("late");
}

TEST(Meeting, VisitorThatLeavesBeforeAllHaveMetEndsIt) {
  Meeting meeting(2);
  auto visitor = std::make_shared<Visitor>();
  auto late = memberOn(0);
  ASSERT_EQ(meeting.join(1, {visitor, 0, 1}), mcclSuccess);
  meeting.leave("it has died");
  EXPECT_TRUE(visitor->isRejected());
  EXPECT_EQ(meeting.join(0, {late, 0, 0}), mcclRemoteError);
  EXPECT_EQ(late->state(), mcclRemoteError);
}

TEST(UniqueId, AnotherRankCountIsInvalidUsageForBoth) {
  mcclUniqueId id;
  ASSERT_EQ(makeUniqueId(id), mcclSuccess);
  std::shared_ptr<Meeting> meeting, other;
  ASSERT_EQ(meetingOf(id, 2, meeting), mcclSuccess);
  auto first = memberOn(0);
  (void)meeting->join(0, {first, 0, 0});
  EXPECT_EQ(meetingOf(id, 3, other), mcclInvalidUsage);
  EXPECT_EQ(first->state(), mcclInvalidUsage);
}

TEST(UniqueId, UsedIdIsInvalidUsage) {
  mcclUniqueId id;
  ASSERT_EQ(makeUniqueId(id), mcclSuccess);
  std::shared_ptr<Meeting> meeting;
  ASSERT_EQ(meetingOf(id, 1, meeting), mcclSuccess);
  (void)meeting->join(0, {memberOn(0), 0, 0});
  EXPECT_EQ(meetingOf(id, 1, meeting), mcclInvalidUsage);
  mcclUniqueId another;  // making one sweeps the table
  ASSERT_EQ(makeUniqueId(another), mcclSuccess);
  EXPECT_EQ(meetingOf(id, 1, meeting), mcclInvalidUsage);
  EXPECT_NE(lastError().find("already used"), std::string::npos);
}

TEST(UniqueId, GarbageIsInvalidArgument) {
  mcclUniqueId id;
  std::memset(&id, 0x41, sizeof id);
  std::shared_ptr<Meeting> meeting;
  EXPECT_EQ(meetingOf(id, 2, meeting), mcclInvalidArgument);
}

TEST(UniqueId, ForgedSecretIsRefused) {
  mcclUniqueId id;
  ASSERT_EQ(makeUniqueId(id), mcclSuccess);
  id.internal[8] ^= 1;
  std::shared_ptr<Meeting> meeting;
  EXPECT_EQ(meetingOf(id, 2, meeting), mcclInvalidUsage);
}

TEST(UniqueId, AnotherProcessGetsAnErrorAndDoesNotHang) {
  mcclUniqueId id;
  ASSERT_EQ(makeUniqueId(id), mcclSuccess);
  const pid_t child = fork();
  if (child == 0) {
    std::shared_ptr<Meeting> meeting;
    const bool refused = meetingOf(id, 2, meeting) == mcclInvalidUsage;
    const bool explained =
        lastError().find("made by process " + std::to_string(getppid())) != std::string::npos;
    _exit(refused && explained ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(UniqueId, NoneIsMadeForOthersWithoutAnInterface) {
  const pid_t child = fork();
  if (child == 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) _exit(2);  // here no interface is up
    mcclUniqueId id;
    const bool refused = makeUniqueId(id) != mcclSuccess;
    const bool explained = lastError().find("no socket interface found") != std::string::npos &&
                           lastError().find("MCCL_SOCKET_IFNAME") != std::string::npos;
    const bool mayMakeItsOwn = makeUniqueId(id, false) == mcclSuccess;
    _exit(refused && explained && mayMakeItsOwn ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "a network of one's own may not be made here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Registry, DeadHandlesAreNotFound) {
  mcclComm_t comm = registerComm(memberOn(0));
  EXPECT_NE(findComm(comm), nullptr);
  EXPECT_NE(releaseComm(comm), nullptr);
  EXPECT_EQ(findComm(comm), nullptr);
  EXPECT_EQ(releaseComm(comm), nullptr);
}

TEST(Config, OlderAndShorterConfigKeepsTheRestUndefined) {
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.size = offsetof(mcclConfig_t, netName);
  config.blocking = 0;
  config.splitShare = 77;  // beyond what this caller's header knew: not read
  CommOptions options;
  EXPECT_EQ(parseConfig(&config, options), mcclSuccess);
  EXPECT_FALSE(options.blocking);
}

TEST(Config, ValuesOutOfRangeAreInvalidArguments) {
  CommOptions options;
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 2;
  EXPECT_EQ(parseConfig(&config, options), mcclInvalidArgument);
  config = MCCL_CONFIG_INITIALIZER;
  config.minCTAs = 5;
  config.maxCTAs = 4;
  EXPECT_EQ(parseConfig(&config, options), mcclInvalidArgument);
  config = MCCL_CONFIG_INITIALIZER;
  config.magic = 1;
  EXPECT_EQ(parseConfig(&config, options), mcclInvalidArgument);
  EXPECT_EQ(parseConfig(nullptr, options), mcclSuccess);
}

TEST(UserReductions, HandlesOfAnotherCommunicatorAreUnknown) {
  UserReductions ours, theirs;
  const mcclRedOp_t op = ours.add({mcclInt32, 5, nullptr});
  UserReduction found;
  EXPECT_GE(static_cast<int>(op), static_cast<int>(mcclNumOps));
  EXPECT_TRUE(ours.find(op, found));
  EXPECT_EQ(found.factor, 5u);
  EXPECT_FALSE(theirs.find(op, found));
  EXPECT_FALSE(theirs.remove(op));
  EXPECT_TRUE(ours.remove(op));
  EXPECT_FALSE(ours.find(op, found));
  EXPECT_FALSE(ours.remove(mcclSum));
}

}  // namespace
}  // namespace musashim::mccl
