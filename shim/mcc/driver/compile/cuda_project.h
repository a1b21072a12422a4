// The files of a project that a CUDA source includes: those that musaport ports with it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "mcc/driver/options/options.h"

namespace musashim::mcc {

using Lines = std::vector<std::string>;

// False if the file cannot be read.
bool readLines(const std::filesystem::path& file, Lines& lines);

// As clang makes paths absolute, which keeps links of the working folder.
std::filesystem::path absolutePath(const std::filesystem::path& file);

// What the options say of headers.
struct CudaIncludes {
  std::vector<std::filesystem::path> folders;  // of the project, in the order in which clang searches them
  std::vector<std::string> forced;             // before each source: `-include`

  CudaIncludes(const Options& options, const std::string& sdk);
};

// The files that a source includes, directly or not, with their lines.
class CudaProject {
 public:
  explicit CudaProject(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  // With all that it includes. False if one cannot be read.
  bool add(const std::filesystem::path& file);
  // A file that the preprocessor has read: true if it is one of the project's that was not known.
  bool addRead(const std::filesystem::path& file);

  // The project's file that `line` of `file` includes; empty when there is none.
  std::filesystem::path included(const std::filesystem::path& file, const std::string& line) const;
  // The project's file of that name, which may be in `here`; empty when there is none.
  std::filesystem::path find(const std::string& name, const std::filesystem::path& here) const;

  const std::map<std::filesystem::path, Lines>& files() const { return files_; }
  // Does a file have an include whose name a macro puts together?
  bool computesIncludes() const { return computes_; }

 private:
  bool isProjects(const std::filesystem::path& file) const;

  std::vector<std::filesystem::path> folders_;
  std::map<std::filesystem::path, Lines> files_;
  bool computes_ = false;
};

}  // namespace musashim::mcc
