#pragma once

// Renames and removals that can be taken back: what was at a place is kept beside it until all is done.

#include <filesystem>
#include <vector>

namespace musashim::translator {

class Rollback {
 public:
  Rollback() = default;
  /// Takes back what was done, unless keep() was called.
  ~Rollback();
  Rollback(const Rollback&) = delete;
  Rollback& operator=(const Rollback&) = delete;

  /// Gives the file `from` the name `path`, in place of what has it. Throws PortError.
  void rename(const std::filesystem::path& from, const std::filesystem::path& path);
  /// Takes a file away. It need not be there. Throws PortError.
  void remove(const std::filesystem::path& path);
  /// All is done.
  void keep();

 private:
  struct Step {
    std::filesystem::path path;
    std::filesystem::path old;   // where what was there is; empty if nothing was
    std::filesystem::path from;  // where what is there now came from; empty if nothing is
  };

  std::filesystem::path besides(const std::filesystem::path& path) const;

  std::vector<Step> steps_;
};

}  // namespace musashim::translator
