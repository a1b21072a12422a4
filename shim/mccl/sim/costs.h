// What a message costs beside its bytes: the figures of NCCL's cost model (its src/graph/tuning.cc).
#pragma once

#include <cstddef>

namespace musashim::mccl::sim {

// Bytes with flags in every 8, in every 128, or whole messages.
enum class Protocol { kLL, kLL128, kSimple };
constexpr Protocol kProtocols[] = {Protocol::kLL, Protocol::kLL128, Protocol::kSimple};
constexpr const char* kProtocolNames[] = {"LL", "LL128", "Simple"};

struct HopCosts {
  double nvlink, pci, net;  // us
};
struct ProtocolCosts {
  double ringBase, treeBase;  // us of a collective
  HopCosts ring, tree;
  double bandwidth;  // of that of the links
};
constexpr ProtocolCosts kProtocolCosts[] = {
    {6.6, 6.8, {.6, 1, 2.7}, {.6, 1, 5}, .5},
    {14, 14, {1.9, 2.5, 4}, {1.25, 1.9, 8.5}, .92},
    {8.4, 8.4, {3.4, 5.7, 14}, {4, 4, 14}, 1},
};
constexpr double kTreeBandwidth = .92;

}  // namespace musashim::mccl::sim
