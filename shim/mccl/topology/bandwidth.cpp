#include "mccl/topology/bandwidth.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace musashim::mccl::topology {
namespace {

struct FromOn {
  int lowest;
  double bandwidth;
};

// The last row that begins at or below `value`.
template <size_t kRows>
double lookUp(const FromOn (&rows)[kRows], int value) {
  double found = rows[0].bandwidth;
  for (const FromOn& row : rows) {
    if (value >= row.lowest) found = row.bandwidth;
  }
  return found;
}

// By model: Broadwell and before, Skylake, Sapphire Rapids, Emerald Rapids.
constexpr FromOn kIntel[] = {{0, 6}, {0x55, 10}, {0x8F, 22}, {0xCF, 40}};
// By capability. Below 60: Moore Threads' devices; an S5000 reaches 35.7 GB/s with a pair's two links.
constexpr FromOn kNvlink[] = {{0, 17.8}, {60, 18}, {70, 20}, {80, 20}, {86, 12}, {90, 20.6}, {100, 40.1}};

struct Lane {
  double transfers;
  double bandwidth;  // of one lane
};
constexpr Lane kLanes[] = {{2.5, .1875}, {5, .375}, {8, .75}, {16, 1.5}, {32, 3}, {64, 6}};
constexpr double kUnknownLane = .75;

}  // namespace

double socketBandwidth(const Processor& processor) {
  switch (processor.arch) {
    case Arch::kPower:
      return 32;
    case Arch::kArm:
    case Arch::kOther:
      return 6;
    case Arch::kX86:
      break;
  }
  switch (processor.vendor) {
    case Vendor::kAmd:
      return 16;
    case Vendor::kZhaoxin:
      return processor.family == 7 ? 9 : 6;
    case Vendor::kIntel:
      return lookUp(kIntel, processor.model);
    case Vendor::kOther:
      return 6;
  }
  return 6;
}

double nvlinkBandwidth(int capability) { return lookUp(kNvlink, capability); }

// Made for 46 GB/s in a direction; four fifths of that reach programs, as with NVLink.
double xgmiBandwidth() { return 36; }

double transfersOf(const std::string& speed) {
  char* end = nullptr;
  const double value = std::strtod(speed.c_str(), &end);
  const bool isSpeed = end != speed.c_str() && std::string(end).starts_with(" GT/s");
  return isSpeed && value > 0 && value < 1e6 ? value : 0;
}

double pciBandwidth(const std::string& speed, int lanes) {
  const double transfers = transfersOf(speed);
  const auto* lane = std::find_if(std::begin(kLanes), std::end(kLanes),
                                  [&](const Lane& one) { return one.transfers == transfers; });
  return (lane == std::end(kLanes) ? kUnknownLane : lane->bandwidth) * (lanes > 0 ? lanes : 16);
}

}  // namespace musashim::mccl::topology
