#include "json_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

namespace musashim::timeline {
namespace {

constexpr std::string_view kHead = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
constexpr std::string_view kTail = "\n]}\n";
constexpr int64_t kFirstDeviceTrack = 100'000'000;
constexpr int64_t kDevicesOfProcess = 256;
constexpr uint64_t kGraphLaneTracks = 1'000'000;

void appendQuoted(std::string& out, std::string_view text) {
  out += '"';
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') out += '\\';
    if (static_cast<unsigned char>(letter) < 0x20) {
      out += ' ';
    } else {
      out += letter;
    }
  }
  out += '"';
}

std::string microseconds(int64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

std::string_view categoryOf(Kind kind) {
  switch (kind) {
    case Kind::kKernel:
      return "kernel";
    case Kind::kCopy:
      return "gpu_memcpy";
    case Kind::kFill:
      return "gpu_memset";
    case Kind::kHostFunction:
      return "host_function";
    case Kind::kRange:
    case Kind::kAsyncRange:
    case Kind::kMark:
      return "range";
    case Kind::kCall:
      break;
  }
  return "call";
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void add(const Process& process) {
    const std::string who =
        process.rank.empty() ? process.name : "rank " + process.rank + ", " + process.name;
    name("process_name", process.id, 0, fmt::format("{} ({})", who, process.id));
    for (size_t i = 0; i < process.devices.size(); ++i) {
      const int64_t track = trackOf(process, static_cast<int>(i));
      const std::string of = process.rank.empty() ? "" : fmt::format(" of rank {}", process.rank);
      name("process_name", track, 0, fmt::format("device {}{}: {}", i, of, process.devices[i]));
    }
    if (process.dropped > 0) name("dropped_spans", process.id, 0, std::to_string(process.dropped));
    std::unordered_map<uint64_t, const Span*> calls;
    for (const Span& span : process.spans) {
      if (span.kind == Kind::kCall) calls[span.correlation] = &span;
    }
    for (const Span& span : process.spans) addSpan(process, span, calls);
  }

 private:
  std::string& line() {
    if (!first_) out_ += ",\n";
    first_ = false;
    return out_;
  }

  void name(std::string_view what, int64_t process, uint64_t track, std::string_view text) {
    fmt::format_to(std::back_inserter(line()), R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":)",
                   what, process, track);
    appendQuoted(out_, text);
    out_ += "}}";
  }

  uint64_t streamTrack(const Process& process, const Span& span) {
    uint64_t track = span.lane >> 1;
    std::string title =
        span.lane & 1 ? fmt::format("stream {} (default)", track) : fmt::format("stream {}", track);
    if (span.lane >= kFirstGraphLane) {
      track = graphLanes_.try_emplace(span.lane, kGraphLaneTracks + graphLanes_.size()).first->second;
      title = fmt::format("graph lane {}", track - kGraphLaneTracks);
    }
    const int64_t device = trackOf(process, span.device);
    if (named_.insert({device, track}).second) name("thread_name", device, track, title);
    return track;
  }

  // Of the program's own: on its thread, or, where threads end each other's, beside them.
  void addRange(const Process& process, const Span& span) {
    const auto event = [&](std::string_view phase, int64_t at, std::string_view more) {
      line() += R"({"ph":")";
      out_ += phase;
      out_ += R"(","cat":"range","name":)";
      appendQuoted(out_, span.name);
      fmt::format_to(std::back_inserter(out_), R"(,"pid":{},"tid":{},"ts":{}{},"args":{{"domain":)",
                     process.id, span.lane, microseconds(at), more);
      appendQuoted(out_, span.detail);
      out_ += "}}";
    };
    if (span.kind == Kind::kMark) return event("i", span.begin, R"(,"s":"t")");
    if (span.kind == Kind::kRange)
      return event("X", span.begin, R"(,"dur":)" + microseconds(span.duration()));
    const std::string id = fmt::format(R"(,"id":"{}.{}")", process.id, ++asyncRanges_);
    event("b", span.begin, id);
    event("e", span.end, id);
  }

