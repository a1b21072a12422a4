// What a run did, and when: calls by thread, and the devices' work by stream. Of one process or of several.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace musashim::timeline {

enum class Kind { kCall, kKernel, kCopy, kFill, kHostFunction, kRange, kAsyncRange, kMark };

// What a stream did, and not a thread.
constexpr bool isWork(Kind kind) {
  return kind == Kind::kKernel || kind == Kind::kCopy || kind == Kind::kFill || kind == Kind::kHostFunction;
}

// A text that many spans share: it is kept once, for ever.
class Text {
 public:
  Text() = default;
  Text(std::string_view text);
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const char* text) : Text(std::string_view(text)) {}

  operator const std::string&() const { return string(); }
  const std::string& string() const { return text_ != nullptr ? *text_ : none(); }
  const std::string* key() const { return text_; }  // the same of the same text

 private:
  static const std::string& none();

  const std::string* text_ = nullptr;  // null: empty
};
inline bool operator==(Text a, Text b) { return a.key() == b.key(); }
inline bool operator==(Text a, std::string_view b) { return std::string_view(a.string()) == b; }
inline bool operator==(Text a, const char* b) { return a == std::string_view(b); }
inline std::ostream& operator<<(std::ostream& out, Text text) { return out << text.string(); }

struct Span {
  Kind kind = Kind::kCall;
  Text name;
  Text detail;                 // a call's library; a range's domain
  int64_t begin = 0, end = 0;  // ns of the machine's monotonic clock
  uint64_t correlation = 0;    // a call and what it submitted have the same; 0: none
  uint64_t lane = 0;           // thread; or queue: a stream's id and whether it is the default one, below
  int device = 0;
  uint64_t bytes = 0;    // of a copy or fill; of a collective, of each rank
  uint32_t ranks = 0;    // of a collective
  uint32_t member = 0;   // which of them called
  bool inGroup = false;  // it was done when the group ended
  std::array<uint32_t, 3> grid{}, block{};
  uint32_t sharedBytes = 0;
  int result = 0;  // of a call

  int64_t duration() const { return end - begin; }
};

// Streams are numbered from the driver's ids, twice, odd for default streams; greater numbers are lanes of
// graphs.
inline constexpr uint64_t kFirstGraphLane = uint64_t{1} << 32;

struct Process {
  int id = 0;
  std::string name;
  std::string rank;                  // in a job of several; empty: none
  std::vector<std::string> devices;  // by ordinal
  std::vector<Span> spans;
  uint64_t dropped = 0;  // spans for which there was no room
};

struct Timeline {
  std::vector<Process> processes;
};

}  // namespace musashim::timeline
