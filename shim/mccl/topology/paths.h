// The best way from each GPU to all others and to the network devices.
#pragma once

#include <vector>

#include "mccl/topology/machine.h"

namespace musashim::mccl::topology {

// From near to far, NCCL's names and order. NVL is an NVLink or MTLink, directly or by a switch of them.
enum class PathType : int {
  kLoc,
  kNvl,
  kNvb,  // by NVLinks of a GPU between
  kC2c,
  kPix,  // one PCI switch
  kPxb,  // several
  kP2c,
  kPxn,  // by NVLink to a GPU near the network device
  kPhb,  // through a CPU
  kSys,  // from one CPU to another
  kNet,
  kDis,  // none
};
const char* nameOf(PathType type);

struct Path {
  PathType type = PathType::kDis;
  double bandwidth = 0;
  std::vector<int> links;
};

class Paths {
 public:
  explicit Paths(const Machine& machine);

  const Machine& machine() const { return machine_; }
  // By places in gpus() and nets().
  const Path& between(size_t gpu, size_t other) const { return gpus_[gpu * gpuCount_ + other]; }
  const Path& toNet(size_t gpu, size_t net) const { return toNets_[gpu * netCount_ + net]; }
  const Path& fromNet(size_t net, size_t gpu) const { return fromNets_[gpu * netCount_ + net]; }

 private:
  std::vector<Path> from(int source) const;
  Path join(const Path& a, const Path& b, PathType least) const;
  void reachNetsOverPeers();

  const Machine& machine_;
  const size_t gpuCount_, netCount_;
  std::vector<Path> gpus_, toNets_, fromNets_;
};

}  // namespace musashim::mccl::topology
