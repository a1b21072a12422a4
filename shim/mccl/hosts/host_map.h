// The hosts of a communicator, in the order of their first ranks.
#pragma once

#include <string>
#include <vector>

#include "mccl/comm/roster.h"

namespace musashim::mccl {

struct Host {
  MachineToken machine{};
  std::string name;
  std::vector<int> ranks;
  int leader() const { return ranks.front(); }  // its rank that speaks for all of them
};

class HostMap {
 public:
  explicit HostMap(const Roster& roster);

  int count() const { return static_cast<int>(hosts_.size()); }
  const Host& at(int host) const { return hosts_[static_cast<size_t>(host)]; }
  int hostOf(int rank) const { return hostOf_[static_cast<size_t>(rank)]; }
  int own() const { return own_; }

 private:
  std::vector<Host> hosts_;
  std::vector<int> hostOf_;  // by rank
  int own_ = 0;
};

}  // namespace musashim::mccl
