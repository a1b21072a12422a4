// Each rule where it applies, and where it just does not.
#include "metrics/advice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace musashim::metrics {
namespace {

class Advices : public ::testing::Test {
 protected:
  Advices() {
    device_.product = "MTT S5000";
    device_.warpSize = 32;
    device_.multiprocessors = 56;
    device_.threads = 2048;
    device_.blocks = 32;
    device_.sharedBytes = 196608;
    kernel_.blocks = kernel_.counted = 1024;
    kernel_.launches.push_back({{1024, 1, 1}, {256, 1, 1}, 0, 1, "MTT S5000"});
    Line line;
    line.file = "k.mu";
    line.number = 7;
    line.classes["fp32"] = {1000, 32000};
    kernel_.lines.push_back(line);
  }

  Line& line() { return kernel_.lines[0]; }
  Launch& launch() { return kernel_.launches[0]; }
  void access(const char* kind, const char* memory, uint64_t parts, uint64_t least, uint64_t serial = 0) {
    line().accesses = {{kind, memory, 4, 100, 3200, parts, least, serial}};
  }
  // The text of the only advice by that rule, empty where it says nothing.
  std::string says(const std::string& rule) const {
    for (const Advice& advice : adviceFor(kernel_, device_))
      if (advice.rule == rule) return advice.text;
    return {};
  }
  size_t count() const { return adviceFor(kernel_, device_).size(); }

  Device device_;
  Kernel kernel_;
};

TEST_F(Advices, SayNothingOfAGoodKernel) {
  access("read", "device", 400, 400);
  EXPECT_EQ(count(), 0u);
}

TEST_F(Advices, Divergence) {
  line().classes["fp32"] = {1000, 8000};
  EXPECT_EQ(says("divergence"), "8.0 of 32 lanes are active");
  line().classes["fp32"] = {1000, 25000};
  EXPECT_EQ(says("divergence"), "");
}

TEST_F(Advices, DivergenceIsNotThatABlockIsSmallerThanAWarp) {
  launch().block = {16, 1, 1};
  line().classes["fp32"] = {1000, 16000};
  EXPECT_EQ(says("divergence"), "");
}

TEST_F(Advices, Uncoalesced) {
  access("write", "device", 3200, 400);
  EXPECT_EQ(says("uncoalesced"), "each warp's write touches 32.0 sectors of 32 bytes, 4.0 would do");
  access("write", "device", 500, 400);
  EXPECT_EQ(says("uncoalesced"), "");
}

TEST_F(Advices, BankConflicts) {
  access("read", "shared", 3200, 100);
  EXPECT_EQ(says("bank-conflicts"), "shared memory serves each warp's read in 32.0 turns, 1.0 would do");
  access("read", "shared", 110, 100);
  EXPECT_EQ(says("bank-conflicts"), "");
}

TEST_F(Advices, SerialAtomics) {
  access("atomic", "device", 100, 100, 3100);
  EXPECT_EQ(says("serial-atomics"), "31.0 lanes of each warp wait for others at the same address");
  access("atomic", "device", 400, 400, 300);
  EXPECT_EQ(says("serial-atomics"), "");
}

TEST_F(Advices, LocalMemory) {
  access("read", "local", 400, 400);
  EXPECT_EQ(says("local-memory"), "100 reads of a thread's own arrays, which are in memory");
  line().classes["fp32"] = {10000, 320000};
  EXPECT_EQ(says("local-memory"), "");
}

TEST_F(Advices, PartialWarps) {
  launch().block = {100, 1, 1};
  EXPECT_EQ(says("partial-warps"), "blocks of 100 threads leave 28 lanes of their last warp idle");
  launch().block = {96, 1, 1};
  EXPECT_EQ(says("partial-warps"), "");
}

TEST_F(Advices, SmallGrid) {
  launch().grid = {16, 2, 1};
  EXPECT_EQ(says("small-grid"), "a grid of 32 blocks leaves 24 of 56 multiprocessors idle");
  launch().grid = {56, 1, 1};
  EXPECT_EQ(says("small-grid"), "");
}

TEST_F(Advices, Tail) {
  launch().grid = {448 + 40, 1, 1};  // 8 blocks fit each of 56 multiprocessors
  EXPECT_EQ(says("tail"), "the last of 2 waves has 40 of the 448 blocks that fit the device");
  launch().grid = {448 + 300, 1, 1};
  EXPECT_EQ(says("tail"), "");
  launch().grid = {448 * 4 + 40, 1, 1};
  EXPECT_EQ(says("tail"), "");
}

TEST_F(Advices, Occupancy) {
  launch().sharedBytes = 65536;
  EXPECT_EQ(says("occupancy"), "24 of 64 warps fit a multiprocessor, limited by shared memory");
  launch().sharedBytes = 49152;
  EXPECT_EQ(says("occupancy"), "");
}

TEST_F(Advices, EachRuleIsTestedHere) { EXPECT_EQ(adviceRules().size(), 9u); }

}  // namespace
}  // namespace musashim::metrics
