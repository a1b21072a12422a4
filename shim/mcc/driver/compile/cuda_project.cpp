#include "cuda_project.h"

#include <algorithm>
#include <fstream>
#include <regex>

#include "clang/Driver/Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "mcc/driver/options/clang_options.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
namespace opt = clang::driver::options;

// Compilers pass over a folder that is called as a header.
bool isFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

// In one of the SDK's folders: its headers are ported already.
bool isSdks(const fs::path& folder, const fs::path& sdk) {
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(folder, error).lexically_relative(sdk);
  return !error && !inside.empty() && *inside.begin() != "..";
}

}  // namespace

bool readLines(const fs::path& file, Lines& lines) {
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return in.eof();
}

fs::path absolutePath(const fs::path& file) {
  llvm::SmallString<256> absolute(file.string());
  llvm::sys::fs::make_absolute(absolute);
  return fs::path(absolute.str().str()).lexically_normal();
}

CudaIncludes::CudaIncludes(const Options& options, const std::string& sdk) {
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  const fs::path ours = fs::weakly_canonical(sdk);
  const auto add = [&](unsigned option, unsigned other) {
    for (const llvm::opt::Arg* argument : parsed.filtered(option, other)) {
      const fs::path folder(argument->getValue());
      // A CUDA SDK: its headers have counterparts here.
      if (!fs::exists(folder / "cuda_runtime.h") && folder.lexically_normal() != "/usr/include" &&
          !isSdks(folder, ours))
        folders.push_back(folder);
    }
  };
  // In the order in which clang searches them.
  add(opt::OPT_I, opt::OPT_iquote);
  add(opt::OPT_isystem, opt::OPT_cxx_isystem);
  add(opt::OPT_idirafter, opt::OPT_idirafter);
  forced = parsed.getAllArgValues(opt::OPT_include);
}

bool CudaProject::add(const fs::path& file) {
  static const std::regex computed(R"re(^\s*#\s*include(_next)?\s+[A-Za-z_])re");
  const fs::path path = absolutePath(file);
  if (files_.count(path) != 0) return true;
  Lines& lines = files_[path];
  if (!readLines(path, lines)) return false;
  for (const std::string& line : lines) {
    if (line.find("include") == std::string::npos) continue;
    computes_ = computes_ || std::regex_search(line, computed, std::regex_constants::match_continuous);
    const fs::path found = included(path, line);
    if (!found.empty() && !add(found)) return false;
  }
  return true;
}

bool CudaProject::isProjects(const fs::path& file) const {
  const auto holds = [&](const fs::path& folder) {
    const fs::path absolute = absolutePath(folder);
    return isBelow(file, absolute.has_filename() ? absolute : absolute.parent_path());
  };
  return std::any_of(folders_.begin(), folders_.end(), holds) ||
         std::any_of(files_.begin(), files_.end(),
                     [&](const auto& known) { return file.parent_path() == known.first.parent_path(); });
}

bool CudaProject::addRead(const fs::path& file) {
  const fs::path path = absolutePath(file);
  return files_.count(path) == 0 && isFile(path) && isProjects(path) && add(path);
}

fs::path CudaProject::included(const fs::path& file, const std::string& line) const {
  static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::smatch match;
  if (!std::regex_search(line, match, pattern, std::regex_constants::match_continuous)) return {};
  const std::string name = match[2];
  return find(name, match[1] == "\"" ? file.parent_path() : fs::path());
}

fs::path CudaProject::find(const std::string& name, const fs::path& here) const {
  if (!here.empty() && isFile(here / name)) return here / name;
  for (const fs::path& folder : folders_) {
    if (isFile(folder / name)) return folder / name;
  }
  return {};
}

}  // namespace musashim::mcc
