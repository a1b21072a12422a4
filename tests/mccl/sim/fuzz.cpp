// Any bytes as a description of a fabric: no crash, mistakes name a line, and what is read makes a network
// whose ways carry all of a flow.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "mccl/core/log.h"
#include "mccl/sim/fabric.h"

using namespace musashim::mccl;
using namespace musashim::mccl::sim;

namespace {

constexpr int kHosts = 5, kNics = 2;

void require(bool holds) {
  if (!holds) std::abort();
}

void tryWay(const Fabric& fabric, int from, int to) {
  std::vector<Share> shares;
  double latency = -1;
  if (!fabric.route(from, to, shares, latency)) return;
  require(std::isfinite(latency) && latency >= 0);
  require(!shares.empty());
  for (const Share& share : shares) {
    require(share.link < fabric.bandwidth().size() && fabric.bandwidth()[share.link] > 0);
    require(share.part > 0 && share.part <= 1 + 1e-9);
    require(!fabric.nameOf(share.link).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FabricFile file;
  if (parseFabric({reinterpret_cast<const char*>(data), size}, "fuzz", file) != mcclSuccess) {
    require(lastError().starts_with("fuzz:"));
    return 0;
  }
  // Links are laid one by one: large networks show no more.
  if (static_cast<double>(file.spines) * file.cores > 4096 || file.spines > 4096) return 0;
  Fabric fabric;
  if (Fabric::make(file, kHosts, std::vector<double>(kNics, 25), fabric) != mcclSuccess) return 0;
  require(fabric.bandwidth().size() == fabric.latency().size());
  for (int from = 0; from < kHosts * kNics; ++from) {
    for (int to = 0; to < kHosts * kNics; ++to) {
      if (from != to) tryWay(fabric, from, to);
    }
  }
  std::vector<double> load(fabric.bandwidth().size());
  if (!fabric.addAllToAll(std::vector<double>(kNics, 1), load)) return 0;
  for (const double one : load) require(std::isfinite(one) && one >= 0);
  return 0;
}
