#include "mccl/topology/graph.h"

#include <fmt/format.h>

#include <cstring>

#include "mccl/core/log.h"

namespace musashim::mccl::topology {
namespace {

void append(pugi::xml_node channel, const char* name, int dev) {
  channel.append_child(name).append_attribute("dev").set_value(fmt::format("{:#x}", dev).c_str() +
                                                               (dev ? 0 : 2));
}

bool typeNamed(const char* name, PathType& type) {
  for (int i = 0; i <= static_cast<int>(PathType::kDis); ++i) {
    type = static_cast<PathType>(i);
    if (std::strcmp(nameOf(type), name) == 0) return true;
  }
  return false;
}

mcclResult_t readChannel(pugi::xml_node element, const std::string& name, Channel& channel) {
  for (const pugi::xml_node child : element.children()) {
    const int dev = child.attribute("dev").as_int(-1);
    const bool isNet = std::strcmp(child.name(), "net") == 0;
    if (dev < 0 || (!isNet && std::strcmp(child.name(), "gpu") != 0)) {
      return fail(mcclInvalidUsage,
                  "{}: a <channel> with <{} dev=\"{}\">; <gpu> and <net> with a number are known", name,
                  child.name(), child.attribute("dev").value());
    }
    if (!isNet) {
      channel.gpus.push_back(dev);
    } else if (channel.gpus.empty()) {
      channel.netIn = dev;
    } else {
      channel.netOut = dev;
    }
  }
  return mcclSuccess;
}

mcclResult_t readGraph(pugi::xml_node element, const std::string& name, Graph& graph) {
  const int id = element.attribute("id").as_int(-1), pattern = element.attribute("pattern").as_int();
  if (id < 0 || id > 4 || pattern < 1 || pattern > 6) {
    return fail(mcclInvalidUsage,
                "{}: <graph id=\"{}\" pattern=\"{}\">; ids 0 to 4 and patterns 1 to 6 are known", name, id,
                pattern);
  }
  graph.id = static_cast<GraphId>(id);
  graph.pattern = static_cast<Pattern>(pattern);
  graph.crossNic = element.attribute("crossnic").as_int();
  graph.speedIntra = element.attribute("speedintra").as_double();
  graph.speedInter = element.attribute("speedinter").as_double();
  graph.latencyInter = element.attribute("latencyinter").as_double();
  graph.sameChannels = element.attribute("samechannels").as_int() != 0;
  for (const auto& [attribute, type] :
       {std::pair{"typeintra", &graph.typeIntra}, {"typeinter", &graph.typeInter}}) {
    const char* value = element.attribute(attribute).value();
    if (!typeNamed(value, *type))
      return fail(mcclInvalidUsage, "{}: {}=\"{}\" is no type of path", name, attribute, value);
  }
  for (const pugi::xml_node child : element.children("channel")) {
    if (graph.channels.size() == kMostChannels) {
      return fail(mcclInvalidUsage, "{}: graph {} has more than {} channels", name, id, kMostChannels);
    }
    MCCL_RETURN_IF_ERROR(readChannel(child, name, graph.channels.emplace_back()));
  }
  const auto count = element.attribute("nchannels").as_uint();
  if (count != graph.channels.size()) {
    return fail(mcclInvalidUsage, "{}: graph {} says nchannels=\"{}\" and has {}", name, id, count,
                graph.channels.size());
  }
  return mcclSuccess;
}

}  // namespace

void writeGraphs(const std::vector<Graph>& graphs, pugi::xml_document& document) {
  document.reset();
  pugi::xml_node root = document.append_child("graphs");
  root.append_attribute("version").set_value("1");
  for (const Graph& graph : graphs) {
    pugi::xml_node element = root.append_child("graph");
    const auto set = [&](const char* name, const std::string& value) {
      element.append_attribute(name).set_value(value.c_str());
    };
    set("id", fmt::format("{}", static_cast<int>(graph.id)));
    set("pattern", fmt::format("{}", static_cast<int>(graph.pattern)));
    set("crossnic", fmt::format("{}", graph.crossNic));
    set("nchannels", fmt::format("{}", graph.channels.size()));
    set("speedintra", fmt::format("{:g}", graph.speedIntra));
    set("speedinter", fmt::format("{:g}", graph.speedInter));
    set("latencyinter", fmt::format("{:g}", graph.latencyInter));
    set("typeintra", nameOf(graph.typeIntra));
    set("typeinter", nameOf(graph.typeInter));
    set("samechannels", graph.sameChannels ? "1" : "0");
    for (const Channel& channel : graph.channels) {
      pugi::xml_node one = element.append_child("channel");
      if (channel.netIn >= 0) append(one, "net", channel.netIn);
      for (const int dev : channel.gpus) append(one, "gpu", dev);
      if (channel.netOut >= 0) append(one, "net", channel.netOut);
    }
  }
}

mcclResult_t readGraphs(const pugi::xml_document& document, const std::string& name,
                        std::vector<Graph>& graphs) {
  const pugi::xml_node root = document.document_element();
  if (root.attribute("version").as_int() != 1) {
    return fail(mcclInvalidUsage, "{}: <graphs version=\"{}\">; version 1 is known", name,
                root.attribute("version").value());
  }
  for (const pugi::xml_node element : root.children("graph")) {
    MCCL_RETURN_IF_ERROR(readGraph(element, name, graphs.emplace_back()));
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl::topology
