// Ranges of the program's own (shim/mttx): among the lines of MUSASHIM_TRACE=1 what begins, what ends, and
// how long it took; in the trace of MUSASHIM_TRACE_FILE, and told to a listener.
#include "musa/api/range_table.h"

#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/trace.h"
#include "musa/trace/listener.h"
#include "musa/trace/recorder.h"
#include "musa/trace/watch.h"
#include "support/per_thread.h"

namespace musashim::musa {
namespace {

using Clock = std::chrono::steady_clock;

struct Open {
  const void* domain;
  std::string name;
  Clock::time_point begin;
  int64_t ticks;    // the same moment
  uint32_t thread;  // where it began
  uint32_t event;   // a listener's number of it
};

std::atomic<uint32_t> lastEvent{0};

// Texts that live for ever, and those of ranges that threads began for each other.
// Never destroyed: threads go on while the process ends.
struct Ranges {
  std::mutex mutex;
  std::set<std::string> texts;  // domains' names and registered strings; their addresses stay
  std::unordered_map<uint64_t, Open> started;
  uint64_t lastId = 0;
};

Ranges& ranges() {
  static Ranges* const kRanges = new Ranges;
  return *kRanges;
}

struct Stack {
  std::vector<Open> ranges;
};
std::vector<Open>& pushed() { return support::PerThread<Stack>::get().ranges; }

void appendUtf8(uint32_t point, std::string& text) {
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += {static_cast<char>(0xc0 | point >> 6), static_cast<char>(0x80 | (point & 0x3f))};
  } else if (point < 0x10000) {
    text += {static_cast<char>(0xe0 | point >> 12), static_cast<char>(0x80 | (point >> 6 & 0x3f)),
             static_cast<char>(0x80 | (point & 0x3f))};
  } else {
    text += {static_cast<char>(0xf0 | point >> 18), static_cast<char>(0x80 | (point >> 12 & 0x3f)),
             static_cast<char>(0x80 | (point >> 6 & 0x3f)), static_cast<char>(0x80 | (point & 0x3f))};
  }
}

std::string textOf(int type, const void* text) {
  if (!text) return "";
  switch (type) {
    case MUSHIM_TEXT_CHAR:
    case MUSHIM_TEXT_REGISTERED:
      return static_cast<const char*>(text);
    case MUSHIM_TEXT_WIDE: {
      std::string result;
      for (const auto* at = static_cast<const wchar_t*>(text); *at; ++at)
        appendUtf8(static_cast<uint32_t>(*at), result);
      return result;
    }
    default:
      return "";
  }
}

template <class T>
T as(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string payloadOf(const MUshimRange& range) {
  switch (range.payloadType) {
    case 1:
      return fmt::format("{}", range.payload);
    case 2:
      return fmt::format("{}", as<int64_t>(range.payload));
    case 3:
      return fmt::format("{}", as<double>(range.payload));
    case 4:
      return fmt::format("{}", as<uint32_t>(range.payload));
    case 5:
      return fmt::format("{}", as<int32_t>(range.payload));
    case 6:
      return fmt::format("{}", as<float>(range.payload));
    default:
      return "";
  }
}

// "name" of domain, category 3, payload 7
std::string describe(const MUshimRange& range) {
  std::string text = '"' + textOf(range.textType, range.text) + '"';
  if (range.domain) text += fmt::format(" of {}", static_cast<const char*>(range.domain));
  if (range.category != 0) text += fmt::format(", category {}", range.category);
  if (const std::string payload = payloadOf(range); !payload.empty()) text += ", payload " + payload;
  return text;
}

std::string sinceText(Clock::time_point begin) {
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  return us < 1000 ? fmt::format("{:.1f} us", us) : fmt::format("{:.2f} ms", us / 1000);
}

// The lines of a domain's ranges are one in the other, whatever other domains do.
int levelOf(const std::vector<Open>& stack, const void* domain) {
  int level = 0;
  for (const Open& one : stack) level += one.domain == domain ? 1 : 0;
  return level;
}

const char* keepText(const std::string& text) {
  std::lock_guard lock(ranges().mutex);
  return ranges().texts.insert(text).first->c_str();
}

void line(const std::string& call, const std::string& result, const std::string& more) {
  if (core::traceEnabled()) core::traceLine("mttx", call, result, more);
}

// To a listener: a range begins or ends, or a mark. `said`: what the program said of it; null at an end.
void tell(int kind, uint32_t event, const std::string& name, const void* domain, const MUshimRange* said) {
  const MUshimListener* const listener = currentListener();
  if (listener == nullptr) return;
  MUshimRangeEvent told = {};
  told.kind = kind;
  told.id = event;
  told.time = listenTable().now();
  told.name = keepText(name);
  told.domain = domain ? static_cast<const char*>(domain) : "";
  if (said) {
    told.category = said->category;
    told.color = said->color;
    told.colorType = static_cast<unsigned>(said->colorType);
    told.payloadType = said->payloadType;
    told.payload = said->payload;
  }
  listener->range(&told);
}

Open begin(const MUshimRange& range) {
  Open opened{range.domain, textOf(range.textType, range.text), Clock::now(), support::ticks(), threadId(),
              ++lastEvent};
  tell(MUSHIM_RANGE_BEGIN, opened.event, opened.name, opened.domain, &range);
  return opened;
}

void finish(const Open& ended, RecordKind kind) {
  if (isRecording())
    recordRange(kind, keepText(ended.name), static_cast<const char*>(ended.domain), ended.thread, ended.ticks,
                support::ticks());
  tell(MUSHIM_RANGE_END, ended.event, ended.name, ended.domain, nullptr);
}

int push(const MUshimRange* range) {
  const int level = levelOf(pushed(), range->domain);
  line("push " + describe(*range), fmt::format("level {}", level), "");
  pushed().push_back(begin(*range));
  return level;
}

int pop(const void* domain) {
  std::vector<Open>& stack = pushed();
  for (size_t i = stack.size(); i-- > 0;) {
    if (stack[i].domain != domain) continue;
    const Open ended = std::move(stack[i]);
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(i));
    const int level = levelOf(stack, domain);
    finish(ended, RecordKind::kRange);
    line("pop \"" + ended.name + '"', fmt::format("level {}", level), sinceText(ended.begin));
    return level;
  }
  line("pop", "no range", "");
  return -1;
}

uint64_t start(const MUshimRange* range) {
  Open opened = begin(*range);
  uint64_t id = 0;
  {
    std::lock_guard lock(ranges().mutex);
    id = ++ranges().lastId;
    ranges().started.emplace(id, std::move(opened));
  }
  line("start " + describe(*range), fmt::format("range {}", id), "");
  return id;
}

void end(uint64_t id) {
  std::optional<Open> ended;
  {
    std::lock_guard lock(ranges().mutex);
    if (auto found = ranges().started.extract(id)) ended = std::move(found.mapped());
  }
  if (!ended) return line(fmt::format("end {}", id), "no range", "");
  finish(*ended, RecordKind::kAsyncRange);
  line("end \"" + ended->name + '"', fmt::format("range {}", id), sinceText(ended->begin));
}

void mark(const MUshimRange* mark) {
  const std::string name = textOf(mark->textType, mark->text);
  if (isRecording()) {
    const int64_t now = support::ticks();
    recordRange(RecordKind::kMark, keepText(name), static_cast<const char*>(mark->domain), threadId(), now,
                now);
  }
  tell(MUSHIM_RANGE_MARK, ++lastEvent, name, mark->domain, mark);
  line("mark", describe(*mark), "");
}

const void* keep(int textType, const void* text) { return keepText(textOf(textType, text)); }

const void* registerText(const void* /*domain*/, int textType, const void* text) {
  return keep(textType, text);
}

void name(const void* /*domain*/, const char* what, uint64_t of, int textType, const void* text) {
  line(fmt::format("name {} {:#x}", what, of), '"' + textOf(textType, text) + '"', "");
}

constexpr MUshimRangeTable kTable = {
    sizeof(MUshimRangeTable), push, pop, start, end, mark, keep, registerText, name};

}  // namespace

// Who asks keeps the answer.
const MUshimRangeTable* rangeTable() {
  return core::traceEnabled() || startRecording() || mayBeListenedTo() ? &kTable : nullptr;
}

}  // namespace musashim::musa
