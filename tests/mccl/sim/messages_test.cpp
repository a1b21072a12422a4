// The model beside libmccl's own schedule, played message by message: hosts with one port each, whose
// messages go out one after the other, come in one after the other, and take the latency of a hop.
#include <algorithm>
#include <map>
#include <queue>

#include "support.h"

namespace musashim::mccl::sim {
namespace {

constexpr double kRate = 12.5e3;  // bytes a microsecond, of smallMachine()
constexpr double kHop = 14;       // us, as the model has it for Simple

// Time passes from event to event; a host sends what is first in the order of a connection and is there.
class Play {
 public:
  Play(CollectiveKind kind, int hosts, Way way, size_t bytes) : hosts_(hosts), ports_(hosts), states_(hosts) {
    CollectiveTask task;
    task.kind = kind;
    task.type = mcclInt8;
    task.count =
        kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter ? bytes / hosts : bytes;
    for (int host = 0; host < hosts; ++host) {
      Roster roster;
      for (int rank = 0; rank < hosts; ++rank) {
        roster.ranks.emplace_back().machine =
            rank == host ? machineToken() : MachineToken{static_cast<uint64_t>(rank) + 1, 0};
      }
      schedules_.push_back(makeSchedule(task, HostMap(roster), way, kPieceBytes));
      const Schedule& schedule = schedules_.back();
      states_[host].resize(schedule.pieces.size());
      for (size_t i = 0; i < schedule.pieces.size(); ++i) {
        const Piece& piece = schedule.pieces[i];
        State& state = states_[host][i];
        state.missing = piece.reduceFrom.size();
        state.isReduced = piece.source < 0 && state.missing == 0;
        state.isResult = piece.source >= 0 ? piece.spreadFrom < 0 : state.isReduced && piece.endsHere;
        for (const int to : piece.reduceTo) lay(host, to, Phase::kReduce, i);
        for (const int to : piece.spreadTo) lay(host, to, Phase::kSpread, i);
      }
    }
    for (auto& [link, messages] : links_) std::ranges::sort(messages.order);
  }

  // Microseconds; below 0: not everything has arrived.
  double run() {
    double now = 0;
    sendAll(now);
    while (!arrivals_.empty()) {
      const Arrival arrival = arrivals_.top();
      arrivals_.pop();
      now = arrival.time;
      if (arrival.takes > 0) {
        // It has left; the network keeps what a port that is busy cannot take yet.
        double& in = ports_[targetOf(arrival.link)].inFree;
        in = std::max(now, in + arrival.takes);
        arrivals_.push({in + kHop, arrival.link, arrival.piece, 0});
        continue;
      }
      arrive(arrival);
      sendAll(now);
    }
    const bool isDone = std::ranges::all_of(
        links_, [](const auto& link) { return link.second.next == link.second.order.size(); });
    return isDone ? now : -1;
  }

 private:
  using Link = std::tuple<int, int, Phase>;  // from, how far behind it, phase
  int targetOf(const Link& link) const { return (std::get<0>(link) + std::get<1>(link)) % hosts_; }
  struct Messages {
    std::vector<std::pair<uint64_t, size_t>> order;
    size_t next = 0, underWay = 0;
  };
  struct State {
    size_t missing = 0;
    bool isReduced = false, isResult = false;
  };
  struct Port {
    double outFree = 0, inFree = 0;
  };
  struct Arrival {
    double time;
    Link link;
    size_t piece;
    double takes;  // us of the port that it comes to; 0: it is there
    bool operator<(const Arrival& other) const { return time > other.time; }
  };

  void lay(int from, int to, Phase phase, size_t piece) {
    links_[{from, (to - from + hosts_) % hosts_, phase}].order.emplace_back(
        schedules_[from].orderOf(piece, phase, from, hosts_), piece);
  }

  void sendAll(double now) {
    for (auto& [link, messages] : links_) {
      const auto& [from, distance, phase] = link;
      while (messages.next < messages.order.size() && messages.underWay < kWindow) {
        const size_t piece = messages.order[messages.next].second;
        const State& state = states_[from][piece];
        const bool isThere = phase == Phase::kSpread                 ? state.isResult
                             : schedules_[from].pieces[piece].isSwap ? true
                                                                     : state.isReduced;
        if (!isThere) break;
        const double takes = static_cast<double>(schedules_[from].pieces[piece].bytes) / kRate;
        double& out = ports_[from].outFree;
        out = std::max(now, out) + takes;
        arrivals_.push({out, link, piece, takes});
        ++messages.next;
        ++messages.underWay;
      }
    }
  }

  // Hosts have their pieces in the same order, in what is played here.
  void arrive(const Arrival& arrival) {
    const auto& [from, distance, phase] = arrival.link;
    const int to = targetOf(arrival.link);
    --links_[arrival.link].underWay;
    State& state = states_[to][arrival.piece];
    const Piece& piece = schedules_[to].pieces[arrival.piece];
    if (phase == Phase::kSpread) {
      state.isResult = true;
    } else if (--state.missing == 0) {
      state.isReduced = true;
      state.isResult = piece.endsHere;
    }
  }

  const int hosts_;
  std::vector<Port> ports_;
  std::vector<Schedule> schedules_;
  std::vector<std::vector<State>> states_;
  std::map<Link, Messages> links_;
  std::priority_queue<Arrival> arrivals_;
};

// The base of a collective is NCCL's launch, which no message has.
double modelled(CollectiveKind kind, int hosts, Way way, size_t bytes) {
  const auto cluster = clusterOf(smallMachine(), hosts, fabricOf("levels: 1\nmessage-gap: 0ns\n"));
  return timeOf(*cluster, planOf(*cluster, kind, way), bytes, Protocol::kSimple, {}).microseconds - 8.4;
}

struct Case {
  CollectiveKind kind;
  Way way;
  double tolerance;
};

TEST(Messages, TakeTheTimeThatTheModelTells) {
  const Case cases[] = {
      {CollectiveKind::kAllReduce, Way::kRing, .25},     {CollectiveKind::kAllGather, Way::kRing, .15},
      {CollectiveKind::kReduceScatter, Way::kRing, .15}, {CollectiveKind::kBroadcast, Way::kRing, .15},
      {CollectiveKind::kReduce, Way::kRing, .15},        {CollectiveKind::kAllReduce, Way::kDirect, .25},
      {CollectiveKind::kBroadcast, Way::kDirect, .15},   {CollectiveKind::kAllReduce, Way::kTree, .35},
      {CollectiveKind::kBroadcast, Way::kTree, .35}};
  for (const Case& one : cases) {
    for (const int hosts : {2, 3, 8, 16}) {
      for (const size_t bytes : {size_t{64}, size_t{64} << 10, size_t{1} << 20, size_t{64} << 20}) {
        const double played = Play(one.kind, hosts, one.way, bytes).run();
        const double told = modelled(one.kind, hosts, one.way, bytes);
        EXPECT_NEAR(told / played, 1, one.tolerance)
            << collectiveName(one.kind) << ' ' << wayName(one.way) << ' ' << hosts << " hosts, " << bytes
            << " bytes: " << told << " told, " << played << " played";
      }
    }
  }
}

}  // namespace
}  // namespace musashim::mccl::sim
