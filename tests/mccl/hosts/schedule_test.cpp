// How collectives go between hosts: every host's part of it played together, with few messages under way at a
// time and hosts that get on at random.
#include "mccl/hosts/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "mccl/hosts/choice.h"

namespace musashim::mccl {
namespace {

constexpr size_t kPiece = 64;

Roster rosterOf(const std::vector<int>& hostOfRank, int own) {
  Roster roster{randomBytes(), randomBytes(), {}};
  for (size_t rank = 0; rank < hostOfRank.size(); ++rank) {
    RankInfo info = ownInfo(static_cast<int>(rank), "");
    if (hostOfRank[rank] != own) info.machine = {static_cast<uint64_t>(hostOfRank[rank]) + 1, 0};
    roster.ranks.push_back(info);
  }
  return roster;
}

// What a message tells of a byte: which ranks' data is in it.
using Contributions = std::vector<int>;

// All hosts of a collective. Bytes stand for the list of the ranks that have given to them.
class Play {
 public:
  Play(const CollectiveTask& task, const std::vector<int>& hostOfRank, int hosts, Way way, int channels,
       unsigned seed)
      : task_(task), random_(seed) {
    for (int host = 0; host < hosts; ++host) {
      const Roster roster = rosterOf(hostOfRank, host);
      maps_.emplace_back(roster);
      schedules_.push_back(makeSchedule(task, maps_.back(), way, kPiece, channels));
      states_.emplace_back(schedules_.back().pieces.size());
    }
    for (int host = 0; host < hosts; ++host) lay(host);
  }

  // Whether all messages have arrived. Then `got` holds what each rank has got.
  bool run() {
    for (int host = 0; host < hosts(); ++host) begin(host);
    for (bool moved = true; moved;) {
      moved = false;
      std::vector<LinkName> links;
      for (const auto& [link, messages] : out_) links.push_back(link);
      std::ranges::shuffle(links, random_);
      for (const auto& link : links) moved = move(link) || moved;
    }
    return std::ranges::all_of(out_, [](const auto& link) { return link.second.empty(); }) &&
           std::ranges::all_of(in_, [](const auto& link) { return link.second.empty(); });
  }

  // By rank and byte of the receive buffer; each is to be written once.
  std::map<std::pair<int, size_t>, std::vector<Contributions>> got;
  const std::set<int>& lanes() const { return lanes_; }

 private:
  using LinkName = std::tuple<int, int, Phase, int>;  // from, to, lane
  struct State {
    Contributions gathered;
    size_t came = 0;
    bool isReady = false;  // to be sent on in the phase of the reduction
    bool hasResult = false;
    Contributions result;
  };
  struct Message {
    uint64_t order;
    size_t piece;
  };

  int hosts() const { return static_cast<int>(maps_.size()); }

  void lay(int host) {
    const Schedule& schedule = schedules_[host];
    for (size_t i = 0; i < schedule.pieces.size(); ++i) {
      const Piece& piece = schedule.pieces[i];
      const auto order = [&](Phase phase, int sender) { return schedule.orderOf(i, phase, sender, hosts()); };
      const int lane = piece.lane;
      lanes_.insert(lane);
      for (const int from : piece.reduceFrom)
        in_[{from, host, Phase::kReduce, lane}].push_back({order(Phase::kReduce, from), i});
      for (const int to : piece.reduceTo)
        out_[{host, to, Phase::kReduce, lane}].push_back({order(Phase::kReduce, host), i});
      if (piece.spreadFrom >= 0)
        in_[{piece.spreadFrom, host, Phase::kSpread, lane}].push_back(
            {order(Phase::kSpread, piece.spreadFrom), i});
      for (const int to : piece.spreadTo)
        out_[{host, to, Phase::kSpread, lane}].push_back({order(Phase::kSpread, host), i});
    }
    for (auto* links : {&in_, &out_}) {
      for (auto& [link, messages] : *links)
        std::ranges::sort(messages, {}, [](const Message& one) { return std::pair(one.order, one.piece); });
    }
  }

