#pragma once

// Between musaport and the module that holds clang (musaport-semantic.so, loaded only for --semantic: its
// libraries take longer to load than a project takes to port). No clang types here.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace musashim::translator {

/// A ported file, as the compiler shall see it.
struct SemanticFile {
  std::string path;  // absolute, with its new name
  std::string_view text;
  std::vector<std::uint32_t> names;  // offsets of names that the port changed, ascending
};

enum class SemanticLanguage : std::uint8_t { C, Cpp, Musa };

struct SemanticUnit {
  std::size_t file;
  std::vector<std::string> arguments;  // -I, -D, -U, -std, -include, -isystem and the like only
  SemanticLanguage language;
};

/// What one architecture can do. Source: musa.md, "Hardware".
struct SemanticTarget {
  const char* name;
  unsigned architecture;  // __MUSA_ARCH__
  unsigned warp;          // lanes
  std::uint64_t shared;   // bytes a block may have
  unsigned threads;       // a multiprocessor can hold
};

struct SemanticRequest {
  std::vector<SemanticFile> files;
  std::vector<SemanticUnit> units;
  std::vector<SemanticTarget> targets;
  /// The text of a header that is not the project's, but CUDA like it, as the compiler shall see it; null:
  /// as it is on disk. Asked by many threads.
  std::function<std::shared_ptr<const std::string>(const std::string& path)> ported;
  std::string clang;    // path of clang++, for its own headers
  std::string include;  // the SDK's headers
  std::string prelude;  // included before MUSA sources; may be empty
  unsigned threads = 1;
  bool (*stopped)() = nullptr;  // asked between units
};

struct SemanticFinding {
  std::size_t file;
  std::uint32_t offset;  // in the ported text
  std::uint32_t length;
  std::string kind;  // warp, shared-memory, launch, nested-launch, guard, missing, vendor
  std::string subject;
  std::string reason;
  std::string remedy;
  bool operator<(const SemanticFinding& other) const {
    return std::tie(file, offset, kind, subject) <
           std::tie(other.file, other.offset, other.kind, other.subject);
  }
};

struct SemanticPlace {
  std::size_t file;
  std::uint32_t offset;
  bool operator<(const SemanticPlace& other) const {
    return std::tie(file, offset) < std::tie(other.file, other.offset);
  }
};

/// A unit that clang did not understand, or not as a whole.
struct SemanticTrouble {
  std::size_t file;                  // of the unit
  std::vector<std::string> headers;  // not found, or refused by the SDK; the rest of the unit was parsed
  std::vector<std::string> names;    // MUSA's, but not declared
  std::string error;                 // the first of the others
  unsigned errors = 0;               // how many of them
};

struct SemanticResult {
  std::vector<SemanticFinding> findings;  // sorted, each once
  std::vector<SemanticPlace> own;         // renamed names that mean something of the project's
  std::vector<SemanticPlace> api;         // renamed names that mean the API
  std::size_t parsed = 0;                 // units without an error
  std::vector<SemanticTrouble> troubles;  // the others, by file
};

extern "C" {
/// Throws nothing. There is a target at least.
using SemanticEntry = void (*)(const SemanticRequest& request, SemanticResult& result);
}
inline constexpr const char* kSemanticEntry = "musaportSemantic";

}  // namespace musashim::translator
