// Runs the compiler's steps, and keeps their intermediate files in one folder that
// goes away again, also on Ctrl-C.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "step_times.h"

namespace musashim::mcc {

// What is to be done about steps that crash.
class CrashHandler {
 public:
  virtual ~CrashHandler() = default;
  // `status`: as StepRunner::run returns it.
  virtual void crashed(const std::vector<std::string>& command, int status) = 0;
};

// What is run in place of a step, and does the same.
class StepChanges {
 public:
  virtual ~StepChanges() = default;
  virtual std::vector<std::string> use(const std::vector<std::string>& command) const = 0;
  // After `command`, which use() has made, ended with `status`. Returns what the step ends with.
  virtual int ended(const std::vector<std::string>& command, int status) const;
};

class StepRunner {
 public:
  // `crashes` and `times` may be null. `asNvcc`: the commands that run are told in nvcc's form. `changes`:
  // each of what the one before has made.
  StepRunner(bool verbose, bool dryRun, CrashHandler* crashes, bool asNvcc = false,
             StepTimes* times = nullptr, std::vector<const StepChanges*> changes = {})
      : verbose_(verbose),
        dryRun_(dryRun),
        asNvcc_(asNvcc),
        crashes_(crashes),
        times_(times),
        changes_(std::move(changes)) {}

  // Runs `command` (program first) and returns its exit status; 128 + n for signal n.
  int run(const std::vector<std::string>& command) const;
  bool dryRun() const { return dryRun_; }

 private:
  bool verbose_;
  bool dryRun_;
  bool asNvcc_;
  CrashHandler* crashes_;
  StepTimes* times_;
  std::vector<const StepChanges*> changes_;
};

// Runs `command` and returns what StepRunner::run does. What it prints goes to the file `output` if that is
// not empty. `seconds`: how long it may take; 0 for ever.
int runProgram(const std::vector<std::string>& command, const std::string& output = {}, unsigned seconds = 0);

// Does what a command's program does, in a process of its own; empty where it cannot, and nothing was done.
using BuiltInTool = std::optional<int> (*)(const std::vector<std::string>& command);

// From now on, runProgram() has `tool` do what it can without starting the program. For processes with one
// thread.
void useBuiltInTools(BuiltInTool tool);

// Whether it ended as programs do that have a mistake.
bool isCrash(int status);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool isOpen() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace musashim::mcc
