// Ranges of the program's own (shim/mttx) among the lines of MUSASHIM_TRACE=1: what begins, what ends, and
// how long it took.
#include "musa/api/range_table.h"

#include <fmt/core.h>

#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/trace.h"
#include "support/per_thread.h"

namespace musashim::musa {
namespace {

using Clock = std::chrono::steady_clock;

struct Open {
  const void* domain;
  std::string name;
  Clock::time_point begin;
};

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

int push(const MUshimRange* range) {
  const int level = levelOf(pushed(), range->domain);
  core::traceLine("mttx", "push " + describe(*range), fmt::format("level {}", level), "");
  pushed().push_back({range->domain, textOf(range->textType, range->text), Clock::now()});
  return level;
}

int pop(const void* domain) {
  std::vector<Open>& stack = pushed();
  for (size_t i = stack.size(); i-- > 0;) {
    if (stack[i].domain != domain) continue;
    const Open ended = std::move(stack[i]);
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(i));
    const int level = levelOf(stack, domain);
    core::traceLine("mttx", "pop \"" + ended.name + '"', fmt::format("level {}", level),
                    sinceText(ended.begin));
    return level;
  }
  core::traceLine("mttx", "pop", "no range", "");
  return -1;
}

uint64_t start(const MUshimRange* range) {
  std::lock_guard lock(ranges().mutex);
  const uint64_t id = ++ranges().lastId;
  core::traceLine("mttx", "start " + describe(*range), fmt::format("range {}", id), "");
  ranges().started.emplace(id, Open{range->domain, textOf(range->textType, range->text), Clock::now()});
  return id;
}

void end(uint64_t id) {
  std::lock_guard lock(ranges().mutex);
  const auto found = ranges().started.find(id);
  if (found == ranges().started.end()) {
    core::traceLine("mttx", fmt::format("end {}", id), "no range", "");
    return;
  }
  core::traceLine("mttx", "end \"" + found->second.name + '"', fmt::format("range {}", id),
                  sinceText(found->second.begin));
  ranges().started.erase(found);
}

void mark(const MUshimRange* mark) { core::traceLine("mttx", "mark", describe(*mark), ""); }

const void* keep(int textType, const void* text) {
  std::lock_guard lock(ranges().mutex);
  return ranges().texts.insert(textOf(textType, text)).first->c_str();
}

const void* registerText(const void* /*domain*/, int textType, const void* text) {
  return keep(textType, text);
}

void name(const void* /*domain*/, const char* what, uint64_t of, int textType, const void* text) {
  core::traceLine("mttx", fmt::format("name {} {:#x}", what, of), '"' + textOf(textType, text) + '"', "");
}

constexpr MUshimRangeTable kTable = {
    sizeof(MUshimRangeTable), push, pop, start, end, mark, keep, registerText, name};

}  // namespace

const MUshimRangeTable* rangeTable() { return core::traceEnabled() ? &kTable : nullptr; }

}  // namespace musashim::musa
