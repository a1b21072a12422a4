#pragma once

// What a run is about to do to files that are there, written down beside them, for whoever comes after a
// kill: they finish what was decided, or clear away what was only prepared.

#include <sys/stat.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace musashim::translator {

/// The run's file, whose lock is held as long as the run lives: its number, then folders with temporary
/// files.
inline constexpr std::string_view kWorkName = ".musaport-work";
/// The steps, once they are decided.
inline constexpr std::string_view kStepsName = ".musaport-steps";

/// A file is renamed, or removed if there is no `from`.
struct WorkStep {
  std::filesystem::path from;
  std::filesystem::path path;
};

class PendingWork {
 public:
  PendingWork() = default;
  ~PendingWork();
  PendingWork(const PendingWork&) = delete;
  PendingWork& operator=(const PendingWork&) = delete;

  /// Finishes or clears away what a killed run left in the folder or above it. True if there was something.
  /// Throws PortError, also if a run is at work there.
  static bool settle(const std::filesystem::path& folder);

  /// Begins, in a folder that is there. Throws PortError.
  void begin(const std::filesystem::path& folder);
  bool begun() const { return descriptor_ >= 0; }
  /// Temporary files will lie in `folder`.
  void uses(const std::filesystem::path& folder);
  /// From now on the steps are taken, if not by this run, then by the next.
  void decide(const std::vector<WorkStep>& steps);
  /// All is done, or taken back.
  void end();

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
  std::unordered_set<std::string> used_;
};

}  // namespace musashim::translator
