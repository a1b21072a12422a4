#include "cuda_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <vector>

#include "clang/Driver/Options.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/driver/errors.h"
#include "mcc/driver/options/clang_options.h"

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

// What the options say of headers.
struct Includes {
  std::vector<fs::path> folders;
  std::vector<std::string> forced;  // before each source: `-include`

  Includes(const Options& options, const std::string& sdk) : sdk_(fs::weakly_canonical(sdk)) {
    const llvm::opt::InputArgList parsed = parseClangArguments(options);
    // In the order in which clang searches them.
    add(parsed, opt::OPT_I, opt::OPT_iquote);
    add(parsed, opt::OPT_isystem, opt::OPT_cxx_isystem);
    add(parsed, opt::OPT_idirafter, opt::OPT_idirafter);
    forced = parsed.getAllArgValues(opt::OPT_include);
  }

 private:
  void add(const llvm::opt::InputArgList& parsed, unsigned option, unsigned other) {
    for (const llvm::opt::Arg* argument : parsed.filtered(option, other)) {
      const fs::path folder(argument->getValue());
      // A CUDA SDK: its headers have counterparts here. Ours are ported.
      if (!fs::exists(folder / "cuda_runtime.h") && folder.lexically_normal() != "/usr/include" &&
          !isOurs(folder))
        folders.push_back(folder);
    }
  }

  bool isOurs(const fs::path& folder) const {
    std::error_code error;
    const fs::path inside = fs::weakly_canonical(folder, error).lexically_relative(sdk_);
    return !error && !inside.empty() && *inside.begin() != "..";
  }

  fs::path sdk_;
};

// As clang makes paths absolute, which keeps links of the working folder.
fs::path absolutePath(const fs::path& file) {
  llvm::SmallString<256> absolute(file.string());
  llvm::sys::fs::make_absolute(absolute);
  return fs::path(absolute.str().str()).lexically_normal();
}

// The files of the project that a source includes, directly or not, with their lines.
class Project {
 public:
  explicit Project(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

  bool add(const fs::path& file) {
    const fs::path path = absolutePath(file);
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
    return find(name, match[1] == "\"" ? file.parent_path() : fs::path());
  }

  // The project's file of that name, which may be in `here`; empty when there is none.
  fs::path find(const std::string& name, const fs::path& here) const {
    if (!here.empty() && fs::exists(here / name)) return here / name;
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

// Headers that are included before each source. Those of the project are ported with it. Another that has a
// counterpart under another name is replaced by a file that includes it, where clang looks for it first: in
// the working folder.
class ForcedIncludes {
 public:
  // False if a file cannot be read or written.
  bool add(const std::vector<std::string>& names, Project& project, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    for (const std::string& name : names) {
      if (const fs::path file = project.find(name, fs::current_path(error)); !file.empty()) {
        if (!project.add(file)) return false;
      } else {
        others_.push_back(name);
        std::ofstream out(folder / fileName(others_.size()));
        if (!(out << includeOf(name) << '\n')) return false;
      }
    }
    return true;
  }

  // To `files`, from the ported `folder`.
  bool replace(const fs::path& folder, std::map<fs::path, fs::path>& files) const {
    for (size_t i = 0; i < others_.size(); ++i) {
      const fs::path ported = folder / fileName(i + 1);
      Lines lines;
      if (!readLines(ported, lines)) return false;
      if (std::find(lines.begin(), lines.end(), includeOf(others_[i])) == lines.end())
        files[absolutePath(others_[i])] = ported;
    }
    return true;
  }

 private:
  static std::string fileName(size_t number) { return "forced" + std::to_string(number) + ".h"; }
  static std::string includeOf(const std::string& name) { return "#include <" + name + ">"; }

  std::vector<std::string> others_;
};

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
  const Includes includes(options, toolchain.sdk);
  Project project(includes.folders);
  const fs::path original = fs::path(folder) / "cuda", ported = fs::path(folder) / "musa";
  ForcedIncludes forced;
  if (!project.add(input.path) || !forced.add(includes.forced, project, original))
    return failStatus("cannot read '" + input.path + "' or a file that it includes");
  std::error_code error;
  for (const auto& [path, lines] : project.files()) {
    const fs::path copy = original / path.relative_path();
    fs::create_directories(copy.parent_path(), error);
    fs::copy_file(path, copy, error);
    if (error) return failStatus("cannot copy '" + path.string() + "': " + error.message());
  }
  if (const int status = runner.run({toolchain.sdk + "/bin/musaport", "--quiet", "--cuda-face",
                                     original.string(), "-o", ported.string()}))
    return status;
  if (runner.dryRun()) return 0;
  std::map<fs::path, fs::path> files;
  for (const auto& [path, lines] : project.files()) {
    const fs::path result = portedName(ported / path.relative_path());
    if (!restoreIncludes(project, path, lines, result))
      return failStatus("musaport did not port '" + path.string() + "'");
    files[path] = result;
  }
  if (!forced.replace(ported, files)) return failStatus("musaport did not port what -include names");
  return writeOverlay(files, overlay) ? 0 : failStatus("cannot write '" + overlay + "'");
}

}  // namespace musashim::mcc
