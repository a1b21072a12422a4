// The network between hosts: its links, and the ways over them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mccl/sim/fabric_file.h"

namespace musashim::mccl::sim {

// A part of a flow that a link carries.
struct Share {
  uint32_t link;
  double part;
};

class Fabric {
 public:
  // For `hosts` hosts with `nics` network devices of `nicBandwidth` GB/s each. mcclInvalidUsage when the file
  // names a link that is not there.
  static mcclResult_t make(const FabricFile& file, int hosts, const std::vector<double>& nicBandwidth,
                           Fabric& fabric);

  int hosts() const { return hosts_; }
  int nics() const { return nics_; }
  int port(int host, int nic) const { return host * nics_ + nic; }
  double messageGap() const { return file_.messageGap; }

  // By link; both directions of a cable are links of their own. GB/s and us; 0 GB/s: dead.
  const std::vector<double>& bandwidth() const { return bandwidth_; }
  const std::vector<double>& latency() const { return latency_; }
  std::string nameOf(uint32_t link) const;

  // From one port to another: what each link carries of it, and the latency of the slowest way. False when
  // there is none.
  bool route(int from, int to, std::vector<Share>& shares, double& latency) const;

  // Where a port is.
  int leafOf(int port) const;
  int podOf(int leaf) const { return isDeep() ? leaf / leavesPerPod() : 0; }

  // What links carry when each port sends, to every port of other hosts, the product of both ports' weights;
  // `weight` is that of a host's ports. Summed by leaves and pods, so that clusters of any size take no time:
  // what leaves one is spread over all of its links that are alive. False when a port is cut off.
  bool addAllToAll(const std::vector<double>& weight, std::vector<double>& load) const;

 private:
  bool isDeep() const { return file_.levels == 3; }
  int leavesPerPod() const;
  uint32_t hostUp(int port) const { return static_cast<uint32_t>(port); }
  uint32_t hostDown(int port) const { return static_cast<uint32_t>(ports_ + port); }
  // Spines count within their pod.
  uint32_t spineUp(int leaf, int spine) const {
    return static_cast<uint32_t>(2 * ports_ + leaf * file_.spines + spine);
  }
  uint32_t spineDown(int leaf, int spine) const {
    return spineUp(leaf, spine) + static_cast<uint32_t>(leaves_ * file_.spines);
  }
  // Cores count within the plane of their spine.
  uint32_t coreUp(int pod, int spine, int core) const {
    return static_cast<uint32_t>(2 * ports_ + 2 * leaves_ * file_.spines +
                                 (pod * file_.spines + spine) * file_.cores + core);
  }
  uint32_t coreDown(int pod, int spine, int core) const {
    return coreUp(pod, spine, core) + static_cast<uint32_t>(pods_ * file_.spines * file_.cores);
  }
  bool lives(uint32_t link) const { return bandwidth_[link] > 0; }
  mcclResult_t change(const LinkChange& change);
  bool linkNamed(const std::string& name, uint32_t& up, uint32_t& down) const;

  FabricFile file_;
  int hosts_ = 0, nics_ = 0, ports_ = 0, leaves_ = 0, pods_ = 1;
  std::vector<double> bandwidth_, latency_;
};

}  // namespace musashim::mccl::sim
