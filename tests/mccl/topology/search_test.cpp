// Channels that are found: none asks more of a link than it carries, and there are as many as there should
// be.
#include <algorithm>
#include <chrono>
#include <set>

#include "mccl/topology/detect/detect.h"
#include "mccl/topology/place.h"
#include "support.h"

namespace musashim::mccl::topology {
namespace {

// What the channels take of each link, counted by hand: over paths, without the search's own books.
void expectFits(const Paths& paths, const Graph& graph, bool severalMachines) {
  const Machine& machine = paths.machine();
  std::vector<double> used(machine.links().size());
  const auto take = [&](const Path& path, double speed, PathType most) {
    EXPECT_LE(path.type, most);
    for (const int link : path.links) used[static_cast<size_t>(link)] += speed;
  };
  for (const Channel& channel : graph.channels) {
    const std::set<int> all(channel.gpus.begin(), channel.gpus.end());
    ASSERT_EQ(all.size(), machine.gpus().size());
    ASSERT_EQ(channel.gpus.size(), machine.gpus().size());
    ASSERT_EQ(severalMachines, channel.netIn >= 0 && channel.netOut >= 0);
    const auto at = [&](size_t i) { return static_cast<size_t>(channel.gpus[i]); };  // dev is the place
    for (size_t i = 0; i + 1 < all.size(); ++i)
      take(paths.between(at(i), at(i + 1)), graph.speedIntra, graph.typeIntra);
    const bool isRing = graph.pattern == Pattern::kRing;
    if (!severalMachines && isRing)
      take(paths.between(at(all.size() - 1), at(0)), graph.speedIntra, graph.typeIntra);
    if (!severalMachines) continue;
    const size_t last = isRing ? all.size() - 1 : graph.pattern == Pattern::kTree ? 0 : 1;
    take(paths.fromNet(static_cast<size_t>(channel.netIn), at(0)), graph.speedInter, graph.typeInter);
    take(paths.toNet(at(last), static_cast<size_t>(channel.netOut)), graph.speedInter, graph.typeInter);
    if (graph.crossNic == 0) EXPECT_EQ(channel.netIn, channel.netOut);
  }
  for (size_t i = 0; i < used.size(); ++i)
    EXPECT_LE(used[i], machine.links()[i].bandwidth + 1e-6) << "link " << i;
}

struct Wanted {
  const char* name;
  bool severalMachines;
  GraphId id;
  double total;
  PathType intra, inter;
};

TEST(TopologySearch, FindsWhatTheLinksCarry) {
  for (const Wanted& wanted : {
           Wanted{"switched.xml", false, GraphId::kRing, 240, PathType::kNvl, PathType::kPix},
           Wanted{"switched.xml", false, GraphId::kTree, 240, PathType::kNvl, PathType::kPix},
           Wanted{"switched.xml", true, GraphId::kRing, 96, PathType::kNvl, PathType::kPix},
           Wanted{"switched.xml", true, GraphId::kTree, 96, PathType::kNvl, PathType::kPix},
           Wanted{"pci_only.xml", false, GraphId::kRing, 7, PathType::kSys, PathType::kPix},
           Wanted{"pci_only.xml", true, GraphId::kRing, 7, PathType::kSys, PathType::kPhb},
           Wanted{"square.xml", false, GraphId::kRing, 72, PathType::kNvl, PathType::kPix},
       }) {
    const Loaded loaded(wanted.name);
    const Paths paths(loaded.machine);
    const Graph graph = searchGraph(paths, {wanted.id, wanted.severalMachines, 2});
    SCOPED_TRACE(wanted.name);
    EXPECT_GE(graph.total(), wanted.total);
    EXPECT_LE(graph.typeIntra, wanted.intra);
    EXPECT_LE(graph.typeInter, wanted.inter);
    expectFits(paths, graph, wanted.severalMachines);
  }
}

// One network device for each GPU and no other near it: channels cross where that is allowed, or pass by a
// GPU.
TEST(TopologySearch, CrossesNetworkDevicesOnlyWhereAllowed) {
  const Loaded loaded("switched.xml");
  const Paths paths(loaded.machine);
  EXPECT_EQ(searchGraph(paths, {GraphId::kRing, true, 0}).crossNic, 0);
  const Graph crossing = searchGraph(paths, {GraphId::kRing, true, 1});
  EXPECT_EQ(crossing.crossNic, 1);
  EXPECT_GE(crossing.total(), 96);
}

TEST(TopologySearch, NothingWithoutNetworkDevices) {
  const Loaded loaded("square.xml");
  const Paths paths(loaded.machine);
  EXPECT_TRUE(searchGraph(paths, {GraphId::kRing, true, 2}).channels.empty());
}

TEST(TopologySearch, SixteenDevicesInLessThanASecond) {
  pugi::xml_document document;
  std::string text = "<system version=\"1\">";
  for (int cpu = 0; cpu < 2; ++cpu) {
    text += "<cpu numaid=\"" + std::to_string(cpu) + "\" vendor=\"GenuineIntel\" modelid=\"85\"/>";
  }
  ASSERT_EQ(parseDocument(text + "</system>", "16", "system", document), mcclSuccess);
  std::vector<RankDevice> ranks;
  for (int i = 0; i < 16; ++i) ranks.push_back({i, i, "0000:" + std::to_string(i + 10) + ":00.0", 31});
  ASSERT_TRUE(placeRanks(ranks, document));
  Machine machine;
  ASSERT_EQ(Machine::make(document, "16", machine), mcclSuccess);
  const auto start = std::chrono::steady_clock::now();
  const Paths paths(machine);
  const std::vector<Graph> graphs = searchGraphs(paths, false, 2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(MOST_SECONDS));
  EXPECT_FALSE(graphs[0].channels.empty());
  expectFits(paths, graphs[0], false);
}

TEST(TopologyPlace, RanksGoWhereTheirDevicesAre) {
  Loaded loaded("switched.xml");
  ASSERT_TRUE(placeRanks({{0, 1, "0000:11:00.0", 31}, {1, 0, "0010:10:00.0", 31}}, loaded.document));
  std::vector<std::string> gpus;
  for (const auto& found : loaded.document.select_nodes("//gpu"))
    gpus.push_back(found.node().parent().attribute("busid").value());
  std::ranges::sort(gpus);
  EXPECT_EQ(gpus, (std::vector<std::string>{"0000:11:00.0", "0010:10:00.0"}));
  EXPECT_EQ(loaded.document.select_nodes("//net").size(), 4u);
  EXPECT_FALSE(placeRanks({{0, 0, "0000:11:00.0", 31}, {1, 0, "0000:11:00.0", 31}}, loaded.document));
}

}  // namespace
}  // namespace musashim::mccl::topology
