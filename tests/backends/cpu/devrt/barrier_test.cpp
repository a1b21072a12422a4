// Barriers of a block.
#include "../../support.h"

namespace musashim::backend::test {
namespace {

class Barrier : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Profiles, Barrier, testing::Values("s4000", "s5000"),
                         [](const auto& info) { return info.param; });

TEST_P(Barrier, InLoops) {
  Machine machine(testSettings(1, GetParam()));
  for (uint32_t threads : {1u, 2u, 32u, 64u, 256u, 1024u}) {
    constexpr uint32_t kBlocks = 3, kRounds = 5;
    int64_t sums[kBlocks] = {};
    machine.run("reduce", OutParams{sums, kRounds}, {kBlocks, 1, 1}, {threads, 1, 1}, threads * 8);
    for (int64_t sum : sums) EXPECT_EQ(sum, int64_t{kRounds} * threads * (threads - 1) / 2) << threads;
  }
  EXPECT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
}

TEST_P(Barrier, BlocksOfThreeDimensions) {
  Machine machine(testSettings(1, GetParam()));
  int64_t sums[8] = {};
  machine.run("reduce", OutParams{sums, 1}, {2, 2, 2}, {4, 4, 4}, 64 * 8);
  for (int64_t sum : sums) EXPECT_EQ(sum, 64 * 63 / 2);
}

TEST_P(Barrier, ThreadsThatLeftAreNotAwaited) {
  Machine machine(testSettings(1, GetParam()));
  for (uint32_t stay : {1u, 7u, 32u, 33u, 100u}) {
    std::vector<int64_t> out(128, -1);
    machine.run("earlyExit", OutParams{out.data(), stay}, {1, 1, 1}, {128, 1, 1});
    ASSERT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
    for (uint32_t t = 0; t < 128; ++t) {
      // count of even threads, then and = 1, or = 1, and = 0
      EXPECT_EQ(out[t], t < stay ? int64_t{(stay + 1) / 2 * 1000 + 110} : -1) << stay << " " << t;
    }
  }
}

TEST(BarrierDeadlock, NamesWhoWaitsWhere) {
  Machine machine;
  machine.run("deadlock", OutParams{nullptr, 0}, {1, 1, 1}, {32, 1, 1});
  Status fault = machine.device().fault();
  EXPECT_EQ(fault.code(), StatusCode::kDeadlock);
  EXPECT_NE(fault.message().find("16 wait at __syncthreads"), std::string::npos) << fault.message();
  EXPECT_NE(fault.message().find("16 wait in a warp operation of threads 0..31 with mask 0xffffffff"),
            std::string::npos)
      << fault.message();
  machine.device().reset();
  machine.run("deadlock", OutParams{nullptr, 1}, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(machine.device().fault().code(), StatusCode::kDeadlock);
  machine.device().reset();
  int64_t sum = 0;
  machine.run("reduce", OutParams{&sum, 1}, {1, 1, 1}, {64, 1, 1}, 64 * 8);
  EXPECT_EQ(sum, 64 * 63 / 2);
}

TEST(BarrierDeadlock, WideWarpsDoNotWaitForLanesAtTheBarrier) {
  Machine machine(testSettings(1, "s4000"));
  machine.run("deadlock", OutParams{nullptr, 0}, {1, 1, 1}, {128, 1, 1});
  EXPECT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
}

}  // namespace
}  // namespace musashim::backend::test
