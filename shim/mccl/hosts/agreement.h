// What hosts agree on before any of a communicator's collectives goes between them: as many channels as all
// have, what each host has at their ends, and what a message costs. Each host's first rank tells the first
// host's, which answers all.
#pragma once

#include <span>
#include <vector>

#include "mccl.h"
#include "mccl/hosts/choice.h"
#include "mccl/hosts/host_map.h"
#include "mccl/topology/channel_plan.h"

namespace musashim::mccl {

class Agreement {
 public:
  // `own`: of this host, by places of its ranks. The others outlive it.
  Agreement(const Roster& roster, const HostMap& hosts, const ChannelPlan& own);

  // Moves on; to be called again until isReached(). Fails, with failedPeer(), where a host is not reached.
  mcclResult_t progress();
  bool isReached() const { return isReached_; }
  int failedPeer() const { return failedPeer_; }

  const Fabric& fabric() const { return fabric_; }
  // Ranks of a host in the order of a channel's ring or tree.
  const std::vector<int>& ring(int host, int channel) const { return at(host).rings[index(channel)]; }
  const std::vector<int>& tree(int host, int channel) const { return at(host).trees[index(channel)]; }

  // Tells the log of rings and trees, in NCCL's words.
  void report() const;

 private:
  struct Orders {
    std::vector<std::vector<int>> rings, trees;  // ranks, by channel
  };
  struct Header;

  static size_t index(int channel) { return static_cast<size_t>(channel); }
  const Orders& at(int host) const { return orders_[static_cast<size_t>(host)]; }
  Orders& at(int host) { return orders_[static_cast<size_t>(host)]; }
  mcclResult_t collect();
  mcclResult_t ask();
  mcclResult_t tell(int host, uint64_t number, const std::vector<char>& text);
  void merge(const Header& header);
  std::vector<char> textOf(const Header& header, int firstHost, int lastHost) const;
  bool read(std::span<const char> text, int firstHost, int lastHost, Header& header);
  std::string treeAt(int rank, int channel, int tree) const;

  const Roster& roster_;
  const HostMap& hosts_;
  Fabric fabric_;
  std::vector<Orders> orders_;  // by host
  std::vector<bool> isHere_;    // by host: has told
  bool isReached_ = false, hasAsked_ = false;
  int failedPeer_ = -1;
};

}  // namespace musashim::mccl
