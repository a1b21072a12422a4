#include "read_json.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "timeline/json_file.h"

namespace musashim::timeline {
namespace {

using Json = nlohmann::json;

std::optional<Kind> kindOf(const std::string& category) {
  if (category == "call") return Kind::kCall;
  if (category == "kernel") return Kind::kKernel;
  if (category == "gpu_memcpy") return Kind::kCopy;
  if (category == "gpu_memset") return Kind::kFill;
  if (category == "host_function") return Kind::kHostFunction;
  if (category == "range") return Kind::kRange;
  return {};
}

class Reader {
 public:
  explicit Reader(Timeline& timeline) : timeline_(timeline) {}

  void add(const Json& event) {
    const std::string phase = event.value("ph", "");
    if (phase == "M") return addName(event);
    const auto kind = kindOf(event.value("cat", ""));
    if (!kind) return;
    if (*kind == Kind::kRange && phase != "X") return addLooseRange(event, phase);
    if (phase != "X") return;
    const Json& arguments = event.at("args");
    Span span;
    span.kind = *kind;
    span.name = event.at("name").get_ref<const std::string&>();
    span.begin = nanoseconds(event.at("ts"));
    span.end = span.begin + nanoseconds(event.at("dur"));
    span.correlation = arguments.value("correlation", uint64_t{0});
    span.lane = event.at("tid");
    int64_t owner = event.at("pid");
    if (*kind == Kind::kCall) {
      span.detail = arguments.value("library", "");
      span.result = arguments.value("result", 0);
    } else if (*kind == Kind::kRange) {
      span.detail = arguments.value("domain", "");
    } else {
      span.device = arguments.value("device", 0);
      owner = processOf(owner, span.device);
    }
    span.bytes = arguments.value("bytes", uint64_t{0});
    span.ranks = arguments.value("ranks", 0u);
    span.member = arguments.value("rank", 0u);
    span.inGroup = arguments.value("in group", false);
    if (*kind == Kind::kKernel) {
      span.grid = arguments.at("grid");
      span.block = arguments.at("block");
      span.sharedBytes = arguments.value("shared memory", 0u);
    }
    process(static_cast<int>(owner)).spans.push_back(std::move(span));
  }

 private:
  // A mark, or the begin or end of a range that is no thread's.
  void addLooseRange(const Json& event, const std::string& phase) {
    const int64_t at = nanoseconds(event.at("ts"));
    const int id = event.at("pid");
    if (phase == "e") {
      const auto begun = looseRanges_.find(event.at("id"));
      if (begun == looseRanges_.end()) return;
      process(id).spans.at(begun->second).end = at;
      looseRanges_.erase(begun);
      return;
    }
    if (phase != "b" && phase != "i") return;
    Span span;
    span.kind = phase == "i" ? Kind::kMark : Kind::kAsyncRange;
    span.name = event.at("name").get_ref<const std::string&>();
    span.detail = event.at("args").value("domain", "");
    span.lane = event.at("tid");
    span.begin = span.end = at;
    if (phase == "b") looseRanges_[event.at("id")] = process(id).spans.size();
    process(id).spans.push_back(std::move(span));
  }

  static int64_t nanoseconds(const Json& value) { return std::llround(value.get<double>() * 1000); }

  // The process that a device's track belongs to.
  static int64_t processOf(int64_t track, int device) {
    static const Process kFirst, kSecond = [] {
      Process process;
      process.id = 1;
      return process;
    }();
    const int64_t base = trackOf(kFirst, 0), step = trackOf(kSecond, 0) - base;
    return (track - base - device) / step;
  }

  Process& process(int id) {
    auto [place, isNew] = index_.try_emplace(id, timeline_.processes.size());
    if (isNew) timeline_.processes.emplace_back().id = id;
    return timeline_.processes[place->second];
  }

  void addName(const Json& event) {
    const std::string what = event.at("name");
    const int64_t owner = event.at("pid");
    std::string text = event.at("args").at("name");
    if (what == "dropped_spans")
      process(static_cast<int>(owner)).dropped = std::strtoull(text.c_str(), nullptr, 10);
    if (what != "process_name") return;
    if (owner >= trackOf({}, 0)) {
      const size_t number = text.find(' '), title = text.find(": ");
      const int device = std::atoi(text.c_str() + number);
      Process& of = process(static_cast<int>(processOf(owner, device)));
      if (of.devices.size() <= static_cast<size_t>(device))
        of.devices.resize(static_cast<size_t>(device) + 1);
      if (title != std::string::npos) of.devices[static_cast<size_t>(device)] = text.substr(title + 2);
      return;
    }
    Process& of = process(static_cast<int>(owner));
    text.resize(text.rfind(" ("));
    if (text.starts_with("rank ")) {
      const size_t end = text.find(", ");
      of.rank = text.substr(5, end - 5);
      text.erase(0, end + 2);
    }
    of.name = text;
  }

  Timeline& timeline_;
  std::map<int, size_t> index_;
  std::map<std::string, size_t> looseRanges_;  // by id: where their span is
};

}  // namespace

bool fromJson(const std::string& text, Timeline& timeline, std::string& error) {
  try {
    const Json document = Json::parse(text);
    Reader reader(timeline);
    for (const Json& event : document.at("traceEvents")) reader.add(event);
    return true;
  } catch (const std::exception& failure) {
    error = failure.what();
    return false;
  }
}

bool readFile(const std::string& path, Timeline& timeline, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    error = "cannot read '" + path + "'";
    return false;
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (fromJson(text, timeline, error)) return true;
  error = "'" + path + "' is no trace of MUSASHIM_TRACE_FILE: " + error;
  return false;
}

}  // namespace musashim::timeline