  void addSpan(const Process& process, const Span& span,
               const std::unordered_map<uint64_t, const Span*>& calls) {
    const bool isCall = span.kind == Kind::kCall;
    if (!isCall && !isWork(span.kind)) return addRange(process, span);
    const uint64_t track = isCall ? span.lane : streamTrack(process, span);
    const int64_t owner = isCall ? process.id : trackOf(process, span.device);
    line() += R"({"ph":"X","cat":")";
    out_ += categoryOf(span.kind);
    out_ += R"(","name":)";
    appendQuoted(out_, span.name);
    fmt::format_to(std::back_inserter(out_),
                   R"(,"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"correlation":{})", owner, track,
                   microseconds(span.begin), microseconds(span.duration()), span.correlation);
    if (isCall) {
      out_ += R"(,"library":)";
      appendQuoted(out_, span.detail);
      fmt::format_to(std::back_inserter(out_), R"(,"result":{})", span.result);
    } else {
      fmt::format_to(std::back_inserter(out_), R"(,"device":{},"stream":{})", span.device, track);
    }
    if (span.kind == Kind::kKernel) {
      fmt::format_to(std::back_inserter(out_), R"(,"grid":[{},{},{}],"block":[{},{},{}],"shared memory":{})",
                     span.grid[0], span.grid[1], span.grid[2], span.block[0], span.block[1], span.block[2],
                     span.sharedBytes);
    }
    if (span.kind == Kind::kCopy || span.kind == Kind::kFill || span.ranks > 0) {
      fmt::format_to(std::back_inserter(out_), R"(,"bytes":{})", span.bytes);
    }
    if (span.ranks > 0) {
      fmt::format_to(std::back_inserter(out_), R"(,"ranks":{},"rank":{},"in group":{})", span.ranks,
                     span.member, span.inGroup);
    }
    out_ += "}}";
    const auto call = isCall ? calls.end() : calls.find(span.correlation);
    if (call != calls.end()) addArrow(process, *call->second, span, owner, track);
  }

  // From the call to what it submitted.
  void addArrow(const Process& process, const Span& call, const Span& span, int64_t owner, uint64_t track) {
    const auto id = fmt::format("{}.{}", process.id, ++arrows_);
    fmt::format_to(std::back_inserter(line()),
                   R"({{"ph":"s","cat":"ac2g","name":"ac2g","id":"{}","pid":{},"tid":{},"ts":{}}})", id,
                   process.id, call.lane, microseconds(call.begin));
    fmt::format_to(std::back_inserter(line()),
                   R"({{"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":"{}","pid":{},"tid":{},"ts":{}}})",
                   id, owner, track, microseconds(span.begin));
  }

  std::string& out_;
  bool first_ = true;
  uint64_t arrows_ = 0;
  uint64_t asyncRanges_ = 0;
  std::map<uint64_t, uint64_t> graphLanes_;
  std::set<std::pair<int64_t, uint64_t>> named_;
};

std::string events(const Timeline& timeline) {
  std::string out;
  Writer writer(out);
  for (const Process& process : timeline.processes) writer.add(process);
  return out;
}

// Events of processes that ran at the same time as this one and ended before.
std::string othersEvents(const std::string& path, int64_t since) {
  struct stat state {};
  if (stat(path.c_str(), &state) != 0) return {};
  if (int64_t{state.st_mtim.tv_sec} * 1'000'000'000 + state.st_mtim.tv_nsec <= since) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!text.starts_with(kHead) || !text.ends_with(kTail)) return {};
  return text.substr(kHead.size(), text.size() - kHead.size() - kTail.size());
}

class FolderLock {
 public:
  explicit FolderLock(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

int64_t trackOf(const Process& process, int device) {
  return kFirstDeviceTrack + process.id * kDevicesOfProcess + device;
}

std::string toJson(const Timeline& timeline) {
  std::string out(kHead);
  out += events(timeline);
  out += kTail;
  return out;
}

bool writeWithOthers(const std::string& path, int64_t since, const Timeline& timeline, std::string& error) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const FolderLock lock(folder.empty() ? "." : folder);
  std::string others = othersEvents(path, since);
  if (!others.empty()) others += ",\n";
  const std::string made = path + "." + std::to_string(getpid());
  {
    std::ofstream file(made, std::ios::binary);
    file << kHead << others << events(timeline) << kTail;
    file.close();
    if (!file) error = "cannot write '" + made + "': " + std::strerror(errno);
  }
  if (error.empty() && rename(made.c_str(), path.c_str()) != 0)
    error = "cannot write '" + path + "': " + std::strerror(errno);
  if (!error.empty()) unlink(made.c_str());
  return error.empty();
}

}  // namespace musashim::timeline
