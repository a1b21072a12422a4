#include "json_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "timeline/json_output.h"

namespace musashim::timeline {
namespace {

constexpr std::string_view kHead = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
constexpr std::string_view kTail = "\n]}\n";
constexpr int64_t kFirstDeviceTrack = 100'000'000;
constexpr int64_t kDevicesOfProcess = 256;
constexpr uint64_t kGraphLaneTracks = 1'000'000;

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

// The calls of a process by their correlation.
class Calls {
 public:
  explicit Calls(const Process& process) {
    for (const Span& span : process.spans) {
      if (span.kind == Kind::kCall && span.correlation != 0) calls_.push_back(&span);
    }
    const auto isLess = [](const Span* a, const Span* b) { return a->correlation < b->correlation; };
    if (!std::ranges::is_sorted(calls_, isLess)) std::ranges::sort(calls_, isLess);
  }

  // Work comes in the order of its calls, for the most part.
  const Span* find(uint64_t correlation) {
    if (next_ >= calls_.size() || calls_[next_]->correlation != correlation) {
      const auto place = std::ranges::lower_bound(calls_, correlation, {}, &Span::correlation);
      if (place == calls_.end() || (*place)->correlation != correlation) return nullptr;
      next_ = static_cast<size_t>(place - calls_.begin());
    }
    return calls_[next_++];
  }

 private:
  std::vector<const Span*> calls_;
  size_t next_ = 0;
};

class Writer {
 public:
  explicit Writer(JsonOutput& out) : out_(out) {}

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
    Calls calls(process);
    for (const Span& span : process.spans) {
      if (span.kind == Kind::kCall) {
        addCall(process, span);
      } else if (isWork(span.kind)) {
        addWork(process, span, calls);
      } else {
        addRange(process, span);
      }
    }
  }

 private:
  void name(std::string_view what, int64_t process, uint64_t track, std::string_view text) {
    out_.event() << R"({"ph":"M","name":")" << what << R"(","pid":)" << process << R"(,"tid":)" << track
                 << R"(,"args":{"name":)";
    out_.quoted(text) << "}}";
  }

  uint64_t streamTrack(const Process& process, const Span& span) {
    const int64_t device = trackOf(process, span.device);
    if (last_.device == device && last_.lane == span.lane) return last_.track;
    uint64_t track = span.lane >> 1;
    std::string title =
        span.lane & 1 ? fmt::format("stream {} (default)", track) : fmt::format("stream {}", track);
    if (span.lane >= kFirstGraphLane) {
      track = graphLanes_.try_emplace(span.lane, kGraphLaneTracks + graphLanes_.size()).first->second;
      title = fmt::format("graph lane {}", track - kGraphLaneTracks);
    }
    if (named_.insert({device, track}).second) name("thread_name", device, track, title);
    last_ = {device, span.lane, track};
    return track;
  }

  // Of the program's own: on its thread, or, where threads end each other's, beside them.
  void addRange(const Process& process, const Span& span) {
    const auto event = [&](std::string_view phase, int64_t at) -> JsonOutput& {
      out_.event() << R"({"ph":")" << phase << R"(","cat":"range","name":)";
      out_.quoted(span.name) << R"(,"pid":)" << process.id << R"(,"tid":)" << span.lane << R"(,"ts":)";
      return out_.time(at);
    };
    const auto end = [&] {
      out_ << R"(,"args":{"domain":)";
      out_.quoted(span.detail) << "}}";
    };
    if (span.kind == Kind::kMark) {
      event("i", span.begin) << R"(,"s":"t")";
      return end();
    }
    if (span.kind == Kind::kRange) {
      (event("X", span.begin) << R"(,"dur":)").time(span.duration());
      return end();
    }
    ++asyncRanges_;
    for (const auto& [phase, at] : {std::pair("b", span.begin), std::pair("e", span.end)}) {
      event(phase, at) << R"(,"id":")" << process.id << '.' << asyncRanges_ << '"';
      end();
    }
  }

  // What calls and work have; the arguments stay open.
  void begin(const Span& span, int64_t owner, uint64_t track) {
    out_.event() << R"({"ph":"X","cat":")" << categoryOf(span.kind) << R"(","name":)";
    out_.quoted(span.name) << R"(,"pid":)" << owner << R"(,"tid":)" << track << R"(,"ts":)";
    out_.time(span.begin) << R"(,"dur":)";
    out_.time(span.duration()) << R"(,"args":{"correlation":)" << span.correlation;
  }

