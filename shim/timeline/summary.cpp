#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

#include "timeline/collectives.h"

namespace musashim::timeline {
namespace {

struct Total {
  int64_t time = 0, least = std::numeric_limits<int64_t>::max(), most = 0;
  uint64_t count = 0, bytes = 0;

  void add(const Span& span) {
    time += span.duration();
    least = std::min(least, span.duration());
    most = std::max(most, span.duration());
    bytes += span.bytes;
    ++count;
  }
};
using Totals = std::map<std::string, Total>;
using Row = std::pair<std::string, Total>;

double milliseconds(int64_t nanoseconds) { return double(nanoseconds) * 1e-6; }
double microseconds(int64_t nanoseconds) { return double(nanoseconds) * 1e-3; }

Totals totalsOf(const Timeline& timeline, const std::function<bool(const Span&)>& wanted) {
  std::unordered_map<const std::string*, std::pair<Text, Total>> byName;
  for (const Process& process : timeline.processes) {
    for (const Span& span : process.spans) {
      if (!wanted(span)) continue;
      auto& [text, total] = byName[span.name.key()];
      text = span.name;
      total.add(span);
    }
  }
  Totals totals;
  for (const auto& [key, named] : byName) totals[named.first] = named.second;
  return totals;
}

std::vector<Row> longestFirst(const Totals& totals) {
  std::vector<Row> rows(totals.begin(), totals.end());
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.second.time != b.second.time ? a.second.time > b.second.time : a.first < b.first;
  });
  return rows;
}

// The first column is wide enough for 80 of a terminal with a short name.
std::string timeTable(const std::string& title, const Totals& totals, size_t most) {
  if (totals.empty()) return {};
  int64_t all = 0;
  for (const auto& [name, total] : totals) all += total.time;
  std::string text =
      fmt::format("\n{}\n  time %  total ms     count    avg us    min us    max us  name\n", title);
  size_t left = totals.size();
  for (const auto& [name, total] : longestFirst(totals)) {
    if (most-- == 0) return text + fmt::format("  ... and {} more\n", left);
    --left;
    text += fmt::format("  {:6.1f} {:9.3f} {:9} {:9.3f} {:9.3f} {:9.3f}  {}\n",
                        all == 0 ? 0 : 100.0 * double(total.time) / double(all), milliseconds(total.time),
                        total.count, microseconds(total.time) / double(total.count),
                        microseconds(total.least), microseconds(total.most), name);
  }
  return text;
}

std::string copyTable(const Totals& totals) {
  if (totals.empty()) return {};
  std::string text = "\nCopies and fills\n  total ms     count        MiB      GB/s    avg us  kind\n";
  for (const auto& [name, total] : longestFirst(totals)) {
    const double rate = total.time == 0 ? 0 : double(total.bytes) / double(total.time);
    text += fmt::format("  {:8.3f} {:9} {:10.3f} {:9.3f} {:9.3f}  {}\n", milliseconds(total.time),
                        total.count, double(total.bytes) / (1 << 20), rate,
                        microseconds(total.time) / double(total.count), name);
  }
  return text;
}

// How long any of the spans was under way.
int64_t busyTime(std::vector<const Span*>& spans) {
  std::sort(spans.begin(), spans.end(), [](const Span* a, const Span* b) { return a->begin < b->begin; });
  int64_t busy = 0, until = std::numeric_limits<int64_t>::min();
  for (const Span* span : spans) {
    if (span->end <= until) continue;
    busy += span->end - std::max(span->begin, until);
    until = span->end;
  }
  return busy;
}

std::string deviceTable(const Timeline& timeline) {
  std::string text;
  for (const Process& process : timeline.processes) {
    std::map<int, std::vector<const Span*>> byDevice;
    int64_t first = std::numeric_limits<int64_t>::max(), last = std::numeric_limits<int64_t>::min();
    for (const Span& span : process.spans) {
      first = std::min(first, span.begin);
      last = std::max(last, span.end);
      if (isWork(span.kind)) byDevice[span.device].push_back(&span);
    }
    for (auto& [device, spans] : byDevice) {
      const int64_t busy = busyTime(spans), all = last - first;
      const auto place = static_cast<size_t>(device);
      const std::string who = process.rank.empty() ? std::to_string(process.id) : "rank " + process.rank;
      text += fmt::format("  {:8.3f} {:9.3f} {:7.1f}  {} of {} ({})\n", milliseconds(busy),
                          milliseconds(all - busy), all == 0 ? 0 : 100.0 * double(all - busy) / double(all),
                          place < process.devices.size() ? process.devices[place] : "device", who,
                          fmt::format("device {}", device));
    }
  }
  return text.empty() ? text : "\nDevices\n   busy ms   idle ms  idle %  device\n" + text;
}

std::string headline(const Timeline& timeline) {
  size_t calls = 0, work = 0;
  uint64_t dropped = 0;
  for (const Process& process : timeline.processes) {
    for (const Span& span : process.spans) {
      calls += span.kind == Kind::kCall ? 1 : 0;
      work += isWork(span.kind) ? 1 : 0;
    }
    dropped += process.dropped;
  }
  std::string text =
      fmt::format("{} process{}, {} calls, {} kernels, copies and fills\n", timeline.processes.size(),
                  timeline.processes.size() == 1 ? "" : "es", calls, work);
  if (dropped > 0) text += fmt::format("{} more found no room and are not counted\n", dropped);
  return text;
}

}  // namespace

std::string summaryOf(const Timeline& timeline, size_t rows) {
  const auto is = [](Kind kind) { return [kind](const Span& span) { return span.kind == kind; }; };
  const auto isHostFunction = [](const Span& span) {
    return span.kind == Kind::kHostFunction && span.ranks == 0;
  };
  const auto isRange = [](const Span& span) {
    return span.kind == Kind::kRange || span.kind == Kind::kAsyncRange;
  };
  Totals copies = totalsOf(timeline, is(Kind::kCopy));
  copies.merge(totalsOf(timeline, is(Kind::kFill)));
  return headline(timeline) + timeTable("Kernels", totalsOf(timeline, is(Kind::kKernel)), rows) +
         copyTable(copies) + collectiveTable(timeline) +
         timeTable("Host functions of streams", totalsOf(timeline, isHostFunction), rows) +
         timeTable("Ranges", totalsOf(timeline, isRange), rows) +
         timeTable("Calls", totalsOf(timeline, is(Kind::kCall)), rows) + deviceTable(timeline);
}

}  // namespace musashim::timeline
