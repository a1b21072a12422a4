// The ranks of this host tell each other about a piece of memory each: what windows are made of.
#pragma once

#include <vector>

#include "mccl/comm/member.h"

namespace musashim::mccl {

class MemoryExchange {
 public:
  // The next one of this rank: all ranks make them in the same order.
  explicit MemoryExchange(Member& member) : member_(member), number_(member.nextMemoryExchange()) {}

  void post(const MemoryCard& card);

  // Blocks until all ranks of this host have posted theirs; then these, by seats. mcclInvalidUsage when the
  // ranks do different things, or are not of one size; mcclRemoteError when one has ended, or the
  // communicator. `function`: for messages.
  mcclResult_t await(const char* function, std::vector<MemoryCard>& cards);

 private:
  mcclResult_t check(const char* function, const std::vector<MemoryCard>& cards) const;

  Member& member_;
  const uint64_t number_;
};

// How many ranks there are to an LSA team: teams are runs of ranks of one length, each on one host.
int lsaSizeOf(const Roster& roster);

}  // namespace musashim::mccl
