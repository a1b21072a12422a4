#include "cuda_source.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <vector>

#include "clang/Driver/Options.h"
#include "errors.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
namespace opt = clang::driver::options;
using Lines = std::vector<std::string>;

bool readLines(const fs::path& file, Lines& lines) {
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return in.eof();
}

std::vector<fs::path> includeFolders(const Options& options) {
  std::vector<const char*> pointers;
  for (const std::string& argument : options.clangArguments) pointers.push_back(argument.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      pointers, missingIndex, missingCount, llvm::opt::Visibility(opt::ClangOption));
  std::vector<fs::path> folders;
  for (const llvm::opt::Arg* argument : parsed.filtered(opt::OPT_I, opt::OPT_iquote)) {
    // A CUDA SDK: its headers have counterparts here.
    if (!fs::exists(fs::path(argument->getValue()) / "cuda_runtime.h"))
      folders.emplace_back(argument->getValue());
  }
  return folders;
}

// The files of the project that a source includes, directly or not, with their lines.
class Project {
 public:
  explicit Project(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

  bool add(const fs::path& file) {
    // As clang makes paths absolute, which keeps links of the working folder.
    llvm::SmallString<256> absolute(file.string());
    llvm::sys::fs::make_absolute(absolute);
    const fs::path path = fs::path(absolute.str().str()).lexically_normal();
    if (files_.count(path) != 0) return true;
    Lines& lines = files_[path];
    if (!readLines(path, lines)) return false;
    for (const std::string& line : lines) {
      const fs::path found = included(path, line);
      if (!found.empty() && !add(found)) return false;
    }
    return true;
  }

  // The project's file that `line` of `file` includes; empty when there is none.
  fs::path included(const fs::path& file, const std::string& line) const {
    static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
    std::smatch match;
    if (!std::regex_search(line, match, pattern, std::regex_constants::match_continuous)) return {};
    const std::string name = match[2];
    if (match[1] == "\"" && fs::exists(file.parent_path() / name)) return file.parent_path() / name;
    for (const fs::path& folder : folders_) {
      if (fs::exists(folder / name)) return folder / name;
    }
    return {};
  }

  const std::map<fs::path, Lines>& files() const { return files_; }

 private:
  std::vector<fs::path> folders_;
  std::map<fs::path, Lines> files_;
};

// The port keeps lines where they are, behind those that it puts at the beginning, but gives the project's
// headers other names, which only exist in the port.
bool restoreIncludes(const Project& project, const fs::path& path, const Lines& original,
                     const fs::path& ported) {
  Lines lines;
  if (!readLines(ported, lines)) return false;
  if (lines.size() < original.size()) return false;
  const size_t added = lines.size() - original.size();
  std::ofstream out(ported, std::ios::binary);
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool own = i >= added && !project.included(path, original[i - added]).empty();
    out << (own ? original[i - added] : lines[i]) << '\n';
  }
  return static_cast<bool>(out);
}

// The ported file of `copy`: musaport renames .cu and .cuh.
fs::path portedName(fs::path copy) {
  if (copy.extension() == ".cu") copy.replace_extension(".mu");
  if (copy.extension() == ".cuh") copy.replace_extension(".muh");
  return copy;
}

bool writeOverlay(const std::map<fs::path, fs::path>& files, const std::string& overlay) {
  llvm::json::Array roots;
  for (const auto& [path, contents] : files) {
    roots.push_back(llvm::json::Object{
        {"type", "file"}, {"name", path.string()}, {"external-contents", contents.string()}});
  }
  const llvm::json::Value all = llvm::json::Object{
      {"version", 0}, {"use-external-names", false}, {"case-sensitive", true}, {"roots", std::move(roots)}};
  std::error_code error;
  llvm::raw_fd_ostream out(overlay, error);
  out << all;
  return !error;
}

}  // namespace

int portCudaSource(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const Input& input, const std::string& folder, const std::string& overlay) {
  Project project(includeFolders(options));
  if (!project.add(input.path))
    return failStatus("cannot read '" + input.path + "' or a file that it includes");
  const fs::path original = fs::path(folder) / "cuda", ported = fs::path(folder) / "musa";
  std::error_code error;
  for (const auto& [path, lines] : project.files()) {
    const fs::path copy = original / path.relative_path();
    fs::create_directories(copy.parent_path(), error);
    fs::copy_file(path, copy, error);
    if (error) return failStatus("cannot copy '" + path.string() + "': " + error.message());
  }
  if (const int status =
          runner.run({toolchain.sdk + "/bin/musaport", "--quiet", original.string(), "-o", ported.string()}))
    return status;
  if (runner.dryRun()) return 0;
  std::map<fs::path, fs::path> files;
  for (const auto& [path, lines] : project.files()) {
    const fs::path result = portedName(ported / path.relative_path());
    if (!restoreIncludes(project, path, lines, result))
      return failStatus("musaport did not port '" + path.string() + "'");
    files[path] = result;
  }
  return writeOverlay(files, overlay) ? 0 : failStatus("cannot write '" + overlay + "'");
}

}  // namespace musashim::mcc
