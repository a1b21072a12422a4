// Runs the compiler's steps, and keeps their intermediate files in one folder that
// goes away again, also on Ctrl-C.
#pragma once

#include <string>
#include <vector>

namespace musashim::mcc {

class StepRunner {
 public:
  StepRunner(bool verbose, bool dryRun) : verbose_(verbose), dryRun_(dryRun) {}

  // Runs `command` (program first) and returns its exit status; 128 + n for signal n.
  int run(const std::vector<std::string>& command) const;
  bool dryRun() const { return dryRun_; }

 private:
  bool verbose_;
  bool dryRun_;
};

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool isOpen() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace musashim::mcc
