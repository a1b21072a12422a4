// The rules for make that clang writes of the host's pass (-MD, -MM ...), with the files that only device
// passes read: `#ifdef __MUSA_ARCH__` may well include others. Without them, builds would keep old programs.
#pragma once

#include <string>
#include <vector>

#include "frontend_arguments.h"

namespace musashim::mcc {

class DependencyFile {
 public:
  // Where `host` writes one. What it would print, or write to what is no regular file, goes to `aside` first.
  DependencyFile(FrontendArguments& host, const std::string& aside);

  bool isWanted() const { return !file_.empty(); }
  // Has a device pass list what it reads in `list`.
  void addTo(std::vector<std::string>& devicePass, const std::string& list);
  // After all passes. Returns an exit status.
  int complete() const;

 private:
  std::string file_;
  std::string rules_;  // where the host's pass writes them
  bool withSystemHeaders_ = false;
  bool withTargets_ = false;  // -MP: a rule for each
  bool mayBeMissing_ = false;
  std::vector<std::string> lists_;
};

// The rules `text` with more prerequisites of the first, for those that it has not.
std::string withPrerequisites(const std::string& text, const std::vector<std::string>& more,
                              bool withTargets);

}  // namespace musashim::mcc
