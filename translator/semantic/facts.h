#pragma once

// What the visitor and the preprocessor's listener share about one unit.

#include <map>
#include <mutex>
#include <set>

#include "clang/Basic/SourceManager.h"
#include "translator/semantic/interface.h"

namespace musashim::translator {

/// Collects from all units; findings of a header that many units include are kept once.
class FindingSink {
 public:
  void add(SemanticFinding finding) {
    const std::lock_guard lock(mutex_);
    findings_.insert(std::move(finding));
  }
  void own(SemanticPlace place) {
    const std::lock_guard lock(mutex_);
    own_.insert(place);
  }
  void api(SemanticPlace place) {
    const std::lock_guard lock(mutex_);
    api_.insert(place);
  }
  /// A place that any unit found to be the API's is the API's.
  void finish(SemanticResult& result) {
    result.findings.assign(findings_.begin(), findings_.end());
    for (const SemanticPlace& place : own_) {
      if (!api_.contains(place)) result.own.push_back(place);
    }
    result.api.assign(api_.begin(), api_.end());
  }

 private:
  std::mutex mutex_;
  std::set<SemanticFinding> findings_;
  std::set<SemanticPlace> own_, api_;
};

class UnitFacts {
 public:
  UnitFacts(const SemanticRequest& request, const std::map<std::string, std::size_t, std::less<>>& byPath,
            FindingSink& sink)
      : request(request), sink(sink), byPath_(byPath) {}

  const SemanticRequest& request;
  FindingSink& sink;

  /// Index of the project's file that holds the place, or SIZE_MAX.
  std::size_t fileOf(const clang::SourceManager& sources, clang::SourceLocation place) {
    const clang::FileID id = sources.getFileID(place);
    const auto [entry, fresh] = files_.try_emplace(id.getHashValue(), SIZE_MAX);
    if (fresh) {
      if (const auto file = sources.getFileEntryRefForID(id)) {
        const auto found = byPath_.find(std::string_view(file->getName().data(), file->getName().size()));
        if (found != byPath_.end()) entry->second = found->second;
      }
    }
    return entry->second;
  }

  /// Reports at the place where the user wrote it: for code of a macro, the macro's use.
  void report(const clang::SourceManager& sources, clang::SourceLocation place, std::string kind,
              std::string subject, std::string reason, std::string remedy) {
    place = sources.getFileLoc(place);
    const std::size_t file = fileOf(sources, place);
    if (file == SIZE_MAX) return;
    const auto length = static_cast<std::uint32_t>(subject.size());
    sink.add({file, sources.getFileOffset(place), length, std::move(kind), std::move(subject),
              std::move(reason), std::move(remedy)});
  }

 private:
  const std::map<std::string, std::size_t, std::less<>>& byPath_;
  std::map<unsigned, std::size_t> files_;
};

/// A kernel that device code launches.
inline void reportNestedLaunch(UnitFacts& facts, const clang::SourceManager& sources,
                               clang::SourceLocation place, std::string kernel) {
  facts.report(
      sources, place, "nested-launch", std::move(kernel),
      "a kernel starts a kernel; this SDK compiles that, but no waiting, copies or events in device code",
      "where it has to run elsewhere, too, start it from the host");
}

}  // namespace musashim::translator
