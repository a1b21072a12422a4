#pragma once

// A port into a tree that may have been edited since the last one. What was ported then is kept in a state
// folder, and is the base of a three-way merge.

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/merge/bases.h"
#include "translator/lib/merge/journal.h"

namespace musashim::translator {

inline constexpr std::string_view kStateName = ".musaport-state";

class Update {
 public:
  /// Finishes what an interrupted update of the tree left. Throws PortError.
  explicit Update(const std::filesystem::path& root);

  /// What is to be at `path`, below the root, of a source that is as `source` says. The last offer counts. By
  /// any thread.
  void offer(const std::filesystem::path& path, const struct stat& source, std::string_view text);
  /// The same for what nobody edits: it is written over.
  void own(const std::filesystem::path& path, std::string_view text);
  /// What is to be at `path` is what was ported last: nothing is done. False if that is not known.
  bool keep(const std::filesystem::path& path);
  /// Writes what changed, all or nothing, and returns a line for each conflict.
  std::vector<std::string> commit();

 private:
  struct Offer {
    mode_t mode = 0644;
    std::string text;
    bool own = false;
    bool kept = false;
    FileTime source;
  };
  void take(const std::string& path, const Offer& offer);
  void drop(const std::string& path);

  std::filesystem::path root_;
  Journal journal_;
  Bases bases_;
  std::mutex mutex_;
  std::map<std::string, Offer> offers_;
  std::vector<std::string> conflicts_;
};

}  // namespace musashim::translator
