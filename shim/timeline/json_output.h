// Pieces of JSON's text, handed on as they come: a trace may be greater than what the process worked on.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "timeline/timeline.h"

namespace musashim::timeline {

class JsonOutput {
 public:
  using Sink = std::function<void(std::string_view)>;

  explicit JsonOutput(Sink sink) : sink_(std::move(sink)) { buffer_.reserve(kPiece + kMostOfEvent); }
  ~JsonOutput() { sink_(buffer_); }
  JsonOutput(const JsonOutput&) = delete;
  JsonOutput& operator=(const JsonOutput&) = delete;

  // A new event, behind a comma if there was one.
  JsonOutput& event() {
    if (buffer_.size() >= kPiece) {
      sink_(buffer_);
      buffer_.clear();
    }
    if (!first_) buffer_ += ",\n";
    first_ = false;
    return *this;
  }

  JsonOutput& operator<<(std::string_view text) {
    buffer_ += text;
    return *this;
  }
  JsonOutput& operator<<(char letter) {
    buffer_ += letter;
    return *this;
  }
  template <std::integral Number>
  JsonOutput& operator<<(Number number) {
    char digits[24];
    buffer_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    return *this;
  }

  // Nanoseconds as microseconds.
  JsonOutput& time(int64_t nanoseconds) {
    const int64_t rest = nanoseconds % 1000;
    *this << nanoseconds / 1000;
    const char fraction[] = {'.', digit(rest / 100), digit(rest / 10), digit(rest)};
    buffer_.append(fraction, sizeof fraction);
    return *this;
  }

  JsonOutput& quoted(std::string_view text) {
    appendQuoted(buffer_, text);
    return *this;
  }
  JsonOutput& quoted(Text text) {
    std::string& known = quoted_[text.key()];
    if (known.empty()) appendQuoted(known, text.string());
    buffer_ += known;
    return *this;
  }

 private:
  static constexpr size_t kPiece = size_t{1} << 20, kMostOfEvent = 4096;

  static char digit(int64_t value) { return static_cast<char>('0' + value % 10); }

  static void appendQuoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char letter : text) {
      if (letter == '"' || letter == '\\') out += '\\';
      out += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    out += '"';
  }

  Sink sink_;
  std::string buffer_;
  bool first_ = true;
  std::unordered_map<const std::string*, std::string> quoted_;
};

}  // namespace musashim::timeline
