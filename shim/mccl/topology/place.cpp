#include "mccl/topology/place.h"

#include <strings.h>

#include <algorithm>
#include <map>
#include <set>

#include "mccl/topology/document.h"

namespace musashim::mccl::topology {
namespace {

bool isAt(pugi::xml_node pci, const std::string& bus) {
  return strcasecmp(pci.attribute("busid").as_string(), bus.c_str()) == 0;
}

std::vector<pugi::xml_node> cpusOf(const pugi::xml_document& document) {
  const auto cpus = document.document_element().children("cpu");
  return {cpus.begin(), cpus.end()};
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// By the devices' own data sheets (S4000): PCI Express 4.0 with 16 lanes.
pugi::xml_node hang(pugi::xml_node cpu, const std::string& bus) {
  pugi::xml_node pci = cpu.append_child("pci");
  setAttribute(pci, "busid", lower(bus));
  setAttribute(pci, "class", "0x030200");
  setAttribute(pci, "link_speed", "16.0 GT/s PCIe");
  setAttribute(pci, "link_width", "16");
  return pci;
}

// In place, or not at all: NICs and switches stay.
void takeOutOthers(pugi::xml_node element, const std::vector<RankDevice>& ranks) {
  for (pugi::xml_node child = element.first_child(); child;) {
    const pugi::xml_node next = child.next_sibling();
    const bool isWanted =
        std::ranges::any_of(ranks, [&](const RankDevice& one) { return isAt(child, one.bus); });
    if (child.child("gpu") && !isWanted) {
      element.remove_child(child);
    } else {
      takeOutOthers(child, ranks);
    }
    child = next;
  }
}

}  // namespace

bool placeRanks(std::vector<RankDevice> ranks, pugi::xml_document& document) {
  std::set<std::string> buses;
  std::set<int> devices;
  for (const RankDevice& one : ranks) {
    if (one.bus.empty() || !buses.insert(lower(one.bus)).second) return false;
    devices.insert(one.device);
  }
  // Processes may see different devices, and number them from 0.
  if (devices.size() != ranks.size()) {
    for (RankDevice& one : ranks)
      one.device = static_cast<int>(std::distance(buses.begin(), buses.find(lower(one.bus))));
  }
  takeOutOthers(document.document_element(), ranks);
  std::vector<pugi::xml_node> cpus = cpusOf(document);
  if (cpus.empty()) {
    cpus.push_back(document.document_element().append_child("cpu"));
    setAttribute(cpus.back(), "numaid", "0");
  }
  for (size_t i = 0; i < ranks.size(); ++i) {
    const RankDevice& one = ranks[i];
    pugi::xml_node pci = document.find_node([&](pugi::xml_node node) { return isAt(node, one.bus); });
    if (!pci) pci = hang(cpus[i * cpus.size() / ranks.size()], one.bus);
    pugi::xml_node gpu = pci.child("gpu");
    if (!gpu) gpu = pci.append_child("gpu");
    initAttribute(gpu, "dev", std::to_string(one.device));
    initAttribute(gpu, "sm", std::to_string(one.capability));
    setAttribute(gpu, "rank", std::to_string(one.rank));
    initAttribute(gpu, "gdr", "0");
  }
  return true;
}

void placeLinks(const std::vector<EmulatedLink>& links, pugi::xml_document& document) {
  const auto gpuAt = [&](const std::string& bus) {
    return document.find_node([&](pugi::xml_node node) { return isAt(node, bus); }).child("gpu");
  };
  const auto isTold = [](pugi::xml_node gpu) { return gpu.child("nvlink") || gpu.child("xgmi"); };
  std::vector<std::pair<pugi::xml_node, pugi::xml_node>> pairs;
  std::vector<int> counts;
  for (const EmulatedLink& link : links) {
    const pugi::xml_node gpu = gpuAt(link.bus), peer = gpuAt(link.peer);
    if (!gpu || !peer || isTold(gpu) || isTold(peer)) continue;
    pairs.emplace_back(gpu, peer);
    counts.push_back(link.count);
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (auto [gpu, peer] : {pairs[i], std::pair(pairs[i].second, pairs[i].first)}) {
      pugi::xml_node element = gpu.append_child("nvlink");
      setAttribute(element, "target", peer.parent().attribute("busid").as_string());
      setAttribute(element, "count", std::to_string(counts[i]));
      setAttribute(element, "tclass", "0x030200");
    }
  }
}

}  // namespace musashim::mccl::topology
