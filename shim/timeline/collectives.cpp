#include "timeline/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace musashim::timeline {
namespace {

// Collectives that were done together: those of a group, or one.
struct Launch {
  std::vector<const Span*> calls;
  const Span* whole = nullptr;  // the call during which they were handed to streams, or done
};

bool isCollective(const Span& span) {
  return span.kind == Kind::kCall && span.ranks > 0 && span.detail == "mccl";
}

// By correlation of the call that is `whole`.
std::unordered_map<uint64_t, Launch> launchesOf(const Process& process) {
  std::map<uint64_t, std::vector<const Span*>> byThread;
  const Text groupEnd = "mcclGroupEnd";
  for (const Span& span : process.spans) {
    if (isCollective(span) || (span.kind == Kind::kCall && span.name == groupEnd))
      byThread[span.lane].push_back(&span);
  }
  std::unordered_map<uint64_t, Launch> launches;
  for (auto& [thread, spans] : byThread) {
    std::sort(spans.begin(), spans.end(), [](const Span* a, const Span* b) { return a->begin < b->begin; });
    Launch collected;
    for (const Span* span : spans) {
      if (isCollective(*span)) collected.calls.push_back(span);
      if (isCollective(*span) && span->inGroup) continue;
      collected.whole = span;
      if (!collected.calls.empty()) launches[span->correlation] = std::move(collected);
      collected = {};
    }
  }
  return launches;
}

// What each rank moves; ranks of one process may be in one group.
uint64_t bytesOfRank(const Launch& launch) {
  std::map<uint32_t, uint64_t> byMember;
  for (const Span* call : launch.calls) byMember[call->member] += call->bytes;
  uint64_t most = 0;
  for (const auto& [member, bytes] : byMember) most = std::max(most, bytes);
  return most;
}

// "mcclAllReduce", or "mcclAllReduce, mcclSend" of a group.
std::string nameOf(const Launch& launch) {
  std::vector<std::string> names;
  for (const Span* call : launch.calls) names.push_back(call->name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

struct Sum {
  int64_t time = 0;
  uint64_t count = 0, bytes = 0;
  double busBytes = 0;
};

void addLaunches(const Process& process, std::map<std::string, Sum>& sums) {
  struct Times {
    int64_t begin = std::numeric_limits<int64_t>::max(), end = std::numeric_limits<int64_t>::min();
  };
  std::unordered_map<uint64_t, Times> onStreams;
  for (const Span& span : process.spans) {
    if (span.kind != Kind::kHostFunction || span.ranks == 0) continue;
    Times& times = onStreams[span.correlation];
    times.begin = std::min(times.begin, span.begin);
    times.end = std::max(times.end, span.end);
  }
  for (const auto& [correlation, launch] : launchesOf(process)) {
    const auto found = onStreams.find(correlation);
    const int64_t time =
        found != onStreams.end() ? found->second.end - found->second.begin : launch.whole->duration();
    const std::string name = nameOf(launch);
    Sum& sum = sums[name];
    const uint64_t bytes = bytesOfRank(launch);
    sum.time += time;
    ++sum.count;
    sum.bytes += bytes;
    sum.busBytes += double(bytes) * busFactor(name, launch.calls.front()->ranks);
  }
}

}  // namespace

double busFactor(const std::string& name, uint32_t ranks) {
  const double others = ranks < 2 ? 0 : double(ranks - 1) / double(ranks);
  if (name == "mcclAllReduce") return 2 * others;
  if (name == "mcclAllGather" || name == "mcclReduceScatter" || name == "mcclAlltoAll" ||
      name == "mcclGather" || name == "mcclScatter")
    return others;
  return 1;
}

void nameCollectives(Process& process) {
  const auto launches = launchesOf(process);
  std::unordered_map<uint64_t, Text> calls;
  const Text mccl = "mccl";
  for (const Span& span : process.spans) {
    if (span.kind == Kind::kCall && span.detail == mccl) calls[span.correlation] = span.name;
  }
  std::vector<std::pair<Span*, const Launch*>> found;
  for (Span& span : process.spans) {
    if (span.kind != Kind::kHostFunction) continue;
    if (const auto launch = launches.find(span.correlation); launch != launches.end()) {
      found.emplace_back(&span, &launch->second);
    } else if (const auto call = calls.find(span.correlation); call != calls.end()) {
      span.name = call->second;
    }
  }
  for (auto& [span, launch] : found) {
    span->name = nameOf(*launch);
    span->bytes = bytesOfRank(*launch);
    span->ranks = launch->calls.front()->ranks;
    span->inGroup = launch->calls.front()->inGroup;
  }
}

std::string collectiveTable(const Timeline& timeline) {
  std::map<std::string, Sum> sums;
  for (const Process& process : timeline.processes) addLaunches(process, sums);
  if (sums.empty()) return {};
  std::vector<std::pair<std::string, Sum>> rows(sums.begin(), sums.end());
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  std::string text = "\nCollectives\n  total ms     count        MiB  alg GB/s  bus GB/s    avg us  name\n";
  for (const auto& [name, sum] : rows) {
    const double time = double(std::max<int64_t>(sum.time, 1));
    text += fmt::format("  {:8.3f} {:9} {:10.3f} {:9.3f} {:9.3f} {:9.3f}  {}\n", double(sum.time) * 1e-6,
                        sum.count, double(sum.bytes) / (1 << 20), double(sum.bytes) / time,
                        sum.busBytes / time, double(sum.time) * 1e-3 / double(sum.count), name);
  }
  return text;
}

}  // namespace musashim::timeline
