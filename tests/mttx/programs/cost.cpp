// What a range costs where nobody looks: nanoseconds of the processor's time for a push and a pop.
#include <mttx3/mtToolsExt.h>
#include <musa_runtime_api.h>

#include <cstdio>
#include <ctime>

int main() {
  musaFree(nullptr);
  constexpr int kTimes = 20'000'000;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < kTimes; ++i) {
    mttxRangePushA("name");
    mttxRangePop();
    asm volatile("" ::: "memory");
  }
  std::printf("%.3f\n", static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kTimes * 1e9);
}
