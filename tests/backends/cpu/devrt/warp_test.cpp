// Warp operations against a scalar reference written from the CUDA programming guide.
#include <numeric>
#include <random>

#include "../../support.h"

namespace musashim::backend::test {
namespace {

constexpr uint64_t kUntouched = 0xabababababababab;

struct Reference {
  WarpParams p;
  uint32_t warp;  // lanes
  std::vector<uint64_t> in;

  uint32_t threads() const { return static_cast<uint32_t>(in.size()); }
  bool participates(uint32_t t) const {
    return t < threads() && (p.active >> (t % 32)) & 1 && (p.mask >> (t % 32)) & 1;
  }

  // The value of lane `source` of t's warp, t's own if that lane takes no part.
  uint64_t of(uint32_t t, uint32_t source) const {
    uint32_t other = t / warp * warp + source;
    return participates(other) ? in[other] : in[t];
  }

  uint64_t shuffle(uint32_t t) const {
    uint32_t lane = t % warp, width = static_cast<uint32_t>(p.width), begin = lane / width * width;
    uint32_t argument = p.argument;
    switch (p.operation) {
      case kIdx:
        return of(t, begin + argument % width);
      case kUp:
        return lane - begin < argument ? in[t] : of(t, lane - argument);
      case kDown:
        return lane - begin + argument >= width ? in[t] : of(t, lane + argument);
      default: {
        uint32_t source = lane ^ argument;
        return source >= begin + width ? in[t] : of(t, source);
      }
    }
  }

  uint64_t vote(uint32_t t) const {
    uint32_t ballot = 0, same = 0, sameBit = 0, all = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint32_t other = t / 32 * 32 + lane;
      if (!participates(other)) continue;
      all |= 1u << lane;
      if (in[other] & 1) ballot |= 1u << lane;
      if ((in[other] & 3) == (in[t] & 3)) same |= 1u << lane;
      if ((in[other] & 1) == (in[t] & 1)) sameBit |= 1u << lane;
    }
    switch (p.operation) {
      case kBallot:
        return ballot;
      case kAll:
        return ballot == all;
      case kAny:
        return ballot != 0;
      case kMatchAny:
        return same;
      case kMatchAll:
        return sameBit == all ? all | 1ull << 32 : 0;
      default:
        return 0;
    }
  }

  uint64_t operator()(uint32_t t) const {
    if (!((p.active >> (t % 32)) & 1)) return kUntouched;
    return p.operation <= kXor ? shuffle(t) : vote(t);
  }
};

class Warp : public testing::TestWithParam<const char*> {
 protected:
  Warp() : machine(testSettings(1, GetParam())), warp(machine.device().profile().warpSize) {}

  void check(WarpParams p, uint32_t threads) {
    Reference reference{p, warp, std::vector<uint64_t>(threads)};
    for (uint64_t& value : reference.in) value = random();
    std::vector<uint64_t> out(threads, kUntouched);
    p.in = reference.in.data();
    p.out = out.data();
    machine.run("warp", p, {1, 1, 1}, {threads, 1, 1});
    ASSERT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
    for (uint32_t t = 0; t < threads; ++t) {
      ASSERT_EQ(out[t], reference(t)) << "operation " << p.operation << " mask " << std::hex << p.mask
                                      << " active " << p.active << std::dec << " argument " << p.argument
                                      << " width " << p.width << " thread " << t << " of " << threads;
    }
  }

