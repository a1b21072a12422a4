// Blocks of a cooperative launch wait for each other.
#include "../../support.h"

namespace musashim::backend::test {
namespace {

struct GridRun {
  Status fault;
  std::vector<int64_t> out;
};

GridRun runGrid(Machine& machine, const char* kernel, MusaDim3 grid, uint32_t rounds, int kind = kGridSound,
                bool cooperative = true, uint32_t threads = 32) {
  const size_t blocks = size_t{grid.x} * grid.y * grid.z;
  std::vector<int64_t> parts(blocks, 0);
  GridRun run{{}, std::vector<int64_t>(blocks, -1)};
  KernelLaunch launch = machine.launch(kernel, GridParams{parts.data(), run.out.data(), rounds, kind}, grid,
                                       {threads, 1, 1}, 64);
  launch.cooperative = cooperative;
  machine.queue().wait(machine.queue().submit(std::move(launch), {}));
  run.fault = machine.device().fault();
  return run;
}

std::vector<int64_t> expected(uint32_t blocks, uint32_t rounds) {
  int64_t sum = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    int64_t parts = 0;
    for (uint32_t block = 0; block < blocks; ++block) parts += sum % 1000 + block + round;
    sum += parts;
  }
  return std::vector<int64_t>(blocks, sum);
}

class GridBarrier : public testing::TestWithParam<const char*> {};

TEST_P(GridBarrier, AllBlocksSeeWhatAllWrote) {
  Machine machine;
  for (MusaDim3 grid : {MusaDim3{1, 1, 1}, {2, 1, 1}, {3, 2, 2}, {64, 1, 1}, {300, 1, 1}, {2, 1, 1}}) {
    const GridRun run = runGrid(machine, GetParam(), grid, 7);
    EXPECT_TRUE(run.fault.isOk()) << run.fault.message();
    EXPECT_EQ(run.out, expected(grid.x * grid.y * grid.z, 7));
  }
}

TEST_P(GridBarrier, DevicesRunTheirGridsAtTheSameTime) {
  std::vector<std::thread> hosts;
  for (int i = 0; i < 3; ++i) {
    hosts.emplace_back([] {
      Machine machine;
      for (int round = 0; round < 5; ++round) {
        EXPECT_EQ(runGrid(machine, GetParam(), {9, 1, 1}, 20).out, expected(9, 20));
      }
    });
  }
  for (std::thread& host : hosts) host.join();
}

// Whatever ends a grid, the next one finds everything in order.
TEST_P(GridBarrier, FaultsEndAllBlocks) {
  const struct {
    int kind;
    StatusCode code;
    const char* words;
  } faults[] = {{kGridOneEnds, StatusCode::kDeadlock, "of 5 blocks 1 have ended; 4 wait for the grid"},
                {kGridTrap, StatusCode::kTrap, "block [1,0,0]"},
                {kGridStore, StatusCode::kIllegalAddress, "illegal address 0x10"},
                {kGridOverflow, StatusCode::kIllegalAddress, "stack overflow"}};
  Machine machine;
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (const auto& fault : faults) {
      const GridRun run = runGrid(machine, GetParam(), {5, 1, 1}, 3, fault.kind);
      EXPECT_EQ(run.fault.code(), fault.code) << run.fault.message();
      EXPECT_NE(run.fault.message().find(fault.words), std::string::npos) << run.fault.message();
      EXPECT_NE(run.fault.message().find(GetParam()), std::string::npos) << run.fault.message();
      machine.device().reset();
      EXPECT_EQ(runGrid(machine, GetParam(), {6, 1, 1}, 4).out, expected(6, 4));
      uint64_t blocks = 0;
      machine.run("count", CountParams{&blocks, nullptr}, {8, 1, 1});
      EXPECT_EQ(blocks, 8u);
    }
  }
}

TEST_P(GridBarrier, NeedsACooperativeLaunch) {
  Machine machine;
  for (uint32_t blocks : {1u, 4u}) {
    const GridRun run = runGrid(machine, GetParam(), {blocks, 1, 1}, 1, kGridSound, /*cooperative=*/false);
    EXPECT_EQ(run.fault.code(), StatusCode::kTrap);
    EXPECT_NE(run.fault.message().find("not launched cooperatively"), std::string::npos)
        << run.fault.message();
    machine.device().reset();
  }
  EXPECT_EQ(runGrid(machine, GetParam(), {4, 1, 1}, 2).out, expected(4, 2));
}

INSTANTIATE_TEST_SUITE_P(All, GridBarrier, testing::Values("grid", "gridFibers"),
                         [](const auto& info) { return std::string(info.param); });

TEST(GridBarrierFibers, MeetsABarrierOfTheBlock) {
  Machine machine;
  const GridRun run = runGrid(machine, "gridFibers", {4, 1, 1}, 5, kGridNoBarrier);
  EXPECT_TRUE(run.fault.isOk()) << run.fault.message();
  EXPECT_EQ(run.out, expected(4, 5));
}

TEST(GridBarrierImage, MustTellOfIt) {
  Machine machine;
  const GridRun run = runGrid(machine, "gridUntold", {4, 1, 1}, 2);
  EXPECT_EQ(run.fault.code(), StatusCode::kLaunchFailure);
  EXPECT_NE(run.fault.message().find("does not tell"), std::string::npos) << run.fault.message();
}

}  // namespace
}  // namespace musashim::backend::test
