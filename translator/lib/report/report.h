#pragma once

// What a run did, for people and for programs.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/report/finding.h"
#include "translator/lib/report/severity.h"
#include "translator/lib/tree/project.h"

namespace musashim::translator {

struct Place {
  std::uint32_t line;
  std::uint32_t column;  // in bytes, from 1
  std::uint32_t unit;    // the column in code units of UTF-16, as SARIF counts
};

/// Line and column of byte offsets that come in ascending order.
class PlaceFinder {
 public:
  explicit PlaceFinder(std::string_view text) : text_(text) {}
  Place at(std::uint32_t offset);

 private:
  std::string_view text_;
  std::uint32_t done_ = 0;
  std::uint32_t lineStart_ = 0;
  std::uint32_t units_ = 0;  // of the line, up to there
  std::uint32_t line_ = 1;
};

struct PlacedFinding {
  Finding finding;
  Place place;
};

struct FileReport {
  const ProjectFile* file = nullptr;
  std::string restored;  // its name before the port, if that was undone
  std::size_t edits = 0;
  bool seen = false;  // by the last update, so it was not ported again
  std::vector<PlacedFinding> findings;
  std::vector<std::pair<std::string_view, std::size_t>> counts;  // as in Match

  std::string_view target() const { return restored.empty() ? file->target : restored; }
  bool renamed() const { return target() != file->relative; }
};

/// The findings of `match` with their places in `text`, in order. `detailed`: all of them, not only what is
/// left or wants a look.
FileReport reportOf(const ProjectFile& file, std::string_view text, Match match, bool detailed);

class Report {
 public:
  explicit Report(std::size_t files = 0) { files_.reserve(files); }
  void add(FileReport file);
  void addSkipped(std::vector<std::string> skipped) { skipped_ = std::move(skipped); }

  std::size_t unported() const;
  /// Places that want a look.
  std::size_t noted() const;
  Severity gravest() const;
  const std::vector<FileReport>& files() const { return files_; }

  /// "file:line:column: warning: ..." for what was left, "note:" for what wants a look.
  /// `all`: every use; otherwise the first of each name in each file, with a count.
  std::string diagnostics(bool all) const;
  std::string text() const;
  std::string json() const;

 private:
  template <typename Is>
  std::size_t count(Is is) const;
  std::size_t filesOf(FileKind kind, bool changedOnly) const;

  std::map<std::string_view, std::size_t> counts_;  // edits by library, or by kind where there is none
  std::vector<FileReport> files_;
  std::vector<std::string> skipped_;
};

}  // namespace musashim::translator
