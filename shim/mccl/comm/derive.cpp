#include "mccl/comm/derive.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "mccl/bootstrap/join.h"
#include "mccl/bootstrap/mail.h"
#include "mccl/bootstrap/meeting.h"
#include "mccl/bootstrap/unique_id.h"
#include "mccl/core/log.h"

namespace musashim::mccl {
namespace {

constexpr auto kInvitedWithin = std::chrono::seconds(60);

bool isDead(Segment& segment, int rank) { return segment.rank(rank).presence.load() == RankState::kDead; }

// Goes to the meeting of `id` as rank `rank`, wherever it is.
void joinBy(const mcclUniqueId& id, int ranks, int rank, int color, int key,
            const std::shared_ptr<Member>& member) {
  IdContent content;
  if (const mcclResult_t result = readUniqueId(id, content); result != mcclSuccess)
    return member->reject(result);
  if (!isHere(content)) return joinRemote(content, ranks, rank, {color, key}, member);
  std::shared_ptr<Meeting> meeting;
  if (const mcclResult_t result = meetingOf(content, ranks, meeting); result != mcclSuccess) {
    return member->reject(result);
  }
  member->setMeeting(meeting);
  (void)meeting->join(rank, {member, color, key});
}

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
  joinBy(entry.invitation, static_cast<int>(group.size()), static_cast<int>(place), 0,
         static_cast<int>(place), child);
}

// Across hosts: the first of `group` makes a unique id and sends it to the others; they meet there, and the
// meeting sorts them by their colours. `mayStop`: not any more once the parent has stopped.
void meetByMail(const std::shared_ptr<Member>& parent, uint64_t number, bool mayStop,
                std::span<const int> group, int color, int key, const std::shared_ptr<Member>& child) {
  const Roster& roster = parent->communicator().roster();
  const int leader = group.front(), rank = parent->rank();
  mcclUniqueId id{};
  if (leader == rank) {
    if (const mcclResult_t result = makeUniqueId(id); result != mcclSuccess) return child->reject(result);
    const std::span<const char> text(reinterpret_cast<const char*>(&id), sizeof id);
    for (const int other : group.subspan(1)) {
      if (Mail::post(roster, rank, other, MailKind::kInvitation, number, text)) continue;
      return child->reject(fail(mcclRemoteError, "{} does not answer at {}: it cannot be invited",
                                roster.ranks[static_cast<size_t>(other)].describe(other),
                                roster.ranks[static_cast<size_t>(other)].address.text()));
    }
  } else {
    std::vector<char> text;
    const auto end = Clock::now() + kInvitedWithin;
    const bool isTold = Mail::await(roster, leader, rank, MailKind::kInvitation, number, text, [&] {
      return !child->cancelled() && (!mayStop || !parent->clique().stopped()) && Clock::now() < end;
    });
    if (!isTold || text.size() != sizeof id) {
      return child->reject(fail(mcclRemoteError, "{} does not take part in making the new communicator",
                                roster.ranks[static_cast<size_t>(leader)].describe(leader)));
    }
    std::memcpy(&id, text.data(), sizeof id);
  }
  const auto place = std::ranges::find(group, rank) - group.begin();
  joinBy(id, static_cast<int>(group.size()), static_cast<int>(place), color, key, child);
}

}  // namespace

void splitAcross(const std::shared_ptr<Member>& parent, uint64_t number, int color, int key,
                 const std::shared_ptr<Member>& child) {
  if (parent->communicator().hasFarRanks()) {
    std::vector<int> all(static_cast<size_t>(parent->ranks()));
    std::iota(all.begin(), all.end(), 0);
    return meetByMail(parent, 2 * number, true, all, color, key, child);
  }
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
  if (parent->communicator().hasFarRanks()) {
    const auto place = std::ranges::find(survivors, parent->rank()) - survivors.begin();
    return meetByMail(parent, 2 * number + 1, false, survivors, 0, static_cast<int>(place), child);
  }
  meet(parent, 1, number, survivors, child);
}

}  // namespace musashim::mccl
