#include "mccl/sim/fabric_file.h"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "mccl/core/log.h"

namespace musashim::mccl::sim {
namespace {

struct Mistake {
  int line;
  std::string text;
};

int lineOf(const YAML::Node& node) { return node.Mark().line + 1; }

std::string textOf(const YAML::Node& node) {
  if (!node.IsScalar()) throw Mistake{lineOf(node), "a single value is expected here"};
  return node.Scalar();
}

// A number with one of some units behind it.
double quantity(const YAML::Node& node, const std::map<std::string, double>& units, const char* example) {
  const std::string text = textOf(node);
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const auto unit = units.find(end);
  if (end == text.c_str() || unit == units.end() || !std::isfinite(number) || number < 0)
    throw Mistake{lineOf(node), fmt::format("\"{}\" is not like {}", text, example)};
  return number * unit->second;
}

double speedOf(const YAML::Node& node) {
  const double speed = quantity(
      node, {{"G", .125}, {"Gb/s", .125}, {"M", .000125}, {"Mb/s", .000125}, {"GB/s", 1}}, "200G or 25GB/s");
  if (speed == 0) throw Mistake{lineOf(node), "a speed of 0; a link that carries nothing is \"state: dead\""};
  return speed;
}
double latencyOf(const YAML::Node& node) {
  return quantity(node, {{"us", 1}, {"ns", .001}, {"ms", 1000}}, "1.5us, 300ns or 1ms");
}
int countOf(const YAML::Node& node) {
  const double count = quantity(node, {{"", 1}}, "16");
  if (count < 1 || count > 65536 || count != std::floor(count))
    throw Mistake{lineOf(node), fmt::format("\"{}\" is no number from 1 to 65536", textOf(node))};
  return static_cast<int>(count);
}
double ratioOf(const YAML::Node& node) {
  const double ratio = quantity(node, {{"", 1}}, "2");
  if (ratio < .01 || ratio > 1000)
    throw Mistake{lineOf(node), fmt::format("\"{}\" is no ratio from 0.01 to 1000", textOf(node))};
  return ratio;
}

template <class Value>
Value oneOf(const YAML::Node& node, const std::map<std::string, Value>& known) {
  const auto found = known.find(textOf(node));
  if (found != known.end()) return found->second;
  std::string names;
  for (const auto& [name, value] : known) names += (names.empty() ? "" : ", ") + name;
  throw Mistake{lineOf(node), fmt::format("\"{}\"; known are {}", node.Scalar(), names)};
}

using Readers = std::map<std::string, std::function<void(const YAML::Node&)>>;

void readMap(const YAML::Node& map, const Readers& readers) {
  if (!map.IsMap()) throw Mistake{lineOf(map), "a list of \"name: value\" is expected here"};
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const std::string key = textOf(entry.first);
    const auto reader = readers.find(key);
    if (reader == readers.end()) {
      std::string names;
      for (const auto& [name, function] : readers) names += (names.empty() ? "" : ", ") + name;
      throw Mistake{lineOf(entry.first), fmt::format("\"{}\" is not known; {} are", key, names)};
    }
    if (!seen.insert(key).second)
      throw Mistake{lineOf(entry.first), fmt::format("\"{}\" is there twice", key)};
    reader->second(entry.second);
  }
}

void readLink(const YAML::Node& node, LinkSpeed& link) {
  readMap(node, {{"speed", [&](const YAML::Node& value) { link.bandwidth = speedOf(value); }},
                 {"latency", [&](const YAML::Node& value) { link.latency = latencyOf(value); }}});
}

LinkChange readChange(const YAML::Node& node) {
  LinkChange change;
  change.line = lineOf(node);
  readMap(node, {{"link", [&](const YAML::Node& value) { change.name = textOf(value); }},
                 {"speed", [&](const YAML::Node& value) { change.bandwidth = speedOf(value); }},
                 {"latency", [&](const YAML::Node& value) { change.latency = latencyOf(value); }},
                 {"state", [&](const YAML::Node& value) {
                    change.isDead = oneOf<bool>(value, {{"dead", true}, {"up", false}});
                  }}});
  if (change.name.empty()) throw Mistake{change.line, "a link without its name (link: host3/nic0)"};
  return change;
}

void readOversubscription(const YAML::Node& node, FabricFile& fabric) {
  if (!node.IsSequence()) {
    fabric.leafOversubscription = ratioOf(node);
    return;
  }
  if (node.size() < 1 || node.size() > 2)
    throw Mistake{lineOf(node), "one or two ratios are expected: of the leaves, and of the spines"};
  fabric.leafOversubscription = ratioOf(node[0]);
  if (node.size() == 2) fabric.spineOversubscription = ratioOf(node[1]);
}

void readAll(const YAML::Node& root, FabricFile& fabric) {
  const auto count = [](int& to) { return [&to](const YAML::Node& value) { to = countOf(value); }; };
  const auto link = [](LinkSpeed& to) { return [&to](const YAML::Node& value) { readLink(value, to); }; };
  fabric.levels = 2;
  readMap(
      root,
      {{"topology",
        [&](const YAML::Node& value) {
          fabric.shape = oneOf<Shape>(value, {{"fat-tree", Shape::kFatTree},
                                              {"rail-optimised", Shape::kRailOptimised},
                                              {"rail-optimized", Shape::kRailOptimised}});
        }},
       {"levels",
        [&](const YAML::Node& value) {
          fabric.levels = countOf(value);
          if (fabric.levels > 3) throw Mistake{lineOf(value), "levels from 1 to 3 are known"};
        }},
       {"routing",
        [&](const YAML::Node& value) {
          fabric.routing = oneOf<Routing>(value, {{"spread", Routing::kSpread}, {"hash", Routing::kHash}});
        }},
       {"hosts-per-leaf", count(fabric.hostsPerLeaf)},
       {"leaves-per-pod", count(fabric.leavesPerPod)},
       {"spines", count(fabric.spines)},
       {"cores", count(fabric.cores)},
       {"oversubscription", [&](const YAML::Node& value) { readOversubscription(value, fabric); }},
       {"host-link", link(fabric.host)},
       {"spine-link", link(fabric.spine)},
       {"core-link", link(fabric.core)},
       {"message-gap", [&](const YAML::Node& value) { fabric.messageGap = latencyOf(value); }},
       {"links", [&](const YAML::Node& value) {
          if (!value.IsSequence()) throw Mistake{lineOf(value), "a list of links is expected here"};
          for (const YAML::Node& one : value) fabric.changes.push_back(readChange(one));
        }}});
}

}  // namespace

mcclResult_t parseFabric(const std::string& text, const std::string& name, FabricFile& fabric) {
  fabric = {};
  fabric.name = name;
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) return fail(mcclInvalidUsage, "{}:1: no description of a fabric", name);
    readAll(root, fabric);
  } catch (const Mistake& mistake) {
    return fail(mcclInvalidUsage, "{}:{}: {}", name, mistake.line, mistake.text);
  } catch (const YAML::Exception& error) {
    return fail(mcclInvalidUsage, "{}:{}: no YAML: {}", name, error.mark.line + 1, error.msg);
  }
  return mcclSuccess;
}

mcclResult_t readFabric(const std::string& path, FabricFile& fabric) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.fail()) return fail(mcclSystemError, "{}: cannot be read", path);
  return parseFabric(text.str(), path, fabric);
}

}  // namespace musashim::mccl::sim
