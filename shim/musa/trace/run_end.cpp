// The end of a process that was recorded: a file for viewers of timelines, or a summary.
#include <cxxabi.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "musa/api/driver.h"
#include "musa/trace/recorder.h"
#include "timeline/collectives.h"
#include "timeline/json_file.h"
#include "timeline/summary.h"
#include "timeline/timeline.h"

namespace musashim::musa {
namespace {

using timeline::Span;
using timeline::Timeline;

std::string programName() {
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/comm", "r"), std::fclose);
  char name[64] = "program";
  if (file && std::fgets(name, sizeof name, file.get())) name[std::strcspn(name, "\n")] = '\0';
  return name;
}

// Of a job of several processes, as launchers say it; empty when there is none.
std::string rankOf() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID", "RANK"}) {
    if (const char* value = std::getenv(variable)) return value;
  }
  return {};
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(::abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? text.get() : name;
}

// The texts of records, which have pointers; those of one place are the same.
class Names {
 public:
  timeline::Text of(const char* name) {
    return known(texts_, name, [](const char* text) { return std::string(text); });
  }
  timeline::Text ofKernel(const char* name) { return known(kernels_, name, demangled); }
  timeline::Text ofMccl(const char* name) {
    return known(mccl_, name, [](const char* text) { return std::string("mccl") + text; });
  }

 private:
  using Known = std::unordered_map<const char*, timeline::Text>;
  template <class Make>
  static timeline::Text known(Known& texts, const char* name, Make make) {
    const auto [place, isNew] = texts.try_emplace(name);
    if (isNew) place->second = make(name);
    return place->second;
  }

  Known texts_, kernels_, mccl_;
};

timeline::Kind rangeKind(RecordKind kind) {
  if (kind == RecordKind::kRange) return timeline::Kind::kRange;
  return kind == RecordKind::kMark ? timeline::Kind::kMark : timeline::Kind::kAsyncRange;
}

Span spanOf(const Record& record, const support::TickScale& scale, Names& names) {
  Span span;
  span.begin = scale.nanoseconds(record.begin);
  span.end = scale.nanoseconds(record.end);
  span.correlation = record.correlation;
  span.lane = record.lane;
  switch (record.kind) {
    case RecordKind::kCall:
      span.kind = timeline::Kind::kCall;
      span.detail = names.of(record.other.detail);
      span.name = span.detail == "mccl" ? names.ofMccl(record.name) : names.of(record.name);
      span.result = record.other.result;
      span.bytes = record.other.bytes;
      span.ranks = record.other.ranks;
      span.member = record.other.member;
      span.inGroup = record.other.inGroup != 0;
      return span;
    case RecordKind::kRange:
    case RecordKind::kAsyncRange:
    case RecordKind::kMark:
      span.kind = rangeKind(record.kind);
      span.name = names.of(record.name);
      if (record.other.detail != nullptr) span.detail = names.of(record.other.detail);
      return span;
    case RecordKind::kKernel:
      span.kind = timeline::Kind::kKernel;
      span.name = names.ofKernel(record.name);
      for (int i = 0; i < 3; ++i)
        span.grid[i] = record.launch.grid[i], span.block[i] = record.launch.block[i];
      span.sharedBytes = record.launch.sharedBytes;
      break;
    case RecordKind::kCopy:
      span.kind = timeline::Kind::kCopy;
      span.name = std::string("Memcpy ") + record.other.detail;
      span.bytes = record.other.bytes;
      break;
    case RecordKind::kFill:
      span.kind = timeline::Kind::kFill;
      span.name = "Memset";
      span.bytes = record.other.bytes;
      break;
    case RecordKind::kHostFunction:
      span.kind = timeline::Kind::kHostFunction;
      span.name = "host function";
      break;
  }
  const DeviceState* device = driver().deviceOfBackend(record.device);
  span.device = device != nullptr ? device->ordinal() : record.device;
  return span;
}

Timeline timelineOfProcess() {
  Timeline result;
  timeline::Process process;
  process.id = getpid();
  process.name = programName();
  process.rank = rankOf();
  if (Driver* self = Driver::get()) {
    for (size_t i = 0; i < self->deviceCount(); ++i)
      process.devices.push_back(std::string(self->device(static_cast<int>(i))->profile().name));
  }
  Names names;
  const support::TickScale& scale = recordingScale();
  process.spans.reserve(mostRecords());
  forEachRecord([&](const Record& record) { process.spans.push_back(spanOf(record, scale, names)); });
  timeline::nameCollectives(process);
  process.dropped = droppedRecords();
  result.processes.push_back(std::move(process));
  return result;
}

// %p: the process's id, %r: its rank, or its id where there is none.
std::string fileName(std::string pattern) {
  const auto replace = [&](const std::string& what, const std::string& with) {
    for (size_t at = 0; (at = pattern.find(what, at)) != std::string::npos; at += with.size())
      pattern.replace(at, what.size(), with);
  };
  const std::string rank = rankOf();
  replace("%p", std::to_string(getpid()));
  replace("%r", rank.empty() ? std::to_string(getpid()) : rank);
  return pattern;
}

}  // namespace

void finishRecording() {
  if (Driver::get() == nullptr) return;  // a forked child, or nothing was done
  const char* where = std::getenv("MUSASHIM_TRACE_FILE");
  if (where == nullptr) return;
  Timeline all = timelineOfProcess();
  if (std::strcmp(where, "summary") == 0) {
    const std::string text = timeline::summaryOf(all);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  const std::string file = fileName(where);
  std::string error;
  if (!timeline::writeWithOthers(file, recordingCalendar(), all, error))
    fmt::print(stderr, "musashim: MUSASHIM_TRACE_FILE={}: {}\n", where, error);
}

}  // namespace musashim::musa
