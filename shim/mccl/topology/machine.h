// The model of a machine: nodes, and directed links with their bandwidth. It is made from the XML and not
// changed afterwards.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/topology/bandwidth.h"

namespace musashim::mccl::topology {

enum class NodeType { kGpu, kPci, kSwitch, kCpu, kNic, kNet };  // kSwitch: of NVLink or MTLink
enum class LinkType { kNvl, kPci, kSys, kNet };

struct Link {
  LinkType type;
  int from, to;  // nodes
  double bandwidth;
};

struct Node {
  NodeType type;
  std::string id;          // bus id, NUMA number or name
  std::vector<int> links;  // that begin here
  // Of a GPU: its number and rank, its architecture. Of a network device: its number.
  int dev = -1, rank = -1, capability = 0;
  bool gdr = false;
  double latency = 0;   // of a network device, us
  int port = 0;         // as above
  Processor processor;  // of a CPU
};

class Machine {
 public:
  // The machine that <system> describes. Elements that say nothing usable are left out with an INFO line;
  // mcclInvalidUsage where nothing sensible can be made of it.
  static mcclResult_t make(const pugi::xml_document& document, const std::string& name, Machine& machine);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Link>& links() const { return links_; }
  const Node& node(int index) const { return nodes_[static_cast<size_t>(index)]; }
  const Link& link(int index) const { return links_[static_cast<size_t>(index)]; }
  // In the order of their numbers (GPUs, network devices) or of the document.
  const std::vector<int>& gpus() const { return gpus_; }
  const std::vector<int>& nets() const { return nets_; }
  const std::vector<int>& cpus() const { return cpus_; }

 private:
  friend class MachineReader;

  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<int> gpus_, nets_, cpus_;
};

}  // namespace musashim::mccl::topology
