// Everybody to everybody, by sums.
#include <numeric>

#include "mccl/sim/fabric.h"

namespace musashim::mccl::sim {

bool Fabric::addAllToAll(const std::vector<double>& weight, std::vector<double>& load) const {
  const double ofHost = std::accumulate(weight.begin(), weight.end(), 0.0), all = ofHost * hosts_;
  std::vector<double> ofLeaf(static_cast<size_t>(leaves_)), ofPod(static_cast<size_t>(pods_));
  const auto weightOf = [&](int port) { return weight[static_cast<size_t>(port % nics_)]; };
  for (int port = 0; port < ports_; ++port) {
    ofLeaf[static_cast<size_t>(leafOf(port))] += weightOf(port);
    ofPod[static_cast<size_t>(podOf(leafOf(port)))] += weightOf(port);
  }
  std::vector<double> outOfLeaf(ofLeaf.size()), outOfPod(ofPod.size());
  for (int port = 0; port < ports_; ++port) {
    const double own = weightOf(port);
    if (own == 0) continue;
    const auto leaf = static_cast<size_t>(leafOf(port)), pod = static_cast<size_t>(podOf(leafOf(port)));
    const double onHost = own * (all - ofHost);
    if (onHost > 0 && (!lives(hostUp(port)) || !lives(hostDown(port)))) return false;
    load[hostUp(port)] += onHost;
    load[hostDown(port)] += onHost;
    // Of its host, what is at the same leaf: all of it, or the port alone where leaves are rails.
    const double besides = file_.shape == Shape::kFatTree ? 0 : ofHost - own;
    outOfLeaf[leaf] += own * (all - ofLeaf[leaf] - besides);
    outOfPod[pod] += own * (all - ofPod[pod]);
  }
  const auto spread = [&](double traffic, const std::vector<uint32_t>& links) {
    double living = 0;
    for (const uint32_t link : links) living += lives(link) ? 1 : 0;
    if (living == 0) return traffic == 0;
    for (const uint32_t link : links) {
      if (lives(link)) load[link] += traffic / living;
    }
    return true;
  };
  std::vector<uint32_t> up, down;
  for (int leaf = 0; leaf < leaves_; ++leaf) {
    up.clear();
    down.clear();
    for (int spine = 0; file_.levels > 1 && spine < file_.spines; ++spine) {
      up.push_back(spineUp(leaf, spine));
      down.push_back(spineDown(leaf, spine));
    }
    const double traffic = outOfLeaf[static_cast<size_t>(leaf)];
    if (traffic > 1e-9 && (!spread(traffic, up) || !spread(traffic, down))) return false;
  }
  for (int pod = 0; isDeep() && pod < pods_; ++pod) {
    up.clear();
    down.clear();
    for (int spine = 0; spine < file_.spines; ++spine) {
      for (int core = 0; core < file_.cores; ++core) {
        up.push_back(coreUp(pod, spine, core));
        down.push_back(coreDown(pod, spine, core));
      }
    }
    const double traffic = outOfPod[static_cast<size_t>(pod)];
    if (traffic > 1e-9 && (!spread(traffic, up) || !spread(traffic, down))) return false;
  }
  return true;
}

}  // namespace musashim::mccl::sim
