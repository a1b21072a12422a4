// Unique ids, and the meetings that they name.
//
// An id names a meeting in the process that made it; ranks of other processes come to it
// over a socket (bootstrap/). The id's secrets show that both sides know the id.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "mccl.h"
#include "mccl/bootstrap/meeting.h"
#include "mccl/net/address.h"

namespace musashim::mccl {

using Secret = std::array<uint64_t, 2>;

// What an mcclUniqueId holds.
struct IdContent {
  char magic[8];
  uint64_t serial;    // among the ids of the process; 0: MCCL_COMM_ID, made by whoever is rank 0
  Secret rankSecret;  // shown by a rank that comes
  Secret rootSecret;  // shown by the process that is come to
  ProcessToken process;
  int32_t pid;
  SocketAddress address;  // unset: the id is valid in its own process only
  char host[32];
};
static_assert(sizeof(IdContent) <= sizeof(mcclUniqueId));

// `forOthers`: ranks of other processes may use it.
mcclResult_t makeUniqueId(mcclUniqueId& id, bool forOthers = true);

// mcclInvalidArgument when `id` was not made by makeUniqueId().
mcclResult_t readUniqueId(const mcclUniqueId& id, IdContent& content);

// Whether the meeting is in this process; if not, a rank has to go there.
bool isHere(const IdContent& content);

// Opens the meeting of an id that the environment gave, in rank 0's process: MCCL_COMM_ID.
mcclResult_t hostMeeting(const IdContent& content);

// The id of this process that has this serial and secret; false when there is none.
bool findIssued(uint64_t serial, const Secret& rankSecret, IdContent& content);

// Those of this process that some ranks have come to, and not all.
std::vector<std::shared_ptr<Meeting>> openMeetings();

// The meeting here of `ranks` ranks that an id names. mcclInvalidUsage: unknown, already used,
// or joined with another number of ranks.
mcclResult_t meetingOf(const IdContent& content, int ranks, std::shared_ptr<Meeting>& meeting);
mcclResult_t meetingOf(const mcclUniqueId& id, int ranks, std::shared_ptr<Meeting>& meeting);

}  // namespace musashim::mccl
