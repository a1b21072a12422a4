// Faults of device code stick to the device and to nothing else.
#include <csignal>

#include "../../support.h"

namespace musashim::backend::test {
namespace {

struct FaultCase {
  const char* name;
  const char* kernel;
  int kind;
  StatusCode code;
  const char* words;
};

void PrintTo(const FaultCase& c, std::ostream* out) { *out << c.name; }

class Fault : public testing::TestWithParam<FaultCase> {};

TEST_P(Fault, SticksUntilReset) {
  const FaultCase& c = GetParam();
  Machine machine(testSettings(2));
  int* other = machine.allocate<int>(1, 1);
  *other = 0;
  EXPECT_TRUE(machine.device(0).fault().isOk());
  for (int round = 0; round < 2; ++round) {
    machine.run(c.kernel, FaultParams{c.kind, 3}, {4, 1, 1}, {32, 1, 1});
    Status fault = machine.device(0).fault();
    EXPECT_EQ(fault.code(), c.code) << fault.message();
    EXPECT_NE(fault.message().find(c.words), std::string::npos) << fault.message();
    // Blocks may run in parallel: any of them can be the first.
    EXPECT_NE(fault.message().find(std::string("kernel ") + c.kernel + " block ["), std::string::npos)
        << fault.message();
    EXPECT_NE(fault.message().find(" thread [3,0,0]: "), std::string::npos) << fault.message();
    // The device runs nothing more, the other one does.
    uint64_t blocks = 0;
    machine.run("count", CountParams{&blocks, nullptr});
    EXPECT_EQ(blocks, 0u);
    machine.run("add", AddParams{other, 1, 1}, {1, 1, 1}, {1, 1, 1}, 0, 1);
    EXPECT_EQ(*other, round + 1);
    EXPECT_TRUE(machine.device(1).fault().isOk());
    machine.device(0).reset();
    EXPECT_TRUE(machine.device(0).fault().isOk());
    machine.run("count", CountParams{&blocks, nullptr}, {8, 1, 1});
    EXPECT_EQ(blocks, 8u);
    // Fibers are usable again.
    int64_t sum = 0;
    machine.run("reduce", OutParams{&sum, 2}, {1, 1, 1}, {32, 1, 1}, 32 * 8);
    EXPECT_EQ(sum, 2 * 31 * 16);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Fault,
    testing::Values(
        FaultCase{"Store", "fault", kStore, StatusCode::kIllegalAddress, "illegal address 0x10"},
        FaultCase{"NonCanonical", "fault", kNonCanonical, StatusCode::kIllegalAddress, "illegal address"},
        FaultCase{"Divide", "fault", kDivide, StatusCode::kArithmeticFault, "division"},
        FaultCase{"Illegal", "fault", kIllegal, StatusCode::kIllegalInstruction, "illegal instruction"},
        FaultCase{"Trap", "fault", kTrapCall, StatusCode::kTrap, "__trap()"},
        FaultCase{"Assert", "fault", kAssertCall, StatusCode::kAssert, "Assertion `i < n` failed"},
        FaultCase{"BadFree", "fault", kBadFree, StatusCode::kIllegalAddress, "free(0x40)"},
        FaultCase{"HostStackOverflow", "fault", kOverflow, StatusCode::kIllegalAddress, "illegal address"},
        FaultCase{"FiberStore", "faultFibers", kStore, StatusCode::kIllegalAddress, "illegal address 0x10"},
        FaultCase{"FiberDivide", "faultFibers", kDivide, StatusCode::kArithmeticFault, "division"},
        FaultCase{"FiberTrap", "faultFibers", kTrapCall, StatusCode::kTrap, "__trap()"},
        FaultCase{"FiberAssert", "faultFibers", kAssertCall, StatusCode::kAssert, "Assertion `i < n` failed"},
        FaultCase{"FiberStackOverflow", "faultFibers", kOverflow, StatusCode::kIllegalAddress,
                  "stack overflow"}),
    [](const auto& info) { return info.param.name; });

TEST(FaultOutput, AssertPrintsAsHardwareDoes) {
  Machine machine;
  testing::internal::CaptureStderr();
  machine.run("faultFibers", FaultParams{kAssertCall, 5}, {1, 1, 1}, {4, 2, 1});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kernel.mu:42: void k(int): block: [0,0,0], thread: [1,1,0] Assertion `i < n` failed.\n");
}

TEST(FaultQueue, PendingCommandsCompleteWithoutRunning) {
  Machine machine(testSettings(2));
  struct Seen {
    int plain = 0, told = 0;
    StatusCode code = StatusCode::kOk;
  } seen;
  SpinFlag flag, otherFlag;
  // Work behind the fault, in the same queue and in one that waits for another device.
  machine.queue(0).submit(machine.launch("spin", flag.params()), {});
  machine.queue(0).submit(machine.launch("fault", FaultParams{kStore, 0}), {});
  machine.queue(0).submit(
      HostCall{[](void* data, const Status&) { ++static_cast<Seen*>(data)->plain; }, &seen, false}, {});
  uint64_t last = machine.queue(0).submit(HostCall{[](void* data, const Status& status) {
                                                     auto* s = static_cast<Seen*>(data);
                                                     ++s->told;
                                                     s->code = status.code();
                                                   },
                                                   &seen, true},
                                          {});
  uint64_t spin =
      machine.queue(1).submit(machine.launch("spin", otherFlag.params(), {1, 1, 1}, {1, 1, 1}, 0, 1), {});
  auto blocked = machine.device(0).createQueue(0);
  std::vector<Fence> waits{{machine.queues[1], spin}};
  uint64_t behind = blocked->submit(Marker{}, waits);
  flag.raise();
  machine.queue(0).wait(last);
  EXPECT_EQ(seen.plain, 0);
  EXPECT_EQ(seen.told, 1);
  EXPECT_EQ(seen.code, StatusCode::kIllegalAddress);
  blocked->wait(behind);  // does not wait for the spinning kernel of the other device
  EXPECT_FALSE(machine.queue(1).isComplete(spin));
  otherFlag.raise();
  machine.queue(1).wait(spin);
}

TEST(FaultQueue, AHostCallFailsItsDevice) {
  Machine machine(testSettings(2));
  machine.queue(1).wait(machine.queue(1).submit(HostCall{[](void* backend, const Status&) {
                                                           static_cast<Backend*>(backend)->failHostCall(
                                                               {StatusCode::kLaunchFailure, "no luck"});
                                                         },
                                                         machine.backend.get(), false},
                                                {}));
  EXPECT_EQ(machine.device(1).fault().code(), StatusCode::kLaunchFailure);
  EXPECT_EQ(machine.device(1).fault().message(), "no luck");
  EXPECT_TRUE(machine.device(0).fault().isOk());
  machine.backend->failHostCall({StatusCode::kLaunchFailure, "outside of calls"});
  EXPECT_TRUE(machine.device(0).fault().isOk());
}

TEST(FaultQueue, TheFirstFaultStays) {
  Machine machine;
  auto other = machine.device().createQueue(0);
  machine.run("fault", FaultParams{kDivide, 0});
  other->wait(other->submit(machine.launch("fault", FaultParams{kStore, 0}), {}));
  EXPECT_EQ(machine.device().fault().code(), StatusCode::kArithmeticFault);
}

TEST(FaultQueue, ResetDropsWorkAndMemory) {
  cpu::Settings settings = testSettings();
  settings.overcommit =
      true;  // the account of the device alone, not what else the machine's memory is used for
  Machine machine(settings);
  SpinFlag flag;
  size_t before = machine.device().memoryInfo().freeBytes;
  machine.allocate<char>(64 << 20);
  machine.queue().submit(machine.launch("spin", flag.params()), {});
  uint64_t blocks = 0;
  machine.queue().submit(machine.launch("count", CountParams{&blocks, nullptr}), {});
  ASSERT_TRUE(eventually([&] { return flag.isStarted(); }));
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    flag.raise();
  });
  machine.device().reset();
  release.join();
  EXPECT_TRUE(flag.isDone()) << "the running kernel ends by itself";
  EXPECT_EQ(blocks, 0u) << "the pending one does not run";
  size_t after = machine.device().memoryInfo().freeBytes;
  EXPECT_EQ(after, before);
}

void exitOnSignal(int) { _exit(42); }

TEST(FaultHost, FaultsOutsideDeviceCodeGoToTheProgram) {
  useFreshChildren();
  EXPECT_EXIT(
      {
        signal(SIGSEGV, exitOnSignal);
        Machine machine;
        machine.run("fault", FaultParams{kStore, 0});  // installs our handlers, and survives
        if (machine.device().fault().code() != StatusCode::kIllegalAddress) _exit(1);
        raise(SIGSEGV);
      },
      testing::ExitedWithCode(42), "");
}

}  // namespace
}  // namespace musashim::backend::test
