#include "cuda_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "cuda_project.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "mcc/driver/errors.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;

// The port keeps lines where they are, behind those that it puts at the beginning, but takes a header of the
// project's that is called as one of the toolkit's for that one.
bool restoreIncludes(const CudaProject& project, const fs::path& path, const Lines& original,
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

// Headers that are included before each source. Those of the project are ported with it. Another that has a
// counterpart under another name is replaced by a file that includes it, where clang looks for it first: in
// the working folder.
class ForcedIncludes {
 public:
  // False if a file cannot be read or written.
  bool add(const std::vector<std::string>& names, CudaProject& project, const fs::path& folder) {
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

int portOnce(const Toolchain& toolchain, const StepRunner& runner, const CudaProject& project,
             const ForcedIncludes& forced, const fs::path& original, const fs::path& ported,
             const std::string& overlay) {
  std::error_code error;
  for (const auto& [path, lines] : project.files()) {
    const fs::path copy = original / path.relative_path();
    fs::create_directories(copy.parent_path(), error);
    fs::copy_file(path, copy, fs::copy_options::skip_existing, error);
    if (error) return failStatus("cannot copy '" + path.string() + "': " + error.message());
  }
  if (const int status = runner.run({toolchain.sdk + "/bin/musaport", "--quiet", "--cuda-face",
                                     original.string(), "-o", ported.string()}))
    return status;
  if (runner.dryRun()) return 0;
  std::map<fs::path, fs::path> files;
  for (const auto& [path, lines] : project.files()) {
    const fs::path result = ported / path.relative_path();
    if (!restoreIncludes(project, path, lines, result))
      return failStatus("musaport did not port '" + path.string() + "'");
    files[path] = result;
  }
  if (!forced.replace(ported, files)) return failStatus("musaport did not port what -include names");
  return writeOverlay(files, overlay) ? 0 : failStatus("cannot write '" + overlay + "'");
}

}  // namespace

int portCudaSource(const Toolchain& toolchain, const Options& options, const StepRunner& runner,
                   const Input& input, const std::string& folder, const std::string& overlay,
                   const ReadFiles& readFiles) {
  const CudaIncludes includes(options, toolchain.sdk);
  CudaProject project(includes.folders);
  const fs::path original = fs::path(folder) / "cuda";
  ForcedIncludes forced;
  if (!project.add(input.path) || !forced.add(includes.forced, project, original))
    return failStatus("cannot read '" + input.path + "' or a file that it includes");
  // Which header an `#include MACRO(x)` means, the preprocessor tells; what is ported then may have others.
  for (unsigned round = 0;; ++round) {
    const fs::path ported = fs::path(folder) / ("musa" + std::to_string(round));
    if (const int status = portOnce(toolchain, runner, project, forced, original, ported, overlay))
      return status;
    if (runner.dryRun() || !project.computesIncludes()) return 0;
    bool more = false;
    for (const std::string& file : readFiles(overlay)) more = project.addRead(file) || more;
    if (!more) return 0;
  }
}

}  // namespace musashim::mcc
