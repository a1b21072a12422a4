// How data goes through a machine: channels, each an order of the GPUs with the network devices at its ends.
#pragma once

#include <pugixml.hpp>
#include <vector>

#include "mccl.h"
#include "mccl/topology/paths.h"

namespace musashim::mccl::topology {

constexpr int kMostChannels = 32;

// NCCL's numbers.
enum class Pattern : int {
  kBalancedTree = 1,  // the network's traffic is shared by the first two GPUs
  kSplitTree = 2,
  kTree = 3,  // all of it at the first GPU
  kRing = 4,
  kNvls = 5,
  kCollnetDirect = 6,
};
enum class GraphId : int { kRing = 0, kTree = 1, kCollnetChain = 2, kNvls = 3, kCollnetDirect = 4 };

struct Channel {
  std::vector<int> gpus;        // their dev, in order
  int netIn = -1, netOut = -1;  // dev; -1 inside one machine
  bool operator==(const Channel&) const = default;
};

struct Graph {
  GraphId id = GraphId::kRing;
  Pattern pattern = Pattern::kRing;
  int crossNic = 0;  // channels may leave by another network device than they come in by
  double speedIntra = 0, speedInter = 0, latencyInter = 0;  // GB/s of a channel; us
  PathType typeIntra = PathType::kLoc, typeInter = PathType::kLoc;
  bool sameChannels = false;
  std::vector<Channel> channels;

  double total() const { return static_cast<double>(channels.size()) * std::min(speedIntra, speedInter); }
};

// <graphs version="1">, in the order ring, tree, and those that a machine of this kind does not have.
void writeGraphs(const std::vector<Graph>& graphs, pugi::xml_document& document);
mcclResult_t readGraphs(const pugi::xml_document& document, const std::string& name,
                        std::vector<Graph>& graphs);

}  // namespace musashim::mccl::topology
