#pragma once

// Between musaport and the module that holds clang (musaport-semantic.so, loaded only for --semantic: its
// libraries take longer to load than a project takes to port). No clang types here.

#include <cstdint>
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

struct SemanticUnit {
  std::size_t file;
  std::vector<std::string> arguments;  // -I, -D, -U, -std, -include, -isystem only
  bool musa;                           // device code may be in it
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
  std::string kind;  // warp, shared-memory, launch, nested-launch, guard, missing
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

struct SemanticResult {
  std::vector<SemanticFinding> findings;  // sorted, each once
  std::vector<SemanticPlace> own;         // renamed names that mean something of the project's
  std::vector<SemanticPlace> api;         // renamed names that mean the API
  std::size_t parsed = 0;                 // units without an error
  std::vector<std::string> failures;      // the others: "file: first error (and N more)"
};

extern "C" {
/// Throws nothing. False if clang could not be set up; then failures[0] says why.
using SemanticEntry = bool (*)(const SemanticRequest& request, SemanticResult& result);
}
inline constexpr const char* kSemanticEntry = "musaportSemantic";

}  // namespace musashim::translator