  Machine machine;
  uint32_t warp;
  std::mt19937_64 random{7};
};
INSTANTIATE_TEST_SUITE_P(Profiles, Warp, testing::Values("s4000", "s5000"),
                         [](const auto& info) { return info.param; });

TEST_P(Warp, ShufflesOfFullWarps) {
  for (int operation : {kIdx, kUp, kDown, kXor}) {
    for (uint32_t width = 1; width <= warp; width *= 2) {
      for (uint32_t argument : {0u, 1u, 2u, 5u, 15u, 16u, 31u, 63u, 64u, 127u}) {
        if (operation == kXor && argument >= warp) continue;
        check({operation, ~0u, argument, static_cast<int>(width), ~0u, nullptr, nullptr}, 2 * warp);
      }
    }
  }
}

TEST_P(Warp, MasksDivergenceAndPartialWarps) {
  for (int round = 0; round < 300; ++round) {
    uint32_t mask = static_cast<uint32_t>(random()) | 1u << (random() % 32);
    int operation = static_cast<int>(random() % 10);
    uint32_t width = 1u << (random() % (warp == 128 ? 8 : 6));
    uint32_t argument = static_cast<uint32_t>(random() % (operation == kXor ? warp : 40));
    uint32_t threads = 1 + static_cast<uint32_t>(random() % (2 * warp));
    // Lanes outside the mask leave early: they must not be awaited.
    check({operation, mask, argument, static_cast<int>(width), mask, nullptr, nullptr}, threads);
  }
}

TEST_P(Warp, LanesThatEndedAreNotAwaited) {
  for (int operation = kIdx; operation <= kSync; ++operation) {
    check({operation, ~0u, 1, 32, 0x0f0f00ffu, nullptr, nullptr}, warp);
  }
}

TEST_P(Warp, HalvesAreIndependent) {
  constexpr uint32_t kThreads = 256;
  std::vector<int64_t> out(kThreads);
  machine.run("divergent", OutParams{out.data(), 0}, {1, 1, 1}, {kThreads, 1, 1});
  for (uint32_t half = 0; half < kThreads; half += 16) {
    std::vector<uint64_t> value(16), next(16);
    for (uint32_t i = 0; i < 16; ++i) value[i] = half + i;
    for (int round = 0; round < (half % 32 == 0 ? 7 : 3); ++round) {
      for (uint32_t i = 0; i < 16; ++i) next[i] = value[i] + value[i ^ static_cast<uint32_t>(1 + round % 4)];
      value = next;
    }
    for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(static_cast<uint64_t>(out[half + i]), value[i]) << half + i;
  }
}

TEST_P(Warp, RecordsAreNotOverwrittenWhileRead) {
  constexpr uint32_t kThreads = 128, kRounds = 1001;
  std::vector<int64_t> out(kThreads);
  machine.run("chain", OutParams{out.data(), kRounds}, {1, 1, 1}, {kThreads, 1, 1});
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(out[t], t / 32 * 32 + (t + kRounds) % 32);
}

TEST_P(Warp, ActiveMaskIsWhoGetsThereTogether) {
  constexpr uint32_t kThreads = 64;
  std::vector<int64_t> out(kThreads);
  machine.run("activeMask", OutParams{out.data(), 0}, {1, 1, 1}, {kThreads, 1, 1});
  ASSERT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t group = t / 32 * 32, mask = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((group + lane) % 3 == t % 3) mask |= 1u << lane;
    }
    int64_t leader = group + static_cast<uint32_t>(__builtin_ctz(mask));
    int64_t expected = t % 3 == 0 ? mask : t % 3 == 1 ? (leader << 32 | mask) : 0;
    EXPECT_EQ(out[t], expected) << t;
  }
}

TEST_P(Warp, LanesOutsideTheirMaskTakePartWithEachOther) {
  std::vector<uint64_t> values(32), out(32);
  std::iota(values.begin(), values.end(), 100);
  const uint32_t mask = 0xfffffff8;  // all but lanes 0 to 2
  machine.run("warp", WarpParams{kXor, mask, 1, 32, ~0u, values.data(), out.data()}, {1, 1, 1}, {32, 1, 1});
  ASSERT_TRUE(machine.device().fault().isOk()) << machine.device().fault().message();
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 100 + (t == 2 || t == 3 ? t : t ^ 1)) << t;
}

}  // namespace
}  // namespace musashim::backend::test
