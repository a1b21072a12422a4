// What the ranks of one host do with those of others: collectives, by the thread of the host's first rank for
// all of them, and the connections of each rank.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "mccl/engine/clique.h"
#include "mccl/hosts/agreement.h"
#include "mccl/hosts/collective_run.h"
#include "mccl/hosts/host_map.h"
#include "mccl/hosts/link.h"

namespace musashim::mccl {

class HostExchange final : public Beyond {
 public:
  // Both outlive it.
  HostExchange(const Roster& roster, Clique& clique);

  const HostMap& hosts() const { return hosts_; }
  const Roster& roster() const { return roster_; }

  bool isRunBy(int rank) const override { return rank == 0; }
  bool run(uint64_t sequence, std::span<const CollectiveTask* const> tasks, Clock::time_point until) override;

  // Of a rank of this process; one thread per rank at a time.
  Link& messageLink(int rank, int peer, bool isOut);

  // Waits a little for one of these to move on.
  void await(std::span<Link* const> links, Clock::time_point until);

  // Tells the clique why a connection of `rank` with `peer` does not go on.
  void fail(mcclResult_t result, int rank, int peer, const std::string& call);

 private:
  using Key = std::pair<std::pair<int, int>, std::pair<LinkName, bool>>;

  Link& linkOf(int rank, int peer, const LinkName& name, bool isOut, const LinkRoute& route);
  Link& channelLink(int host, Phase phase, int lane, bool isOut);
  bool agree(const std::string& call, Clock::time_point until);
  void failAsMismatch(int rank, const std::string& call, int peer, std::span<const char> other);
  bool isInAnotherCall(int rank, const std::string& call);
  bool prepare(uint64_t sequence, std::span<const CollectiveTask* const> tasks);

  const Roster& roster_;
  Clique& clique_;
  const HostMap hosts_;
  const ChannelPlan plan_;
  Agreement agreement_;
  std::mutex mutex_;
  std::map<Key, std::unique_ptr<Link>> links_;
  CollectiveRun run_;
};

}  // namespace musashim::mccl
