#include "step_times.h"

#include <algorithm>
#include <filesystem>

#include "errors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kHeading =
    "source file name , phase name , phase input files , phase output file , arch , tool, metric , unit\n";

std::string valueOf(const Strings& command, const char* option) {
  const auto found = std::find(command.begin(), command.end(), option);
  return found == command.end() || found + 1 == command.end() ? std::string() : *(found + 1);
}

bool has(const Strings& command, const char* argument) {
  return std::find(command.begin(), command.end(), argument) != command.end();
}

std::string phaseOf(const Strings& command) {
  const std::string program = std::filesystem::path(command.front()).filename().string();
  if (!has(command, "-cc1")) return program;
  return has(command, "-fcuda-is-device") ? "clang (device code)" : "clang (host code)";
}

// The last argument of a compilation is its input.
std::string inputOf(const Strings& command) { return has(command, "-x") ? command.back() : std::string(); }

}  // namespace

void StepTimes::add(const Strings& command, std::chrono::steady_clock::duration time) {
  const double milliseconds = std::chrono::duration<double, std::milli>(time).count();
  std::string row;
  llvm::raw_string_ostream(row) << inputOf(command) << " , " << phaseOf(command) << " , " << inputOf(command)
                                << " , " << valueOf(command, "-o") << " ,  , mcc , "
                                << llvm::format("%.4f", milliseconds) << " , ms\n";
  rows_.push_back(row);
}

int StepTimes::write() const {
  std::error_code error;
  llvm::raw_fd_ostream file(name_, error, llvm::sys::fs::OF_Append | llvm::sys::fs::OF_Text);
  if (error) return failStatus("cannot write '" + name_ + "': " + error.message());
  if (name_ == "-" || std::filesystem::file_size(name_, error) == 0) file << kHeading;
  for (const std::string& row : rows_) file << row;
  return 0;
}

}  // namespace musashim::mcc
