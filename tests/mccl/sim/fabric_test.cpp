// Descriptions of fabrics, their links and ways.
#include <map>
#include <set>

#include "support.h"

namespace musashim::mccl::sim {
namespace {

Fabric made(const std::string& text, int hosts, int nics) {
  Fabric fabric;
  EXPECT_EQ(Fabric::make(fabricOf(text), hosts, std::vector<double>(static_cast<size_t>(nics), 25), fabric),
            mcclSuccess)
      << lastError();
  return fabric;
}

std::map<std::string, double> wayOf(const Fabric& fabric, int from, int to) {
  std::vector<Share> shares;
  double latency = 0;
  std::map<std::string, double> named;
  if (!fabric.route(from, to, shares, latency)) return named;
  for (const Share share : shares) named[fabric.nameOf(share.link)] += share.part;
  return named;
}
using Ways = std::map<std::string, double>;

TEST(Fabric, AFatTreesHostIsAtOneLeaf) {
  const Fabric fabric = made("topology: fat-tree\nlevels: 2\nhosts-per-leaf: 2\nspines: 2\n", 4, 2);
  EXPECT_EQ(wayOf(fabric, fabric.port(0, 0), fabric.port(1, 1)),
            (Ways{{"host0/nic0 up", 1}, {"host1/nic1 down", 1}}));
  EXPECT_EQ(wayOf(fabric, fabric.port(0, 0), fabric.port(2, 0)), (Ways{{"host0/nic0 up", 1},
                                                                       {"leaf0/spine0 up", .5},
                                                                       {"leaf0/spine1 up", .5},
                                                                       {"leaf1/spine0 down", .5},
                                                                       {"leaf1/spine1 down", .5},
                                                                       {"host2/nic0 down", 1}}));
}

TEST(Fabric, ARailIsALeaf) {
  const Fabric fabric = made("topology: rail-optimised\nlevels: 2\nhosts-per-leaf: 2\nspines: 1\n", 4, 2);
  EXPECT_EQ(wayOf(fabric, fabric.port(0, 1), fabric.port(1, 1)),
            (Ways{{"host0/nic1 up", 1}, {"host1/nic1 down", 1}}));
  EXPECT_EQ(wayOf(fabric, fabric.port(0, 0), fabric.port(1, 1)).count("leaf0/spine0 up"), 1u);
  EXPECT_EQ(wayOf(fabric, fabric.port(0, 1), fabric.port(3, 1)).count("leaf3/spine0 down"), 1u);
  // Without spines rails do not meet.
  const Fabric flat = made("topology: rail-optimised\nlevels: 1\n", 4, 2);
  EXPECT_FALSE(wayOf(flat, flat.port(0, 0), flat.port(3, 0)).empty());
  EXPECT_TRUE(wayOf(flat, flat.port(0, 0), flat.port(3, 1)).empty());
}

TEST(Fabric, ThreeLevelsGoOverCoresOfTheSpinesPlane) {
  const Fabric fabric =
      made("levels: 3\nhosts-per-leaf: 1\nleaves-per-pod: 2\nspines: 2\ncores: 2\noversubscription: [2, 4]\n",
           4, 1);
  const Ways way = wayOf(fabric, 0, 3);
  EXPECT_EQ(way.size(), 2u + 2 + 2 + 4 + 4);
  EXPECT_NEAR(way.at("leaf0/spine1 up"), .5, 1e-9);
  EXPECT_NEAR(way.at("spine0/core1 up"), .25, 1e-9);
  EXPECT_NEAR(way.at("spine3/core2 down"), .25, 1e-9);
  EXPECT_EQ(wayOf(fabric, 0, 1).count("spine0/core0 up"), 0u);
  // 25 GB/s of a leaf, of which half goes up by two links; a spine has two leaves, and a quarter of that.
  std::map<std::string, double> bandwidth;
  for (uint32_t link = 0; link < fabric.bandwidth().size(); ++link)
    bandwidth[fabric.nameOf(link)] = fabric.bandwidth()[link];
  EXPECT_EQ(bandwidth.size(), fabric.bandwidth().size());
  EXPECT_NEAR(bandwidth.at("leaf2/spine3 up"), 6.25, 1e-9);
  EXPECT_NEAR(bandwidth.at("spine3/core3 down"), 6.25 * 2 / 4 / 2, 1e-9);
}

TEST(Fabric, HashedFlowsTakeOneWay) {
  const Fabric fabric = made("levels: 2\nhosts-per-leaf: 8\nspines: 4\nrouting: hash\n", 16, 1);
  std::set<std::string> spines;
  for (int from = 0; from < 8; ++from) {
    const Ways way = wayOf(fabric, from, from + 8);
    EXPECT_EQ(way.size(), 4u);
    for (const auto& [name, part] : way) {
      EXPECT_EQ(part, 1);
      if (name.starts_with("leaf0")) spines.insert(name);
    }
  }
  EXPECT_GT(spines.size(), 1u);
}

TEST(Fabric, AllToAllBySumsIsThatByWays) {
  for (const char* shape :
       {"levels: 1\n", "levels: 2\nhosts-per-leaf: 2\nspines: 3\n",
        "topology: rail-optimised\nlevels: 2\nhosts-per-leaf: 2\nspines: 3\n",
        "levels: 3\nhosts-per-leaf: 2\nleaves-per-pod: 2\nspines: 2\ncores: 3\n",
        "topology: rail-optimised\nlevels: 3\nhosts-per-leaf: 2\nleaves-per-pod: 4\nspines: 2\ncores: 3\n"}) {
    const Fabric fabric = made(shape, 9, 2);
    const std::vector<double> weight = {3, 1};
    std::vector<double> sums(fabric.bandwidth().size()), ways(sums.size());
    ASSERT_TRUE(fabric.addAllToAll(weight, sums));
    std::vector<Share> shares;
    double latency = 0;
    for (int from = 0; from < 18; ++from) {
      for (int to = 0; to < 18; ++to) {
        if (from / 2 == to / 2) continue;
        ASSERT_TRUE(fabric.route(from, to, shares, latency));
        for (const Share share : shares)
          ways[share.link] +=
              share.part * weight[static_cast<size_t>(from % 2)] * weight[static_cast<size_t>(to % 2)];
      }
    }
    for (uint32_t link = 0; link < sums.size(); ++link)
      EXPECT_NEAR(sums[link], ways[link], 1e-6) << shape << fabric.nameOf(link);
  }
}

TEST(FabricFile, MistakesHaveTheirLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"topology: fat-tree\nspeed: 3\n", "f.yaml:2: \"speed\" is not known; core-link, cores, host-link,"},
      {"topology: torus\n", "f.yaml:1: \"torus\"; known are fat-tree, rail-optimised"},
      {"levels: 2\nspines: 0\n", "f.yaml:2: \"0\" is no number from 1 to 65536"},
      {"levels: 4\n", "f.yaml:1: levels from 1 to 3"},
      {"host-link:\n  speed: fast\n", "f.yaml:2: \"fast\" is not like 200G or 25GB/s"},
      {"host-link:\n  latency: 3\n", "f.yaml:2: \"3\" is not like 1.5us"},
      {"host-link:\n  speed: 0G\n", "f.yaml:2: a speed of 0"},
      {"oversubscription: [1, 2, 3]\n", "f.yaml:1: one or two ratios"},
      {"spines: 4\n\nspines: 5\n", "f.yaml:3: \"spines\" is there twice"},
      {"links:\n  - {speed: 5G}\n", "f.yaml:2: a link without its name"},
      {"links: 5\n", "f.yaml:1: a list of links"},
      {"levels: 2\nspines: [\n", "f.yaml:3: no YAML"},
      {"- 5\n", "f.yaml:1: no description"},
      {"", "f.yaml:1: no description"},
  };
  for (const auto& [text, message] : cases) {
    FabricFile fabric;
    EXPECT_EQ(parseFabric(text, "f.yaml", fabric), mcclInvalidUsage) << text;
    EXPECT_EQ(lastError().substr(0, std::string(message).size()), message) << text;
  }
}

TEST(FabricFile, MoreLinksThanCanBeComputedAreSaid) {
  Fabric fabric;
  const FabricFile file = fabricOf("levels: 3\nhosts-per-leaf: 1\nspines: 65536\ncores: 65536\n");
  EXPECT_EQ(Fabric::make(file, 1 << 20, {25, 25}, fabric), mcclInvalidUsage);
  EXPECT_TRUE(lastError().starts_with("test.yaml: ")) << lastError();
}

TEST(FabricFile, LinksThatAreNotThereAreSaid) {
  for (const char* link :
       {"host4/nic0", "host0/nic2", "leaf0/spine0", "host0", "host0/nic0x", "host-1/nic0"}) {
    Fabric fabric;
    const FabricFile file =
        fabricOf(std::string("levels: 1\nlinks:\n  - {link: ") + link + ", state: dead}\n");
    EXPECT_EQ(Fabric::make(file, 4, {25, 25}, fabric), mcclInvalidUsage) << link;
    EXPECT_EQ(lastError(), std::string("test.yaml:3: there is no link \"") + link +
                               "\" here; there are host0/nic0 to host3/nic1");
  }
}

}  // namespace
}  // namespace musashim::mccl::sim
