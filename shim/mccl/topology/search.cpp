#include "mccl/topology/search.h"

#include <algorithm>
#include <optional>
#include <span>

#include "mccl/topology/channel_search.h"

namespace musashim::mccl::topology {
namespace {

// The speeds that are tried, in GB/s of a channel.
constexpr double kIntra[] = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12};
constexpr double kInter[] = {48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12};
constexpr double kIntra90[] = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3, 2.4, 1.2, .24, .12};
constexpr double kInter90[] = {48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, .24, .12};
constexpr double kIntra100[] = {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18, 12, 6, 3, 1.2, .24, .12};
constexpr double kInter100[] = {96, 80,   72, 48, 45, 42, 40,  30,  24, 22,
                                20, 17.5, 15, 12, 6,  3,  1.2, .24, .12};

// A channel this fast inside one machine becomes two of half its speed: each has a block of its own to copy.
constexpr double kFastChannel = 25;
// Lower speeds than the highest are taken for so much more in total.
constexpr double kWorthIt = 1.1;

// Steps of all tries together, of the first ones, and of those for which little is left.
constexpr int kAllSteps = 1 << 16, kMostSteps = 1 << 13, kLeastSteps = 1 << 7;

std::span<const double> speedsFor(int capability, bool severalMachines) {
  if (capability >= 100) return severalMachines ? std::span<const double>(kInter100) : kIntra100;
  if (capability >= 90) return severalMachines ? std::span<const double>(kInter90) : kIntra90;
  return severalMachines ? std::span<const double>(kInter) : kIntra;
}

class Search {
 public:
  Search(const Paths& paths, const SearchRequest& request) : paths_(paths), request_(request) {
    for (const int gpu : paths.machine().gpus()) {
      capability_ = std::max(capability_, paths.machine().node(gpu).capability);
    }
    speeds_ = speedsFor(capability_, request.severalMachines);
    isRing_ = request.id == GraphId::kRing;
  }

  Graph run() {
    std::optional<Graph> best;
    for (const double speed : speeds_) {
      if (!best) {
        best = relaxed(speed);
        continue;
      }
      const std::optional<Graph> slower = at(speed, attempt_);
      if (slower && slower->total() > best->total() * kWorthIt) best = slower;
    }
    if (!best) return empty();
    if (!isRing_ && request_.severalMachines) raiseInside(*best);
    if (!request_.severalMachines && best->speedIntra >= kFastChannel &&
        best->channels.size() * 2 <= static_cast<size_t>(kMostChannels)) {
      best->speedIntra = best->speedInter = best->speedIntra / 2;
      const std::vector<Channel> once = best->channels;
      best->channels.insert(best->channels.end(), once.begin(), once.end());
    }
    return *best;
  }

 private:
  Graph empty() const {
    Graph graph;
    graph.id = request_.id;
    graph.pattern = isRing_ ? Pattern::kRing : Pattern::kBalancedTree;
    return graph;
  }

  // The first of what may be given up, in NCCL's order, that gives channels at this speed: the shape of the
  // tree, near paths inside, near paths to the network, channels that stay with their network device.
  std::optional<Graph> relaxed(double speed) {
    static constexpr PathType kInside[] = {PathType::kLoc, PathType::kNvl, PathType::kNvb, PathType::kPix,
                                           PathType::kPxb, PathType::kPhb, PathType::kSys};
    static constexpr PathType kOutside[] = {PathType::kPix, PathType::kPxb, PathType::kPxn, PathType::kPhb,
                                            PathType::kSys};
    const std::span<const PathType> outside =
        request_.severalMachines ? std::span<const PathType>(kOutside) : std::span(kOutside).first(1);
    const bool mayCross = isRing_ && request_.severalMachines && request_.crossNic != 0;
    const Pattern ofTrees[] = {Pattern::kBalancedTree, Pattern::kTree};
    const Pattern ofRings[] = {Pattern::kRing};
    const std::span<const Pattern> patterns = isRing_             ? std::span<const Pattern>(ofRings)
                                              : capability_ >= 90 ? std::span<const Pattern>(ofTrees)
                                                                  : std::span(ofTrees).first(1);
    for (const bool crosses : {false, true}) {
      if (crosses && !mayCross) continue;
      if (!crosses && mayCross && request_.crossNic == 1) continue;
      for (const PathType inter : outside) {
        for (const PathType intra : kInside) {
          for (const Pattern pattern : patterns) {
            attempt_ = {pattern, request_.severalMachines, crosses, speed, speed, intra, inter};
            if (std::optional<Graph> graph = at(speed, attempt_)) return graph;
          }
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Graph> at(double speed, Attempt attempt) {
    attempt.speedIntra = attempt.speedInter = speed;
    return tryWith(attempt);
  }

  std::optional<Graph> tryWith(const Attempt& attempt) {
    ChannelSearch search(paths_, attempt, std::clamp(stepsLeft_, kLeastSteps, kMostSteps));
    const std::vector<Channel>& found = search.run();
    stepsLeft_ -= search.steps();
    if (found.empty()) return std::nullopt;
    Graph graph = empty();
    graph.pattern = attempt.pattern;
    graph.crossNic = attempt.crossNic ? request_.crossNic : 0;
    graph.speedIntra = attempt.speedIntra;
    graph.speedInter = attempt.speedInter;
    graph.typeIntra = attempt.typeIntra;
    graph.typeInter = attempt.typeInter;
    graph.channels = found;
    graph.sameChannels = std::ranges::all_of(found, [&](const Channel& one) { return one == found.front(); });
    for (const int net : request_.severalMachines ? paths_.machine().nets() : std::vector<int>{}) {
      graph.latencyInter = std::max(graph.latencyInter, paths_.machine().node(net).latency);
    }
    return graph;
  }

  // Inside, a tree carries twice what it carries outside, at most.
  void raiseInside(Graph& graph) {
    for (const double speed : speeds_) {
      if (speed > 2 * graph.speedInter) continue;
      if (speed <= graph.speedIntra) return;
      Attempt attempt = attempt_;
      attempt.speedIntra = speed;
      attempt.speedInter = graph.speedInter;
      std::optional<Graph> faster = tryWith(attempt);
      if (!faster || faster->channels.size() < graph.channels.size()) continue;
      graph = *faster;
      return;
    }
  }

  const Paths& paths_;
  const SearchRequest request_;
  std::span<const double> speeds_;
  int capability_ = 0;
  bool isRing_ = true;
  int stepsLeft_ = kAllSteps;
  Attempt attempt_;
};

Graph without(GraphId id, Pattern pattern) {
  Graph graph;
  graph.id = id;
  graph.pattern = pattern;
  return graph;
}

}  // namespace

Graph searchGraph(const Paths& paths, const SearchRequest& request) { return Search(paths, request).run(); }

std::vector<Graph> searchGraphs(const Paths& paths, bool severalMachines, int crossNic) {
  return {searchGraph(paths, {GraphId::kRing, severalMachines, crossNic}),
          searchGraph(paths, {GraphId::kTree, severalMachines, crossNic}),
          without(GraphId::kCollnetDirect, Pattern::kCollnetDirect),
          without(GraphId::kCollnetChain, Pattern::kTree), without(GraphId::kNvls, Pattern::kNvls)};
}

}  // namespace musashim::mccl::topology
