#include "mccl/comm/derive.h"

#include <algorithm>
#include <vector>

#include "mccl/bootstrap/join.h"
#include "mccl/bootstrap/meeting.h"
#include "mccl/bootstrap/unique_id.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

bool isDead(Segment& segment, int rank) { return segment.rank(rank).presence.load() == RankState::kDead; }

// Meets the others of `group` (ranks of the parent, in the new order).
void meet(const std::shared_ptr<Member>& parent, int kind, uint64_t number, std::span<const int> group,
          const std::shared_ptr<Member>& child) {
  Clique& clique = parent->clique();
  Segment& segment = clique.segment();
  const int leader = group.front();
  SplitEntry& entry = segment.split(kind, number, leader);
  if (leader == parent->rank()) {
    const mcclResult_t result = makeUniqueId(entry.invitation);
    if (result != mcclSuccess) return child->reject(result);
    entry.invited.store(number + 1, std::memory_order_release);
    clique.waitPoint().notify();
  }
  const auto invited = [&] { return entry.invited.load(std::memory_order_acquire) == number + 1; };
  clique.waitPoint().wait([&] { return invited() || child->cancelled() || isDead(segment, leader); });
  if (!invited()) {
    return child->reject(fail(mcclRemoteError, "{} does not take part in making the new communicator",
                              parent->communicator().roster().ranks[leader].describe(leader)));
  }
  const auto place = std::find(group.begin(), group.end(), parent->rank()) - group.begin();
  joinBy(entry.invitation, static_cast<int>(group.size()), static_cast<int>(place), child);
}

}  // namespace

void splitAcross(const std::shared_ptr<Member>& parent, uint64_t number, int color, int key,
                 const std::shared_ptr<Member>& child) {
  Clique& clique = parent->clique();
  Segment& segment = clique.segment();
  SplitEntry& own = segment.split(0, number, parent->rank());
  own.color = color;
  own.key = key;
  own.posted.store(number + 1, std::memory_order_release);
  clique.waitPoint().notify();
  const auto allPosted = [&] {
    for (int rank = 0; rank < clique.ranks(); ++rank) {
      if (segment.split(0, number, rank).posted.load(std::memory_order_acquire) != number + 1) return false;
    }
    return true;
  };
  clique.waitPoint().wait([&] { return allPosted() || child->cancelled() || clique.stopped(); });
  if (!allPosted()) {
    return child->reject(
        fail(mcclRemoteError, "CommSplit : not all ranks take part: {}", clique.errorText()));
  }
  if (color == MCCL_SPLIT_NOCOLOR) return child->reject(mcclSuccess);
  std::vector<int> group;
  for (int rank = 0; rank < clique.ranks(); ++rank) {
    if (segment.split(0, number, rank).color == color) group.push_back(rank);
  }
  std::sort(group.begin(), group.end(), [&](int a, int b) {
    const int keyA = segment.split(0, number, a).key, keyB = segment.split(0, number, b).key;
    return keyA != keyB ? keyA < keyB : a < b;
  });
  meet(parent, 0, number, group, child);
}

void shrinkAcross(const std::shared_ptr<Member>& parent, uint64_t number, std::span<const int> survivors,
                  const std::shared_ptr<Member>& child) {
  meet(parent, 1, number, survivors, child);
}

void joinBy(const mcclUniqueId& id, int ranks, int rank, const std::shared_ptr<Member>& member) {
  IdContent content;
  if (const mcclResult_t result = readUniqueId(id, content); result != mcclSuccess)
    return member->reject(result);
  if (!isHere(content)) return joinRemote(content, ranks, rank, member);
  std::shared_ptr<Meeting> meeting;
  if (const mcclResult_t result = meetingOf(content, ranks, meeting); result != mcclSuccess) {
    return member->reject(result);
  }
  member->setMeeting(meeting);
  (void)meeting->join(rank, {member, 0, rank});
}

}  // namespace musashim::mccl
