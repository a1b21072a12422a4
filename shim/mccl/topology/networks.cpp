#include "mccl/topology/networks.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mccl/net/net.h"

namespace musashim::mccl::topology {
namespace {

pugi::xml_node find(const pugi::xml_document& document, const std::string& name) {
  return document.find_node([&](const pugi::xml_node& node) {
    return std::string_view(node.name()) == "net" && node.attribute("name").value() == name;
  });
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) attribute = node.append_attribute(name);
  attribute.set_value(value.c_str());
}

int countNetworks(const pugi::xml_node& node) {
  int count = std::string_view(node.name()) == "net" ? 1 : 0;
  for (const pugi::xml_node& child : node.children()) count += countNetworks(child);
  return count;
}

pugi::xml_node add(pugi::xml_document& document, const NetProperties& properties) {
  pugi::xml_node net = document.child("system").child("cpu").append_child("nic").append_child("net");
  set(net, "name", properties.name);
  set(net, "dev", std::to_string(countNetworks(document) - 1));
  set(net, "latency", fmt::format("{:g}", properties.latencyUs));
  set(net, "speed", std::to_string(properties.speedMbps));
  set(net, "port", std::to_string(properties.port));
  set(net, "guid", fmt::format("{:#x}", properties.guid));
  set(net, "maxconn", "65536");
  return net;
}

// What the network layer does not use carries nothing. Numbers are without gaps.
void keepOnly(pugi::xml_node node, const std::vector<std::string>& names, int& next) {
  for (pugi::xml_node child = node.first_child(); child;) {
    const pugi::xml_node following = child.next_sibling();
    if (std::string_view(child.name()) != "net") {
      keepOnly(child, names, next);
    } else if (std::ranges::find(names, child.attribute("name").value()) == names.end()) {
      node.remove_child(child);
    } else {
      set(child, "dev", std::to_string(next++));
    }
    child = following;
  }
}

void markGpus(pugi::xml_node node) {
  if (std::string_view(node.name()) == "gpu") set(node, "gdr", "1");
  for (pugi::xml_node child : node.children()) markGpus(child);
}

}  // namespace

void markNetworks(pugi::xml_document& document) {
  Net* const net = theNet();
  if (!net) return;
  bool takesAny = false;
  std::vector<std::string> names;
  for (int device = 0; device < net->devices(); ++device) {
    NetProperties properties;
    if (net->properties(device, properties) != mcclSuccess) continue;
    names.push_back(properties.name);
    pugi::xml_node found = find(document, properties.name);
    if (!found && properties.pciPath.empty() && properties.name != "lo") found = add(document, properties);
    if (!found) continue;
    set(found, "gdr", properties.takesDeviceMemory ? "1" : "0");
    takesAny = takesAny || properties.takesDeviceMemory;
  }
  if (takesAny) markGpus(document);
  int next = 0;
  keepOnly(document, names, next);
}

}  // namespace musashim::mccl::topology
