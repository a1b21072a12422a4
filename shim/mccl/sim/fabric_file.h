// What a file says of the network between hosts. The README tells its schema.
#pragma once

#include <string>
#include <vector>

#include "mccl.h"

namespace musashim::mccl::sim {

enum class Shape {
  kFatTree,        // a host's network devices are all at the same leaf
  kRailOptimised,  // its first ones at one leaf with the first ones of other hosts, its second ones at
                   // another
};
// How a flow uses the ways that are equally short.
enum class Routing {
  kSpread,  // packets go over all of them
  kHash,    // each pair of ports has one
};

struct LinkSpeed {
  double bandwidth = 0;  // GB/s in each direction; 0: not said
  double latency = 0;    // us
};

// Of one link, by its name: host3/nic0, leaf0/spine1, spine2/core5.
struct LinkChange {
  std::string name;
  int line = 0;
  bool isDead = false;
  double bandwidth = 0;  // GB/s; 0: as the others
  double latency = -1;   // us; below 0: as the others
};

struct FabricFile {
  std::string name = "one switch";  // for messages
  Shape shape = Shape::kFatTree;
  int levels = 1;
  int hostsPerLeaf = 32, leavesPerPod = 16;
  int spines = 16;  // of all leaves, with three levels of each pod
  int cores = 16;   // with three levels: of each spine's plane
  double leafOversubscription = 1, spineOversubscription = 1;
  Routing routing = Routing::kSpread;
  LinkSpeed host, spine, core;
  double messageGap = 0.2;  // us from one message of a port to the next
  std::vector<LinkChange> changes;
};

// mcclInvalidUsage with file, line and what is known instead; mcclSystemError when it cannot be read.
mcclResult_t readFabric(const std::string& path, FabricFile& fabric);
mcclResult_t parseFabric(const std::string& text, const std::string& name, FabricFile& fabric);

}  // namespace musashim::mccl::sim
