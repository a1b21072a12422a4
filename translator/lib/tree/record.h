#pragma once

// What a port changed, kept beside the ported tree (.musaport), so that --reverse gives back the original
// bytes and names. Some changes cannot be told from the result alone: guards that lost their number, PTX
// that became a builtin, two headers that became one.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/report/finding.h"

namespace musashim::translator {

inline constexpr std::string_view kRecordName = ".musaport";

struct RecordedEdit {
  std::uint32_t begin;   // in the ported text
  std::uint32_t length;  // there
  std::string original;
};

struct RecordedFile {
  std::string source;      // name before the port, below the root
  std::uint64_t hash = 0;  // of the ported text
  std::vector<RecordedEdit> edits;
};

class Record {
 public:
  /// A file's ports by the name it has now, oldest first.
  std::map<std::string, std::vector<RecordedFile>> files;

  /// Bytes of the record file.
  std::string text() const;
  /// Empty if `text` is not a record (or was cut short).
  static std::optional<Record> parse(std::string_view text);
};

/// Of a text in one piece or several.
class TextHash {
 public:
  void add(std::string_view text);
  std::uint64_t value() const;

 private:
  void mix(std::uint64_t word);
  std::uint64_t value_ = 0x9E3779B97F4A7C15U;
  std::uint64_t size_ = 0;
  unsigned char pending_[8] = {};
};

/// Of a text in one piece.
std::uint64_t hashOf(std::string_view text);

/// The record of one port. `edits` as planned on `original`.
RecordedFile recordOf(std::string source, std::string_view original, const std::vector<Edit>& edits);

/// The text before the port; nothing if `ported` is not what the port left (it was changed since).
std::optional<std::string> restored(const RecordedFile& file, std::string_view ported);

}  // namespace musashim::translator
