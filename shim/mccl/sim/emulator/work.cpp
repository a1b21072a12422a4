#include "mccl/sim/emulator/work.h"

#include <map>

#include "mccl/engine/collective_plan.h"
#include "mccl/hosts/choice.h"

namespace musashim::mccl::sim {
namespace {

CollectiveTask taskOf(const EmulatedCall& call) {
  const bool isWhole = call.kind == CollectiveKind::kAllReduce || call.kind == CollectiveKind::kReduce ||
                       call.kind == CollectiveKind::kBroadcast;
  CollectiveTask task;
  task.kind = call.kind;
  task.type = mcclInt8;
  task.count = isWhole ? call.bytes : call.bytes / static_cast<size_t>(call.ranks);
  return task;
}

// As host `own` sees it: libmccl tells hosts apart by tokens, and its own is this process's.
HostMap hostsOf(const EmulatedCall& call, int own) {
  Roster roster;
  for (int rank = 0; rank < call.ranks; ++rank) {
    const int host = rank * call.hosts / call.ranks;
    RankInfo info;
    info.machine = host == own ? machineToken() : MachineToken{static_cast<uint64_t>(host) + 1, 0};
    roster.ranks.push_back(info);
  }
  return HostMap(roster);
}

}  // namespace

Work workOf(const EmulatedCall& call, double cacheBytes, Way& way) {
  const CollectiveTask task = taskOf(call);
  Work work{};
  const auto count = [&](Item item) -> double& { return work[static_cast<size_t>(item)]; };
  count(Item::kCall) = 1;
  count(Item::kTurn) = call.ranks;
  const auto footprint = static_cast<double>(call.ranks) *
                         static_cast<double>(sendBytes(task, call.ranks) + recvBytes(task, call.ranks));
  way = Way::kDirect;
  const auto block = static_cast<double>(task.count);
  if (call.hosts == 1) {
    count(Item::kLook) = static_cast<double>(call.ranks) * call.ranks;
    count(Item::kTraffic) = static_cast<double>(CollectivePlan::trafficOf(task, call.ranks));
    if (reduces(call.kind)) {
      const double each = call.kind == CollectiveKind::kReduceScatter ? block * call.ranks : block;
      count(Item::kCombined) = each * call.ranks;
    }
  } else {
    way = chooseWay(task, hostsOf(call, 0), {});
    const bool isOneWay = call.kind == CollectiveKind::kBroadcast || call.kind == CollectiveKind::kReduce;
    count(Item::kFollower) = call.ranks - call.hosts;
    for (int host = 0; host < call.hosts; ++host) {
      const HostMap hosts = hostsOf(call, host);
      const auto here = static_cast<double>(hosts.at(hosts.own()).ranks.size());
      count(Item::kLook) += here * here;
      std::map<std::pair<int, Phase>, size_t> messages;  // by connection
      // Each piece is reduced from the ranks here and from what comes, or copied to them.
      for (const Piece& piece : makeSchedule(task, hosts, way, kPieceBytes).pieces) {
        const auto bytes = static_cast<double>(piece.bytes);
        const auto sent = static_cast<double>(piece.reduceTo.size() + piece.spreadTo.size());
        for (const int to : piece.reduceTo) ++messages[{to, Phase::kReduce}];
        for (const int to : piece.spreadTo) ++messages[{to, Phase::kSpread}];
        count(Item::kMessage) += sent;
        count(Item::kSentByte) += sent * bytes;
        const double combined =
            piece.source < 0 ? bytes * (here + static_cast<double>(piece.reduceFrom.size())) : 0;
        count(Item::kCombined) += combined;
        count(Item::kTraffic) += combined + (piece.target < 0 ? here : 1) * bytes;
      }
      if (isOneWay) continue;
      if (here > 1) ++count(Item::kGathered);
      for (const auto& [connection, number] : messages)
        count(Item::kAwaited) += static_cast<double>((number + kWindow - 1) / kWindow);
    }
  }
  if (footprint > cacheBytes) count(Item::kFar) = count(Item::kTraffic);
  return work;
}

}  // namespace musashim::mccl::sim
