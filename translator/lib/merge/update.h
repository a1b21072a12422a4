#pragma once

// A port into a tree that may have been edited since the last one. What was ported then is kept in a state
// folder, and is the base of a three-way merge.

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/lib/merge/journal.h"

namespace musashim::translator {

inline constexpr std::string_view kStateName = ".musaport-state";

class Update {
 public:
  /// Finishes what an interrupted update of the tree left. Throws PortError.
  explicit Update(const std::filesystem::path& root);

  /// What is to be at `path`, below the root. The last offer counts. By any thread.
  void offer(const std::filesystem::path& path, mode_t mode, std::string_view text);
  /// The same for what nobody edits: it is written over.
  void own(const std::filesystem::path& path, std::string_view text);
  /// Writes what changed, all or nothing, and returns a line for each conflict.
  std::vector<std::string> commit();

 private:
  struct Offer {
    mode_t mode;
    std::string text;
    bool own;
  };
  void take(const std::string& path, const Offer& offer);
  void drop(const std::string& path);
  std::filesystem::path baseOf(const std::string& path) const { return root_ / kStateName / "base" / path; }

  std::filesystem::path root_;
  Journal journal_;
  std::mutex mutex_;
  std::map<std::string, Offer> offers_;
  std::vector<std::string> conflicts_;
};

}  // namespace musashim::translator