  void begin(int host) {
    for (size_t i = 0; i < schedules_[host].pieces.size(); ++i) {
      const Piece& piece = schedules_[host].pieces[i];
      State& state = states_[host][i];
      if (piece.source < 0) {
        state.gathered = maps_[host].at(host).ranks;
        if (piece.reduceFrom.empty()) reduced(host, i);
        if (piece.isSwap) state.isReady = true;
      } else if (piece.spreadFrom < 0) {
        state.result = {piece.source};
        state.hasResult = true;
        const bool isHere = piece.target < 0 || maps_[host].hostOf(piece.target) == host;
        if (isHere) deliver(host, piece, state.result);
      }
    }
  }

  void reduced(int host, size_t index) {
    const Piece& piece = schedules_[host].pieces[index];
    State& state = states_[host][index];
    if (!piece.isSwap) state.isReady = true;
    if (!piece.endsHere) return;
    state.result = state.gathered;
    state.hasResult = true;
    deliver(host, piece, state.result);
  }

  void deliver(int host, const Piece& piece, const Contributions& what) {
    for (const int rank : maps_[host].at(host).ranks) {
      if (piece.target >= 0 && piece.target != rank) continue;
      for (size_t i = 0; i < piece.bytes; ++i) got[{rank, piece.recvOffset + i}].push_back(what);
    }
  }

  // One message at a time on each connection: the hardest case.
  bool move(const LinkName& link) {
    const auto& [from, to, phase, lane] = link;
    auto &sends = out_[link], &receives = in_[link];
    if (sends.empty()) return false;
    const Piece& piece = schedules_[from].pieces[sends.front().piece];
    State& state = states_[from][sends.front().piece];
    if (phase == Phase::kReduce ? !state.isReady : !state.hasResult) return false;
    EXPECT_FALSE(receives.empty()) << "a message that nobody expects";
    if (receives.empty()) return false;
    const size_t index = receives.front().piece;
    const Piece& target = schedules_[to].pieces[index];
    EXPECT_EQ(target.bytes, piece.bytes);
    EXPECT_EQ(std::pair(target.source, target.target), std::pair(piece.source, piece.target));
    EXPECT_EQ(phase == Phase::kReduce ? target.sendOffset : target.recvOffset,
              phase == Phase::kReduce ? piece.sendOffset : piece.recvOffset);
    State& other = states_[to][index];
    if (phase == Phase::kReduce) {
      const Contributions& what = piece.isSwap ? maps_[from].at(from).ranks : state.gathered;
      other.gathered.insert(other.gathered.end(), what.begin(), what.end());
      if (++other.came == target.reduceFrom.size()) reduced(to, index);
    } else {
      other.result = state.result;
      other.hasResult = true;
      deliver(to, target, other.result);
    }
    sends.pop_front();
    receives.pop_front();
    return true;
  }

