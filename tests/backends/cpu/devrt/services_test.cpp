// Output, heap and time of device code.
#include "../../support.h"

namespace musashim::backend::test {
namespace {

TEST(Printf, ComesInOrderWhenFlushed) {
  Machine machine;
  int64_t result = 0;
  testing::internal::CaptureStdout();
  machine.run("print", OutParams{&result, 0}, {1, 1, 1}, {3, 1, 1});
  machine.run("print", OutParams{&result, 0}, {1, 1, 1}, {1, 2, 1});
  fflush(stdout);
  printf("host\n");
  machine.device().flushPrintf();
  machine.device().flushPrintf();  // nothing is left
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "host\n"
            "b0 t0 text  1.50%\nb0 t1 text  1.50%\nb0 t2 text  1.50%\n"
            "b0 t0 text  1.50%\nb0 t1 text  1.50%\n");
  EXPECT_EQ(result, 4) << "printf returns the number of its arguments";
}

TEST(Printf, DropsTheOldestWhenFull) {
  cpu::Settings settings = testSettings();
  settings.printfBytes = 4096;
  Machine machine(settings);
  constexpr uint32_t kLines = 1000;
  testing::internal::CaptureStdout();
  machine.run("printMany", OutParams{nullptr, kLines});
  machine.device().flushPrintf();
  std::string text = testing::internal::GetCapturedStdout();
  constexpr size_t kLine = sizeof "line 000000\n" - 1, kHeld = 4096 / (kLine + 4);
  ASSERT_EQ(text.size(), kHeld * kLine);
  for (size_t i = 0; i < kHeld; ++i) {
    char expected[32];
    snprintf(expected, sizeof expected, "line %06zu\n", kLines - kHeld + i);
    EXPECT_EQ(text.substr(i * kLine, kLine), expected);
  }
}

TEST(Heap, IsBoundedAndGivesBack) {
  cpu::Settings settings = testSettings();
  settings.heapBytes = 64 << 10;
  Machine machine(settings);
  for (uint32_t bytes : {16u, 100u, 1000u, 40000u, 65536u}) {
    int64_t out[2] = {};
    machine.run("heap", OutParams{out, bytes});
    EXPECT_EQ(out[0], (64 << 10) / ((bytes + 15) / 16 * 16)) << bytes;
    EXPECT_EQ(out[1], out[0]) << bytes;
  }
  int64_t out[2] = {};
  machine.run("heap", OutParams{out, 65537});
  EXPECT_EQ(out[0], 0);
}

TEST(Time, ClockRunsAtTheProfilesRate) {
  for (const char* profile : {"s4000", "s5000"}) {
    Machine machine(testSettings(1, profile));
    int64_t out[2] = {};
    constexpr uint32_t kSleep = 500'000;
    machine.run("time", OutParams{out, kSleep});
    EXPECT_GE(out[0], kSleep);
    double seconds = static_cast<double>(out[0]) * 1e-9;
    double cycles = static_cast<double>(out[1]);
    double rate = machine.device().profile().clockKHz * 1e3;
    // The two clocks were read one after the other: cycles lie inside.
    EXPECT_LE(cycles, rate * seconds + 1);
    EXPECT_GE(cycles, rate * 0.0005 - 1);
  }
}

TEST(Time, SleepersLetOthersRun) {
  Machine machine;
  int64_t out[2] = {};
  machine.run("sleep", OutParams{out, 0}, {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(out[1], 1);
}

}  // namespace
}  // namespace musashim::backend::test