  void addRanks(const Span& span) {
    out_ << R"(,"ranks":)" << span.ranks << R"(,"rank":)" << span.member << R"(,"in group":)"
         << (span.inGroup ? "true" : "false");
  }

  void addCall(const Process& process, const Span& span) {
    begin(span, process.id, span.lane);
    out_ << R"(,"library":)";
    out_.quoted(span.detail) << R"(,"result":)" << span.result;
    if (span.ranks > 0) {
      out_ << R"(,"bytes":)" << span.bytes;
      addRanks(span);
    }
    out_ << "}}";
  }

  void addWork(const Process& process, const Span& span, Calls& calls) {
    const uint64_t track = streamTrack(process, span);
    const int64_t owner = trackOf(process, span.device);
    begin(span, owner, track);
    out_ << R"(,"device":)" << span.device << R"(,"stream":)" << track;
    if (span.kind == Kind::kKernel) {
      const auto &grid = span.grid, &block = span.block;
      out_ << R"(,"grid":[)" << grid[0] << ',' << grid[1] << ',' << grid[2] << R"(],"block":[)" << block[0]
           << ',' << block[1] << ',' << block[2] << R"(],"shared memory":)" << span.sharedBytes;
    }
    if (span.kind == Kind::kCopy || span.kind == Kind::kFill || span.ranks > 0)
      out_ << R"(,"bytes":)" << span.bytes;
    if (span.ranks > 0) addRanks(span);
    out_ << "}}";
    if (const Span* call = calls.find(span.correlation)) addArrow(process, *call, span, owner, track);
  }

  // From the call to what it submitted.
  void addArrow(const Process& process, const Span& call, const Span& span, int64_t owner, uint64_t track) {
    ++arrows_;
    out_.event() << R"({"ph":"s","cat":"ac2g","name":"ac2g","id":")" << process.id << '.' << arrows_
                 << R"(","pid":)" << process.id << R"(,"tid":)" << call.lane << R"(,"ts":)";
    out_.time(call.begin) << "}";
    out_.event() << R"({"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":")" << process.id << '.' << arrows_
                 << R"(","pid":)" << owner << R"(,"tid":)" << track << R"(,"ts":)";
    out_.time(span.begin) << "}";
  }

  struct Track {
    int64_t device = -1;
    uint64_t lane = 0, track = 0;
  };

  JsonOutput& out_;
  uint64_t arrows_ = 0;
  uint64_t asyncRanges_ = 0;
  Track last_;
  std::map<uint64_t, uint64_t> graphLanes_;
  std::set<std::pair<int64_t, uint64_t>> named_;
};

void writeEvents(const Timeline& timeline, const JsonOutput::Sink& sink) {
  JsonOutput out(sink);
  Writer writer(out);
  for (const Process& process : timeline.processes) writer.add(process);
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
  writeEvents(timeline, [&](std::string_view piece) { out += piece; });
  out += kTail;
  return out;
}

bool writeWithOthers(const std::string& path, int64_t since, const Timeline& timeline, std::string& error) {
  // A device or a pipe takes this run's events; a file must not come in its place.
  const auto status = std::filesystem::status(path);
  if (exists(status) && !is_regular_file(status)) {
    std::ofstream file(path, std::ios::binary);
    file << toJson(timeline);
    file.close();
    if (!file) error = "cannot write '" + path + "': " + std::strerror(errno);
    return error.empty();
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const FolderLock lock(folder.empty() ? "." : folder);
  std::string others = othersEvents(path, since);
  if (!others.empty()) others += ",\n";
  const std::string made = path + "." + std::to_string(getpid());
  {
    std::ofstream file(made, std::ios::binary);
    file << kHead << others;
    writeEvents(timeline, [&](std::string_view piece) { file << piece; });
    file << kTail;
    file.close();
    if (!file) error = "cannot write '" + made + "': " + std::strerror(errno);
  }
  if (error.empty() && rename(made.c_str(), path.c_str()) != 0)
    error = "cannot write '" + path + "': " + std::strerror(errno);
  if (!error.empty()) unlink(made.c_str());
  return error.empty();
}

}  // namespace musashim::timeline
