// What the emulator does for a collective, and figures that are found out from measurements.
#include <random>

#include "mccl/sim/emulator/figures.h"
#include "support.h"

namespace musashim::mccl::sim {
namespace {

double itemOf(const Work& work, Item item) { return work[static_cast<size_t>(item)]; }

TEST(Emulator, CountsWhatLibmcclDoes) {
  Way way = Way::kRing;
  // 4 ranks of one host: each reads all four parts of its share and writes it to all four.
  const Work inside = workOf({CollectiveKind::kAllReduce, 4, 1, 1 << 20}, 1e9, way);
  EXPECT_EQ(itemOf(inside, Item::kTurn), 4);
  EXPECT_EQ(itemOf(inside, Item::kTraffic), 8 << 20);
  EXPECT_EQ(itemOf(inside, Item::kMessage), 0);
  EXPECT_EQ(itemOf(inside, Item::kFar), 0);
  EXPECT_EQ(itemOf(workOf({CollectiveKind::kAllReduce, 4, 1, 1 << 20}, 1e6, way), Item::kFar), 8 << 20);
  // Little data: each of 4 hosts sends to each other.
  const Work direct = workOf({CollectiveKind::kAllReduce, 4, 4, 1 << 10}, 1e9, way);
  EXPECT_EQ(way, Way::kDirect);
  EXPECT_EQ(itemOf(direct, Item::kMessage), 12);
  EXPECT_EQ(itemOf(direct, Item::kSentByte), 12 << 10);
  EXPECT_EQ(itemOf(direct, Item::kAwaited), 12);
  EXPECT_EQ(itemOf(workOf({CollectiveKind::kBroadcast, 4, 4, 1 << 10}, 1e9, way), Item::kAwaited), 0);
  // A host's ranks have blocks of their own, which go together.
  const Work gather = workOf({CollectiveKind::kAllGather, 8, 2, 1 << 10}, 1e9, way);
  EXPECT_EQ(itemOf(gather, Item::kMessage), 8);
  EXPECT_EQ(itemOf(gather, Item::kAwaited), 2);
  EXPECT_EQ(itemOf(gather, Item::kFollower), 6);
  // Much: in a ring 2 x 3/4 of the data leave each host, in pieces of 128 KiB.
  const Work ring = workOf({CollectiveKind::kAllReduce, 4, 4, 4 << 20}, 1e9, way);
  EXPECT_EQ(way, Way::kRing);
  EXPECT_EQ(itemOf(ring, Item::kSentByte), 2. * 3 * (4 << 20));
  EXPECT_EQ(itemOf(ring, Item::kMessage), 2. * 3 * 32);
  EXPECT_EQ(itemOf(ring, Item::kAwaited), 4 * 2 * 4);  // 24 messages of each phase, 6 at a time
}

TEST(Emulator, FindsTheFiguresThatMadeTheTimes) {
  Figures known;
  known.cacheBytes = 1 << 23;
  known.microseconds = {2, 1.5, .1, 2e-4, 3e-4, 1e-4, 10, 6, 3, 7e-4};
  std::mt19937 random(3);
  std::vector<Measurement> exact, disturbed;
  for (const auto kind :
       {CollectiveKind::kAllReduce, CollectiveKind::kAllGather, CollectiveKind::kBroadcast}) {
    for (const auto& [ranks, hosts] :
         {std::pair(2, 1), {4, 1}, {8, 1}, {16, 1}, {2, 2}, {4, 4}, {8, 8}, {8, 2}}) {
      for (size_t bytes = 64; bytes <= 4 << 20; bytes *= 8) {
        Way way = Way::kDirect;
        const EmulatedCall call{kind, ranks, hosts, bytes};
        exact.push_back({call, timeOf(call, known, way)});
        disturbed.push_back(exact.back());
        disturbed.back().microseconds *= 1 + .1 * (static_cast<double>(random() % 100) / 50 - 1);
        if (random() % 10 == 0) disturbed.back().microseconds *= 5;
      }
    }
  }
  std::vector<Error> fitted, foreseen;
  judge(exact, fitted, foreseen);
  EXPECT_EQ(fitted.back().count, exact.size());
  EXPECT_LT(fitted.back().ninth, .03);
  EXPECT_LT(foreseen.back().median, .05);
  judge(disturbed, fitted, foreseen);
  EXPECT_LT(fitted.back().median, .12);
  // What nobody measured is told as well.
  Way way = Way::kDirect;
  const EmulatedCall other{CollectiveKind::kReduceScatter, 12, 3, 3 << 19};
  const double wanted = timeOf(other, known, way);
  EXPECT_NEAR(timeOf(other, fit(exact), way), wanted, .05 * wanted);
  EXPECT_NEAR(timeOf(other, fit(disturbed), way), wanted, .2 * wanted);
}

TEST(Emulator, FiguresOfAFileAreThoseThatWereWritten) {
  Figures figures, again;
  figures.microseconds = {2, 1.5, .1, 2e-4, 0, 1e-4, 10, 25, 6, 3, 7e-4};
  ASSERT_EQ(parseFigures(textOf(figures), "f.yaml", again), mcclSuccess) << lastError();
  for (size_t i = 0; i < kItems; ++i)
    EXPECT_NEAR(again.microseconds[i], figures.microseconds[i], 1e-4 * figures.microseconds[i]);
  EXPECT_EQ(parseFigures("call-us: 1\nspeed: 3\n", "f.yaml", again), mcclInvalidUsage);
  EXPECT_EQ(lastError(), "f.yaml:2: \"speed\" is no figure of an emulator");
  EXPECT_EQ(parseFigures("call-us: fast\n", "f.yaml", again), mcclInvalidUsage);
  EXPECT_EQ(lastError(), "f.yaml:1: call-us is no number from 0 on");
  EXPECT_EQ(parseFigures("call-us: 1\n", "f.yaml", again), mcclInvalidUsage);
  EXPECT_EQ(lastError(), "f.yaml: 1 figures, and there should be 12");
}

TEST(Emulator, MeasurementsThatCannotBeAreSaid) {
  std::vector<Measurement> read;
  const std::string head = "collective,ranks,hosts,bytes,time_us\n";
  ASSERT_EQ(parseMeasurements(head + "all_reduce,4,2,1024,5.5\r\n\n", "m.csv", "time_us", read), mcclSuccess);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].call.hosts, 2);
  const std::pair<std::string, const char*> cases[] = {
      {"", "m.csv:1: no measurements"},
      {head, "m.csv:2: no measurements"},
      {"collective,ranks,bytes,time_us\n", "m.csv:1: there is no column hosts"},
      {head + "all_reduce,4,2,1024\n", "m.csv:2: 4 cells under 5 columns"},
      {head + "all_reduce,4,1,8,1\nall_sum,4,2,1024,3\n", "m.csv:3: \"all_sum\" is no collective"},
      {head + "all_reduce,4,2,many,3\n", "m.csv:2: bytes is no number"},
      {head + "all_reduce,4,8,1024,3\n", "m.csv:2: 4 ranks on 8 hosts in 3 us cannot be"},
      {head + "all_reduce,4,2,1024,0\n", "m.csv:2: 4 ranks on 2 hosts in 0 us cannot be"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(parseMeasurements(text, "m.csv", "time_us", read), mcclInvalidUsage);
    EXPECT_EQ(lastError(), message);
  }
}

}  // namespace
}  // namespace musashim::mccl::sim
