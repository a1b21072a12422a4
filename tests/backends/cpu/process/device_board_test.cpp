// The board of the processes that share devices. Two boards of one process stand for two processes.
#include "cpu/process/device_board.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace musashim::backend::cpu {
namespace {

class Board : public testing::Test {
 protected:
  const std::string session = "board-test-" + std::to_string(getpid());
  const std::string machine = session + "/s4000";
  std::unique_ptr<DeviceBoard> a = DeviceBoard::join(machine, 2);
  std::unique_ptr<DeviceBoard> b = DeviceBoard::join(machine, 4);
};

TEST_F(Board, ShowsWhatEachProcessHasOfADevice) {
  ASSERT_TRUE(a->claim(0, 100, 1000));
  ASSERT_TRUE(b->claim(0, 30, 1000));
  ASSERT_TRUE(b->claim(3, 7, 1000));
  EXPECT_EQ(a->usedBytes(0), 130u);
  EXPECT_EQ(a->usedBytes(1), 0u);
  ASSERT_EQ(a->processesOn(0).size(), 2u);
  EXPECT_EQ(a->processesOn(0)[0].process, getpid());
  EXPECT_EQ(a->processesOn(0)[0].bytes, 100u);
  EXPECT_EQ(a->processesOn(0)[1].bytes, 30u);
  ASSERT_EQ(a->processesOn(3).size(), 1u);
  EXPECT_FALSE(a->claim(0, 900, 1000));
  b.reset();
  EXPECT_EQ(a->usedBytes(0), 100u);
  EXPECT_TRUE(a->processesOn(3).empty());
}

TEST_F(Board, ShowsProcessesWithContextsAlone) {
  EXPECT_TRUE(b->processesOn(1).empty());
  a->setPresent(1, true);
  ASSERT_EQ(b->processesOn(1).size(), 1u);
  EXPECT_EQ(b->processesOn(1)[0].bytes, 0u);
  a->setPresent(1, false);
  EXPECT_TRUE(b->processesOn(1).empty());
}

TEST_F(Board, ShowsOnWhichDevicesKernelsRun) {
  EXPECT_EQ(b->runningDevices(), 0u);
  a->runningOn(0).store(1);
  a->runningOn(7).store(4);
  b->runningOn(2).store(3);
  EXPECT_EQ(b->runningDevices(), 0b1101u);
  a->runningOn(7).store(0);
  EXPECT_EQ(b->runningDevices(), 0b101u);
  a->runningOn(DeviceBoard::kQueues).store(6);  // has no place on the board
  EXPECT_EQ(b->runningDevices(), 0b101u);
  a.reset();
  EXPECT_EQ(b->runningDevices(), 0b100u);
}

TEST_F(Board, IsListedWhileAProcessHasIt) {
  const auto find = [&] {
    const std::vector<RunningMachine> all = DeviceBoard::running();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.session == session; });
    return found == all.end() ? RunningMachine{} : *found;
  };
  EXPECT_EQ(find().product, "s4000");
  EXPECT_EQ(find().processes, 2u);
  EXPECT_EQ(find().devices, 4u);
  b.reset();
  EXPECT_EQ(find().devices, 2u);
  a.reset();
  EXPECT_EQ(find().processes, 0u);
}

TEST(BoardOfOne, ShowsThisProcess) {
  const auto board = DeviceBoard::join("", 1);
  ASSERT_TRUE(board->claim(0, 5, 10));
  ASSERT_EQ(board->processesOn(0).size(), 1u);
  EXPECT_EQ(board->processesOn(0)[0].process, getpid());
  board->runningOn(1).store(1);
  EXPECT_EQ(board->runningDevices(), 1u);
}

}  // namespace
}  // namespace musashim::backend::cpu
