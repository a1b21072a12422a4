// Blocks of an ordinary launch that wait for each other, more of them than there are processors.
#include "../../support.h"

namespace musashim::backend::test {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;

class Turns : public testing::TestWithParam<const char*> {
 protected:
  static std::vector<int64_t> run(Machine& machine, uint32_t blocks, uint32_t rounds,
                                  uint32_t failing = kNobody) {
    int64_t arrived = 0;
    std::vector<int64_t> out(blocks, 0);
    machine.run(GetParam(), TurnParams{&arrived, out.data(), rounds, failing}, {blocks, 1, 1}, {1, 1, 1}, 64);
    return out;
  }
};

TEST_P(Turns, AllBlocksMeet) {
  Machine machine;
  for (uint32_t blocks : {2u, 5u, 40u, 300u, 3u}) {
    EXPECT_EQ(run(machine, blocks, 20), std::vector<int64_t>(blocks, 20));
    EXPECT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
  }
}

TEST_P(Turns, DevicesRunTheirGridsAtTheSameTime) {
  std::vector<std::thread> hosts;
  for (int i = 0; i < 3; ++i) {
    hosts.emplace_back([] {
      Machine machine;
      for (int repeat = 0; repeat < 5; ++repeat)
        EXPECT_EQ(run(machine, 12, 20), std::vector<int64_t>(12, 20));
    });
  }
  for (std::thread& host : hosts) host.join();
}

// Those that wait for the one that fails end, too, and the next grid finds everything in order.
TEST_P(Turns, FaultsEndTheBlocksThatWait) {
  Machine machine;
  for (uint32_t failing : {0u, 7u, 29u}) {
    (void)run(machine, 30, 3, failing);
    const Status fault = machine.device().fault();
    EXPECT_EQ(fault.code(), StatusCode::kIllegalAddress) << fault.message();
    EXPECT_NE(fault.message().find("block [" + std::to_string(failing) + ",0,0]"), std::string::npos)
        << fault.message();
    machine.device().reset();
    EXPECT_EQ(run(machine, 30, 3), std::vector<int64_t>(30, 3));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Turns, testing::Values("turns", "turnsForCount"),
                         [](const auto& info) { return std::string(info.param); });

// As many as a chain of blocks has, one after the other, or all at once.
TEST(TurnsInAChain, BlocksGoOnAsTheirTurnComes) {
  Machine machine;
  std::vector<int64_t> out(5000, 0);
  machine.run("lookBackInTurns", OutParams{out.data(), 5000}, {5000, 1, 1});
  EXPECT_EQ(out, std::vector<int64_t>(5000, 1));
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::vector<int64_t> ahead(500, 0);
    machine.run("lookAheadInTurns", OutParams{ahead.data(), 0}, {500, 1, 1});
    EXPECT_EQ(ahead, std::vector<int64_t>(500, 1));
  }
}

}  // namespace
}  // namespace musashim::backend::test
