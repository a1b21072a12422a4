#pragma once

// What the last --update has found in each file, so that one whose bytes are the same is not ported again. It
// holds as long as all else that a port depends on is the same: the program, its options, the names of the
// project's files, what build files say of each other; and what the project defines.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/build/build.h"
#include "translator/lib/tree/project.h"
#include "translator/tool/arguments.h"
#include "translator/tool/file_porter.h"

namespace musashim::translator {

inline constexpr std::string_view kSeenName = ".musaport-state/seen";

/// What the files of a project depend on besides themselves, found in all of them.
struct Definitions {
  UserSymbols symbols;
  const PastingMacros* pasting;
  const TextMacros* texts;
};

class Seen {
 public:
  /// `output`: of the update. What was seen before is read, if there is something that still holds.
  Seen(const Arguments& arguments, const Project& project, const BuildFacts& facts,
       const std::filesystem::path& output);

  /// The outcome of a file that was ported before from the same bytes. False if it was not. By any thread.
  bool take(const ProjectFile& file, std::string_view text, Outcome& outcome) const;
  /// Did the project define the same then?
  bool agrees(const Definitions& all) const { return definitions_ == hashOf(all); }

  /// Bytes of the file for the next update.
  std::string text(const Project& project, const std::vector<Outcome>& outcomes,
                   const Definitions& all) const;

 private:
  struct File {
    std::uint64_t hash;   // of its bytes
    std::string outcome;  // as CBOR, read when it is wanted
  };
  static std::uint64_t hashOf(const Definitions& all);

  std::uint64_t surroundings_ = 0;
  std::uint64_t definitions_ = 0;
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace musashim::translator
