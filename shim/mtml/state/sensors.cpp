#include "mtml/state/sensors.h"

#include <algorithm>

namespace musashim::mtml {
namespace {

// The first DRM device that renders; the primary ones begin at 0.
constexpr unsigned int kFirstRenderer = 128;

unsigned int between(unsigned int idle, unsigned int full, unsigned int device) {
  const double share = utilization(device) / 100.0;
  return static_cast<unsigned int>(idle + (static_cast<double>(full) - idle) * share + 0.5);
}

}  // namespace

unsigned int celsius(unsigned int device, const MUshimDevice& facts) {
  return facts.hasTemperature ? facts.celsius : between(facts.idleCelsius, facts.fullCelsius, device);
}

unsigned int milliwatts(unsigned int device, const MUshimDevice& facts) {
  if (facts.hasPower) return facts.milliwatts;
  return std::min(between(facts.idleMilliwatts, facts.fullMilliwatts, device), facts.powerLimitMilliwatts);
}

unsigned int fanPercent(unsigned int device, const MUshimDevice& facts) {
  return facts.hasFan ? facts.fanPercent : between(facts.idleFanPercent, facts.fullFanPercent, device);
}

std::string gpuPath(unsigned int device) { return "/dev/mtgpu." + std::to_string(device); }
std::string primaryPath(unsigned int device) { return "/dev/dri/card" + std::to_string(device); }
std::string renderPath(unsigned int device) {
  return "/dev/dri/renderD" + std::to_string(kFirstRenderer + device);
}

}  // namespace musashim::mtml
