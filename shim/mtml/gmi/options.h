// The tool's command line.
#pragma once

#include <string>
#include <vector>

#include "mtml/gmi/query.h"

namespace musashim::gmi {

enum class View {
  kTable,
  kDevices,
  kList,
  kQuery,
  kTopology,     // topo -m
  kGpuTopology,  // topo -mg
  kPeers,        // topo -p2p
  kLinkStates,   // mtlink -s
  kLinkPeers,    // mtlink -r
  kMonitor,      // dmon
  kVersion,
  kHelp
};

struct Options {
  View view = View::kTable;
  std::vector<unsigned int> devices;  // none: all
  Query query;
  double everySeconds = 0;  // 0: once
  unsigned int times = 0;   // 0: until it is ended
  std::string error;        // not empty: what is wrong with the command line
};

Options parse(const std::vector<std::string>& arguments);
std::string help();

}  // namespace musashim::gmi