  const CollectiveTask task_;
  std::mt19937 random_;
  std::deque<HostMap> maps_;
  std::deque<Schedule> schedules_;
  std::deque<std::vector<State>> states_;
  std::map<LinkName, std::deque<Message>> in_, out_;
  std::set<int> lanes_;
};

// Which ranks' data has to be at a byte of a rank's receive buffer; empty: nothing is to be written there.
Contributions expected(const CollectiveTask& task, int ranks, int rank, size_t at) {
  Contributions all;
  for (int other = 0; other < ranks; ++other) all.push_back(other);
  const size_t block = task.count * sizeof(float);
  switch (task.kind) {
    case CollectiveKind::kBroadcast:
      return {task.root};
    case CollectiveKind::kAllGather:
    case CollectiveKind::kAllToAll:
      return {static_cast<int>(at / block)};
    case CollectiveKind::kReduce:
      return rank == task.root ? all : Contributions{};
    default:
      return all;
  }
}

class Schedules : public testing::TestWithParam<std::tuple<CollectiveKind, Way>> {};

TEST_P(Schedules, BringEveryByteOnceToWhereItIsWanted) {
  const auto [kind, way] = GetParam();
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const int hosts = 2 + round % 7, ranks = hosts + static_cast<int>(random() % 5);
    std::vector<int> hostOfRank;
    for (int rank = 0; rank < ranks; ++rank) hostOfRank.push_back(rank < hosts ? rank : random() % hosts);
    CollectiveTask task;
    task.kind = kind;
    task.type = mcclFloat;
    task.count = 1 + random() % 150;
    task.root = static_cast<int>(random() % ranks);
    const int channels = 1 + round % 3;
    Play play(task, hostOfRank, hosts, way, channels, round);
    const bool isTree = way == Way::kTree && kind != CollectiveKind::kAllToAll;
    for (const int lane : play.lanes()) {
      ASSERT_GE(lane, isTree ? channels : 0);
      ASSERT_LT(lane, isTree ? 3 * channels : channels);
    }
    ASSERT_TRUE(play.run()) << hosts << " hosts wait for each other";
    for (int rank = 0; rank < ranks; ++rank) {
      for (size_t at = 0; at < recvBytes(task, ranks); ++at) {
        std::vector<Contributions>& got = play.got[{rank, at}];
        const Contributions wanted = expected(task, ranks, rank, at);
        // A reduction's result comes to its target alone, others' buffers are not written.
        ASSERT_EQ(got.size(), wanted.empty() ? 0u : 1u) << "rank " << rank << " byte " << at;
        if (wanted.empty()) continue;
        std::ranges::sort(got[0]);
        ASSERT_EQ(got[0], wanted) << "rank " << rank << " byte " << at;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Schedules,
    testing::Combine(testing::Values(CollectiveKind::kAllReduce, CollectiveKind::kReduce,
                                     CollectiveKind::kBroadcast, CollectiveKind::kAllGather,
                                     CollectiveKind::kReduceScatter, CollectiveKind::kAllToAll),
                     testing::Values(Way::kDirect, Way::kTree, Way::kRing)),
    [](const auto& info) {
      return std::string(collectiveName(std::get<0>(info.param))) + wayName(std::get<1>(info.param));
    });

TEST(Channels, TakeTurnsAndChangeNoPiece) {
  CollectiveTask task;
  task.kind = CollectiveKind::kAllReduce;
  task.type = mcclFloat;
  task.count = 64 * kPiece / sizeof(float);
  const HostMap hosts(rosterOf({0, 1, 2, 3}, 1));
  for (const Way way : {Way::kRing, Way::kTree, Way::kDirect}) {
    const Schedule one = makeSchedule(task, hosts, way, kPiece),
                   several = makeSchedule(task, hosts, way, kPiece, 4);
    ASSERT_EQ(one.pieces.size(), several.pieces.size());
    std::map<int, int> pieces;  // by lane
    for (size_t i = 0; i < one.pieces.size(); ++i) {
      EXPECT_EQ(one.pieces[i].reduceFrom, several.pieces[i].reduceFrom);
      EXPECT_EQ(one.pieces[i].spreadTo, several.pieces[i].spreadTo);
      EXPECT_EQ(one.pieces[i].sendOffset, several.pieces[i].sendOffset);
      ++pieces[several.pieces[i].lane];
    }
    EXPECT_EQ(pieces.size(), way == Way::kTree ? 8u : 4u) << wayName(way);
    for (const auto& [lane, count] : pieces) EXPECT_EQ(count, pieces.begin()->second) << lane;
  }
}

TEST(Choice, OfLongWaysTheFewestSteps) {
  Crossing crossing{CollectiveKind::kAllReduce, 4, 256 << 10};
  EXPECT_EQ(leastTime(crossing), Way::kRing);
  crossing.fabric.latencyUs = 1000;
  EXPECT_EQ(leastTime(crossing), Way::kDirect);
  crossing.hosts = 64;  // too many to send to each
  EXPECT_EQ(leastTime(crossing), Way::kTree);
  crossing.each = size_t{1} << 34;
  EXPECT_EQ(leastTime(crossing), Way::kRing);
}

TEST(TreePlace, TheTreesShareTheWork) {
  for (int hosts = 1; hosts < 40; ++hosts) {
    std::vector<int> inner(static_cast<size_t>(hosts));
    for (const int tree : {0, 1}) {
      int edges = 0;
      for (int host = 0; host < hosts; ++host) {
        const TreePlace place = treePlace(hosts, host, 0, tree);
        EXPECT_EQ(place.parent < 0, host == 0);
        edges += static_cast<int>(place.children.size());
        if (!place.children.empty() && host != 0) ++inner[static_cast<size_t>(host)];
        for (const int child : place.children) EXPECT_EQ(treePlace(hosts, child, 0, tree).parent, host);
      }
      EXPECT_EQ(edges, hosts - 1);
    }
    // One host in the middle may have children in both.
    EXPECT_LE(std::ranges::count(inner, 2), 1) << hosts;
  }
}

}  // namespace
}  // namespace musashim::mccl
