#include "mccl/comm/config.h"

#include <algorithm>
#include <cstring>

#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

constexpr unsigned kMagic = 0xcafebeef;

struct Range {
  const char* name;
  int mcclConfig_t::* field;
  int low, high;
};

constexpr Range kRanges[] = {
    {"blocking", &mcclConfig_t::blocking, 0, 1},
    {"cgaClusterSize", &mcclConfig_t::cgaClusterSize, 0, INT_MAX},
    {"minCTAs", &mcclConfig_t::minCTAs, 1, INT_MAX},
    {"maxCTAs", &mcclConfig_t::maxCTAs, 1, INT_MAX},
    {"splitShare", &mcclConfig_t::splitShare, 0, 1},
    {"collnetEnable", &mcclConfig_t::collnetEnable, 0, 1},
    {"CTAPolicy", &mcclConfig_t::CTAPolicy, MCCL_CTA_POLICY_DEFAULT,
     MCCL_CTA_POLICY_EFFICIENCY | MCCL_CTA_POLICY_ZERO},
    {"shrinkShare", &mcclConfig_t::shrinkShare, 0, 1},
    {"nvlsCTAs", &mcclConfig_t::nvlsCTAs, 1, INT_MAX},
    {"nChannelsPerNetPeer", &mcclConfig_t::nChannelsPerNetPeer, 1, INT_MAX},
    {"nvlinkCentricSched", &mcclConfig_t::nvlinkCentricSched, 0, 1},
};

}  // namespace

mcclResult_t parseConfig(const mcclConfig_t* config, CommOptions& options) {
  if (!config) return mcclSuccess;
  if (config->magic != kMagic) {
    return fail(mcclInvalidArgument, "mcclConfig_t argument not initialized via MCCL_CONFIG_INITIALIZER");
  }
  mcclConfig_t full = MCCL_CONFIG_INITIALIZER;  // what an older caller does not have stays undefined
  std::memcpy(static_cast<void*>(&full), config, std::min(config->size, sizeof full));
  for (const Range& range : kRanges) {
    const int value = full.*range.field;
    if (value == MCCL_CONFIG_UNDEF_INT || (value >= range.low && value <= range.high)) continue;
    return fail(mcclInvalidArgument, "Invalid config {} attribute value {}", range.name, value);
  }
  if (full.minCTAs != MCCL_CONFIG_UNDEF_INT && full.maxCTAs != MCCL_CONFIG_UNDEF_INT &&
      full.minCTAs > full.maxCTAs) {
    return fail(mcclInvalidArgument, "Invalid config min/max CTAs attribute value {}/{}", full.minCTAs,
                full.maxCTAs);
  }
  if (full.blocking != MCCL_CONFIG_UNDEF_INT) options.blocking = full.blocking == 1;
  if (full.commName) options.name = full.commName;
  return mcclSuccess;
}

}  // namespace musashim::mccl
