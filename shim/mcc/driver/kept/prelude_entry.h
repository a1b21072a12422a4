// What is kept of the prelude for one set of options, macros and headers that sources begin with, on disk.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "prelude_step.h"

namespace musashim::mcc {

struct PreludeEntry {
  std::set<std::string> headers;     // that sources begin with; none: of the prelude alone
  std::vector<std::string> macros;   // options of those that its files may ask for
  std::vector<std::string> leading;  // options by which the prelude reads the headers
  std::string key;
  std::string stem;         // what the names of all files with the same options begin with
  std::string inputs;       // what it was made of (MadePrelude)
  std::string identifiers;  // that its files mention (identifiers.h)
  std::string unmade;       // notes its uses while it is not there
  std::string lock;         // of who makes it

  // `asked`: names of macros that its files ask for, besides those that always matter.
  PreludeEntry(const std::string& folder, const PreludeStep& step, std::set<std::string> first,
               const std::set<std::string>& asked);

  // The file that clang has made. Each has a name of its own, so that none takes the place of another that
  // something was built on.
  std::string headerOf(llvm::StringRef version) const;

 private:
  std::string name_;
};

// What was made of an entry, of files that are still the same.
struct MadePrelude {
  std::string version;
  std::string header;           // clang's file
  std::string base;             // the version of the prelude alone that it goes on from; empty: it has all
  std::set<std::string> files;  // that it was made of, without its base's
  std::set<std::string> names;  // by which those are included
};

// Nothing where it is not there, or a file has changed since. Notes that it was used.
std::optional<MadePrelude> readMade(const PreludeEntry& entry);

// Keeps what was made of the entry in place of what was there; `tools` are files that it depends on besides.
// False when it cannot be kept.
bool writeMade(const PreludeEntry& entry, const MadePrelude& made, const std::vector<std::string>& tools);

// The headers of all entries with the same options as `entry`.
std::vector<std::set<std::string>> keptHeaders(const PreludeEntry& entry);

}  // namespace musashim::mcc
