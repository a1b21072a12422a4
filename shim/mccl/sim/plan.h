// How a collective goes over a cluster: which links its channels use, and how many steps data makes.
#pragma once

#include "mccl/engine/task.h"
#include "mccl/hosts/schedule.h"
#include "mccl/sim/cluster.h"
#include "mccl/sim/flows.h"

namespace musashim::mccl::sim {

// Steps one after the other, by what they go over.
struct Hops {
  double nvlink = 0, pci = 0, net = 0;
  double latency = 0;  // us, of the links of the fabric
  double count() const { return nvlink + pci + net; }
  Hops& operator+=(const Hops& other);
};
Hops operator*(const Hops& hops, double times);

// A part of the data, of which all lanes of a plan have as much.
struct Lane {
  Flow flow;
  Hops path;            // of the piece that takes longest
  double farthest = 0;  // us of latency of the longest step
};

struct Plan {
  Way way = Way::kRing;
  std::vector<Lane> lanes;
  std::vector<double> rates;  // GB/s of each
  double volume = 1;          // bytes that a step moves in all, for each byte of a lane's data
  double fill = 0;            // steps until the first piece has come through: the pipeline fills
  double phases = 1;          // that share the links: an all-reduce collects and spreads
  double messages = 0;        // of the port that sends most, beyond those of its steps
  int lost = 0;               // channels that dead links leave out
};

// mcclInvalidUsage when that collective has no such way, or nothing gets through.
mcclResult_t makePlan(const Cluster& cluster, CollectiveKind kind, Way way, Plan& plan);

// The rates of a plan's lanes; `classes`: parts that a host may play.
void setRates(const Cluster& cluster, size_t classes, Plan& plan);

mcclResult_t planRing(const Cluster& cluster, CollectiveKind kind, Plan& plan);
mcclResult_t planTree(const Cluster& cluster, CollectiveKind kind, Plan& plan);
mcclResult_t planDirect(const Cluster& cluster, CollectiveKind kind, Plan& plan);

// One step between two GPUs of a host, or from a host to another.
Hops stepInside(const topology::Path& path);
Hops stepBetween(const Cluster& cluster, size_t net, double fabricLatency);

}  // namespace musashim::mccl::sim
