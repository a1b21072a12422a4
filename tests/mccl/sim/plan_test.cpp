// Plans and times that can be computed by hand.
#include <algorithm>

#include "support.h"

namespace musashim::mccl::sim {
namespace {

constexpr auto kAllReduce = CollectiveKind::kAllReduce;

double timeOf(const Cluster& cluster, CollectiveKind kind, Way way, size_t bytes,
              std::optional<Protocol> protocol = Protocol::kSimple) {
  return timeOf(cluster, planOf(cluster, kind, way), bytes, protocol, {}).microseconds;
}

TEST(Plan, RingOfTwoHosts) {
  const auto cluster = clusterOf(smallMachine(), 2);
  const Plan plan = planOf(*cluster, kAllReduce, Way::kRing);
  ASSERT_FALSE(plan.lanes.empty());
  double total = 0;
  for (const double rate : plan.rates) total += rate;
  EXPECT_NEAR(total, 12.5, 1e-9);
  // Twice half of the data over the network, and two steps of 14 us over a base of 8.4.
  EXPECT_NEAR(timeOf(*cluster, kAllReduce, Way::kRing, 1'000'000'000), 1e9 / 12.5e3 + 2 * 14 + 8.4, .01);
  // An all-gather has half of that.
  EXPECT_NEAR(timeOf(*cluster, CollectiveKind::kAllGather, Way::kRing, 1'000'000'000),
              .5e9 / 12.5e3 + 14 + 8.4, .01);
}

TEST(Plan, StepsOfARingAreThoseOfItsRanks) {
  // 2 x (n - 1) steps of 2.7 us with LL over a base of 6.6.
  const auto cluster = clusterOf(smallMachine(), 10);
  EXPECT_NEAR(timeOf(*cluster, kAllReduce, Way::kRing, 0, Protocol::kLL), 6.6 + 18 * 2.7, 1e-9);
  const FabricFile far = fabricOf("levels: 1\nhost-link: {latency: 2us}\n");
  EXPECT_NEAR(timeOf(*clusterOf(smallMachine(), 10, far), kAllReduce, Way::kRing, 0, Protocol::kLL),
              6.6 + 18 * (2.7 + 4), 1e-9);
}

TEST(Plan, TreesAreAsDeepAsLibmcclsOwn) {
  // Places of a heap: 7 hosts are 3 levels, 2 steps up and 2 down.
  const auto cluster = clusterOf(smallMachine(), 7);
  EXPECT_NEAR(timeOf(*cluster, kAllReduce, Way::kTree, 0, Protocol::kLL), 6.8 + 4 * 5, 1e-9);
  EXPECT_NEAR(timeOf(*cluster, CollectiveKind::kBroadcast, Way::kTree, 0, Protocol::kLL), 6.8 + 2 * 5, 1e-9);
  // A host inside one tree is a leaf of the other: 3 of a half go out there, and 1 of the other half.
  const Plan plan = planOf(*cluster, kAllReduce, Way::kTree);
  double least = 1e9;
  for (const double rate : plan.rates) least = std::min(least, rate);
  EXPECT_NEAR(least * static_cast<double>(plan.lanes.size()), 12.5 / 2, 1e-9);
}

TEST(Plan, OversubscriptionHalvesWhatGoesUp) {
  const auto at = [](int perLeaf, int oversubscription) {
    return fabricOf("topology: fat-tree\nlevels: 2\nspines: 4\nhosts-per-leaf: " + std::to_string(perLeaf) +
                    "\noversubscription: " + std::to_string(oversubscription) + "\n");
  };
  const size_t bytes = 1'000'000'000;
  const auto transfer = [&](const FabricFile& fabric, CollectiveKind kind, Way way) {
    const auto cluster = clusterOf(smallMachine(), 4, fabric);
    return timeOf(*cluster, kind, way, bytes) - timeOf(*cluster, kind, way, 0);
  };
  // Each step of the ring leaves its leaf.
  EXPECT_NEAR(transfer(at(1, 1), kAllReduce, Way::kRing), 1.5e9 / 12.5e3, .01);
  EXPECT_NEAR(transfer(at(1, 2), kAllReduce, Way::kRing), 1.5e9 / 6.25e3, .01);
  // One of two does, and a leaf's links have room for that.
  EXPECT_NEAR(transfer(at(2, 2), kAllReduce, Way::kRing), 1.5e9 / 12.5e3, .01);
  // All to all: a leaf sends 2 x 2 blocks of a quarter through 12.5 GB/s where 25 are below.
  EXPECT_NEAR(transfer(at(2, 2), CollectiveKind::kAllToAll, Way::kDirect), .25e9 * 4 / 12.5e3, .01);
  EXPECT_NEAR(transfer(at(2, 1), CollectiveKind::kAllToAll, Way::kDirect), .25e9 * 3 / 12.5e3, .01);
}

TEST(Plan, ASlowLinkSlowsItsRingsAndNotTheRest) {
  const auto whole = clusterOf(machine("switched.xml"), 4);
  const Plan before = planOf(*whole, kAllReduce, Way::kRing);
  const auto slow =
      clusterOf(machine("switched.xml"), 4, fabricOf("levels: 1\nlinks: [{link: host2/nic1, speed: 8G}]\n"));
  const Plan after = planOf(*slow, kAllReduce, Way::kRing);
  ASSERT_EQ(before.rates.size(), after.rates.size());
  size_t slowed = 0;
  double through = 0;
  for (size_t i = 0; i < after.rates.size(); ++i) {
    if (after.rates[i] < before.rates[i] * .999) {
      ++slowed;
      through += after.rates[i];
    } else {
      EXPECT_GE(after.rates[i], before.rates[i] - 1e-9);
    }
  }
  EXPECT_GT(slowed, 0u);
  EXPECT_LT(slowed, after.rates.size());
  EXPECT_NEAR(through, 1, 1e-9);  // 8 Gbit/s
  EXPECT_GT(timeOf(*slow, kAllReduce, Way::kRing, 1 << 30),
            3 * timeOf(*whole, kAllReduce, Way::kRing, 1 << 30));
}

TEST(Plan, ADeadLinkTakesItsRingsOut) {
  const auto cluster = clusterOf(machine("switched.xml"), 4,
                                 fabricOf("levels: 1\nlinks: [{link: host2/nic1, state: dead}]\n"));
  const Plan whole = planOf(*clusterOf(machine("switched.xml"), 4), kAllReduce, Way::kRing);
  const Plan plan = planOf(*cluster, kAllReduce, Way::kRing);
  EXPECT_GT(plan.lost, 0);
  EXPECT_EQ(plan.lanes.size() + static_cast<size_t>(plan.lost), whole.lanes.size());
  const auto cut =
      clusterOf(smallMachine(), 4, fabricOf("levels: 1\nlinks: [{link: host2/nic0, state: dead}]\n"));
  for (const Way way : {Way::kRing, Way::kTree, Way::kDirect}) {
    Plan none;
    EXPECT_EQ(makePlan(*cut, kAllReduce, way, none), mcclInvalidUsage);
  }
}

TEST(Plan, ADeadSpineLeavesItsShareToTheOthers) {
  const std::string shape = "levels: 2\nspines: 4\nhosts-per-leaf: 1\n";
  const Plan whole = planOf(*clusterOf(smallMachine(), 3, fabricOf(shape)), kAllReduce, Way::kRing);
  const Plan less =
      planOf(*clusterOf(smallMachine(), 3, fabricOf(shape + "links: [{link: leaf1/spine2, state: dead}]\n")),
             kAllReduce, Way::kRing);
  EXPECT_EQ(less.lost, 0);
  EXPECT_NEAR(less.rates[0], whole.rates[0] * .75, 1e-9);
}

TEST(Plan, InAHostTheMachinesPathsCount) {
  const auto cluster = clusterOf(machine("switched.xml"), 1);
  const Plan plan = planOf(*cluster, kAllReduce, Way::kRing);
  double total = 0;
  for (const double rate : plan.rates) total += rate;
  EXPECT_NEAR(total, 240, 1e-6);  // 12 links of 20 GB/s
  EXPECT_NEAR(timeOf(*cluster, kAllReduce, Way::kRing, 0, Protocol::kLL), 6.6 + 6 * .6, 1e-9);
  // Each GPU sends to three others at once: 80 GB/s for each.
  const double transfer = timeOf(*cluster, CollectiveKind::kAllToAll, Way::kDirect, 1'000'000'000) -
                          timeOf(*cluster, CollectiveKind::kAllToAll, Way::kDirect, 0);
  EXPECT_NEAR(transfer, .25e9 / 80e3, .01);
}

TEST(Plan, MessagesUnderWayLimitFarLinks) {
  const auto cluster = clusterOf(smallMachine(), 2, fabricOf("levels: 1\nhost-link: {latency: 500us}\n"));
  // 6 pieces of 128 KiB in the 2 ms that a piece and its answer take.
  const double transfer =
      timeOf(*cluster, kAllReduce, Way::kRing, 1'000'000'000) - timeOf(*cluster, kAllReduce, Way::kRing, 0);
  const double channels = static_cast<double>(planOf(*cluster, kAllReduce, Way::kRing).lanes.size());
  EXPECT_NEAR(transfer * channels, 1e9 * 2000 / (6 * 131072), 10);
}

TEST(Plan, WhatIsNotThereIsSaid) {
  const auto cluster = clusterOf(smallMachine(), 4);
  Plan plan;
  EXPECT_EQ(makePlan(*cluster, CollectiveKind::kAllGather, Way::kTree, plan), mcclInvalidUsage);
  EXPECT_EQ(makePlan(*cluster, CollectiveKind::kAllToAll, Way::kRing, plan), mcclInvalidUsage);
  std::unique_ptr<Cluster> none;
  EXPECT_EQ(Cluster::make(machine("none.xml"), {}, 2, 0, none), mcclSystemError);
  EXPECT_EQ(Cluster::make(machine("square.xml"), {}, 2, 99, none), mcclInvalidUsage);
}

TEST(Plan, VendorsFilesTellOfPciDevicesAlone) {
  const std::string path = testing::TempDir() + "vendor_machine_" + std::to_string(getpid()) + ".xml";
  std::ofstream(path)
      << R"(<system version="1"><cpu numaid="0" arch="x86_64" vendor="GenuineIntel" modelid="85">
  <pci busid="ffff:ff:01.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
    <pci busid="0000:10:1c.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16"/>
    <pci busid="0000:10:1d.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16"/>
    <pci busid="0000:10:1b.0" class="0x020000" link_speed="16.0 GT/s PCIe" link_width="16"/>
  </pci></cpu></system>)";
  std::unique_ptr<Cluster> cluster;
  EXPECT_EQ(Cluster::make(path, {}, 2, 0, cluster), mcclInvalidUsage);
  EXPECT_NE(lastError().find("a machine without a <net>"), std::string::npos);
  cluster = clusterOf(path, 2, fabricOf("levels: 1\nhost-link: {speed: 100G}\n"));
  EXPECT_EQ(cluster->devices(), 2);
  ASSERT_EQ(cluster->machine().nets().size(), 1u);
  const Plan plan = planOf(*cluster, kAllReduce, Way::kRing);
  double total = 0;
  for (const double rate : plan.rates) total += rate;
  EXPECT_NEAR(total, 12.5, .5);
}

TEST(Simulator, ChoosesAsLibmccl) {
  const auto cluster = clusterOf(smallMachine(), 64);
  Simulator simulator(*cluster);
  Prediction small, large;
  ASSERT_EQ(simulator.predict(kAllReduce, 1 << 10, {}, {}, small), mcclSuccess);
  ASSERT_EQ(simulator.predict(kAllReduce, 1 << 30, {}, {}, large), mcclSuccess);
  EXPECT_EQ(small.way, Way::kTree);
  EXPECT_EQ(large.way, Way::kRing);
  const auto few = clusterOf(smallMachine(), 8);
  ASSERT_EQ(Simulator(*few).predict(kAllReduce, 1 << 10, {}, {}, small), mcclSuccess);
  EXPECT_EQ(small.way, Way::kDirect);
}

}  // namespace
}  // namespace musashim::mccl::sim
