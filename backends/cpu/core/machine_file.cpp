#include "cpu/core/machine_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <pugixml.hpp>

namespace musashim::backend::cpu {
namespace {

struct Found {
  int number;
  PciAddress place;
};

// "0000:10:1c.0"
std::optional<PciAddress> placeOf(const char* text) {
  unsigned domain = 0, bus = 0, device = 0, function = 0;
  int length = 0;
  const bool isPlace =
      std::sscanf(text, "%4x:%2x:%2x.%1x%n", &domain, &bus, &device, &function, &length) == 4 &&
      static_cast<size_t>(length) == std::strlen(text) && device < 32 && function == 0;
  if (!isPlace) return std::nullopt;
  return PciAddress{static_cast<int>(domain), static_cast<int>(bus), static_cast<int>(device)};
}

// Visits the document without going down by calls, however deep it is.
class Walker : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    if (std::strcmp(node.name(), "pci") != 0) return true;
    const std::optional<PciAddress> place = placeOf(node.attribute("busid").value());
    if (!place) return true;
    if (const pugi::xml_node gpu = node.child("gpu")) {
      devices.push_back({gpu.attribute("dev").as_int(static_cast<int>(devices.size())), *place});
    } else if (std::strncmp(node.attribute("class").value(), "0x03", 4) == 0) {
      displays.push_back({static_cast<int>(displays.size()), *place});
    }
    return true;
  }
  std::vector<Found> devices, displays;
};

}  // namespace

std::vector<PciAddress> devicesOfMachine(const std::string& path) {
  pugi::xml_document document;
  if (!document.load_file(path.c_str())) return {};
  Walker walker;
  document.traverse(walker);
  std::vector<Found>& found = walker.devices.empty() ? walker.displays : walker.devices;
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.number < b.number; });
  std::vector<PciAddress> places;
  for (const Found& one : found) places.push_back(one.place);
  return places;
}

}  // namespace musashim::backend::cpu
