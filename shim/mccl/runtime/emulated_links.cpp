#include "mccl/runtime/emulated_links.h"

#include <fmt/core.h>

#include <mutex>
#include <string>
#include <vector>

#include "mccl/runtime/driver_calls.h"
#include "mccl/topology/plan.h"

namespace musashim::mccl {
namespace {

std::string busOf(unsigned int device) {
  MUshimDevice facts;
  if (driverCalls().monitor->device(device, &facts) != MUSA_SUCCESS) return "";
  return fmt::format("{:04X}:{:02X}:{:02X}.0", facts.pciDomain, facts.pciBus, facts.pciDevice);
}

std::vector<topology::EmulatedLink> findLinks() {
  unsigned int count = 0;
  if (!driverCalls().monitor || driverCalls().monitor->links(&count, nullptr) != MUSA_SUCCESS) return {};
  std::vector<MUshimLink> found(count);
  if (driverCalls().monitor->links(&count, found.data()) != MUSA_SUCCESS) return {};
  std::vector<topology::EmulatedLink> links;
  for (const MUshimLink& link : found)
    links.push_back({busOf(link.a), busOf(link.b), static_cast<int>(link.mtlinks)});
  return links;
}

}  // namespace

void tellEmulatedLinks() {
  static std::once_flag once;
  std::call_once(once, [] { topology::setEmulatedLinks(findLinks()); });
}

}  // namespace musashim::mccl
