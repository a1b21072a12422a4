// Hosts that are all the same machine, and the network between them. Their links have one numbering: those of
// the machine, of which a host may play one of several parts, then those of the fabric.
#pragma once

#include <memory>

#include "mccl/sim/fabric.h"
#include "mccl/topology/search.h"

namespace musashim::mccl::sim {

class Cluster {
 public:
  // `devices`: of the machine's GPUs; 0: all. mcclInvalidUsage says what does not fit.
  static mcclResult_t make(const std::string& machineFile, const FabricFile& fabric, int hosts, int devices,
                           std::unique_ptr<Cluster>& cluster);

  int hosts() const { return hosts_; }
  int devices() const { return static_cast<int>(machine_.gpus().size()); }
  int ranks() const { return hosts_ * devices(); }
  const topology::Machine& machine() const { return machine_; }
  const topology::Paths& paths() const { return *paths_; }
  const topology::Graph& ring() const { return graphs_[0]; }
  const topology::Graph& tree() const { return graphs_[1]; }
  const Fabric& fabric() const { return fabric_; }

  // Places in gpus() and nets() of what channels call by its dev.
  size_t gpuPlace(int dev) const;
  size_t netPlace(int dev) const;
  // The network device that a GPU uses outside channels: the nearest one, those that are as near in turn.
  size_t nearestNet(size_t gpu) const;

 private:
  topology::Machine machine_;
  std::unique_ptr<topology::Paths> paths_;
  std::vector<topology::Graph> graphs_;
  Fabric fabric_;
  int hosts_ = 1;
};

}  // namespace musashim::mccl::sim
