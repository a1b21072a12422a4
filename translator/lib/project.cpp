#include "translator/lib/project.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "translator/lib/error.h"
#include "translator/lib/record.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 18> kSources = {".cu",  ".cuh", ".c",   ".cc",  ".cpp", ".cxx",
                                                       ".c++", ".h",   ".hh",  ".hpp", ".hxx", ".h++",
                                                       ".inl", ".inc", ".ipp", ".tpp", ".txx", ".cppm"};
constexpr std::array<std::string_view, 5> kBuildSuffixes = {".cmake", ".mk", ".mak", ".bazel", ".bzl"};
constexpr std::array<std::string_view, 9> kBuildNames = {
    "CMakeLists.txt", "Makefile", "makefile",     "GNUmakefile",      "setup.py",
    "meson.build",    "BUILD",    "configure.ac", "CMakePresets.json"};
constexpr std::array<std::string_view, 4> kVersionControl = {".git", ".hg", ".svn", ".bzr"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::string_view nameOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Where the suffix begins, its point included; the size of the path if it has none.
std::size_t suffixOf(std::string_view path) {
  const std::string_view name = nameOf(path);
  const std::size_t point = name.rfind('.');
  return point == std::string_view::npos || point == 0 ? path.size() : path.size() - name.size() + point;
}

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// For file systems that do not tell it with the name.
unsigned char typeOf(const std::string& path) {
  struct stat status{};
  if (lstat(path.c_str(), &status) != 0) throw systemError(path, "read", errno);
  return S_ISLNK(status.st_mode)   ? DT_LNK
         : S_ISDIR(status.st_mode) ? DT_DIR
         : S_ISREG(status.st_mode) ? DT_REG
                                   : DT_UNKNOWN;
}

bool excluded(const std::string& relative, const std::string& name, const CollectOptions& options) {
  return std::any_of(options.excludes.begin(), options.excludes.end(), [&](const std::string& glob) {
    return fnmatch(glob.c_str(), relative.c_str(), 0) == 0 || fnmatch(glob.c_str(), name.c_str(), 0) == 0;
  });
}

bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

}  // namespace

FileKind kindOf(std::string_view path, Direction direction) {
  const std::string_view name = nameOf(path);
  if (name == kRecordName) return FileKind::Record;
  std::string suffix = lowered(name.substr(suffixOf(name)));
  if (suffix == ".in") {  // a header that configure fills in
    const std::string_view stem = name.substr(0, suffixOf(name));
    suffix = lowered(stem.substr(suffixOf(stem)));
  }
  const bool cuda = suffix == ".cu" || suffix == ".cuh";
  const bool musa = suffix == ".mu" || suffix == ".muh";
  if (direction == Direction::ToMusa ? musa : cuda) return FileKind::Native;
  if (musa) return FileKind::Source;
  if (contains(kSources, suffix)) return FileKind::Source;
  return contains(kBuildSuffixes, suffix) || contains(kBuildNames, name) ? FileKind::Build : FileKind::Other;
}

std::string portedName(std::string_view path, Direction direction) {
  const std::size_t point = suffixOf(path);
  const std::string suffix = lowered(path.substr(point));
  const bool toMusa = direction == Direction::ToMusa;
  std::string result(path);
  if (suffix == (toMusa ? ".cu" : ".mu")) result.replace(point, std::string::npos, toMusa ? ".mu" : ".cu");
  if (suffix == (toMusa ? ".cuh" : ".muh"))
    result.replace(point, std::string::npos, toMusa ? ".muh" : ".cuh");
  return result;
}

Project Project::collect(const std::vector<fs::path>& inputs, const CollectOptions& options) {
  Project project;
  project.lexicon_ = options.lexicon;
  for (const fs::path& input : inputs) {
    struct stat status{};
    if (stat(input.c_str(), &status) != 0) throw systemError(input, "read", errno);
    const fs::path source = fs::canonical(input);
    if (S_ISDIR(status.st_mode)) {
      project.addFolder(source.string(), inputs.size() == 1 ? "" : source.filename().string() + "/", options);
    } else if (S_ISREG(status.st_mode)) {
      project.complete_ = false;
      project.addFile(source.string(), input.filename().string());
    } else {
      throw PortError(input.string() +
                      ": is neither a file nor a folder; name a source or a folder of sources");
    }
  }
  project.index();
  return project;
}

/// `prefix`: where its files go below the output, empty or with a slash at the end.
void Project::addFolder(const std::string& root, const std::string& prefix, const CollectOptions& options) {
  complete_ = complete_ && options.excludes.empty();
  const std::string output = options.output.string();
  std::vector<std::string> folders = {""};  // relative to the root, with a slash at the end
  while (!folders.empty()) {
    const std::string below = std::move(folders.back());
    folders.pop_back();
    const std::string path = (root == "/" ? root : root + "/") + below;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
    if (!folder) throw systemError(path, "list", errno);
    bool empty = true;
    while (const dirent* entry = readdir(folder.get())) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      empty = false;
      std::string source = path + name;
      if (excluded(below + name, name, options) || source == output) continue;
      switch (entry->d_type == DT_UNKNOWN ? typeOf(source) : entry->d_type) {
        case DT_LNK:
          addLink(std::move(source), prefix + below + name, root);
          break;
        case DT_DIR:
          if (!contains(kVersionControl, name)) folders.push_back(below + name + "/");
          break;
        case DT_REG:
          addFile(std::move(source), prefix + below + name);
          break;
        default:
          skipped_.push_back(source + ": is neither a file nor a folder, left out");
      }
    }
    if (empty) emptyFolders_.push_back(prefix + below);
  }
}

void Project::addFile(std::string source, std::string relative) {
  const FileKind kind = kindOf(source, lexicon_->direction());
  std::string target =
      kind == FileKind::Source ? portedName(relative, lexicon_->direction()) : std::string(relative);
  files_.push_back({std::move(source), std::move(relative), std::move(target), kind});
}

void Project::addLink(std::string source, std::string relative, const fs::path& root) {
  const fs::path target = fs::read_symlink(source);
  const fs::path leadsTo = (fs::path(source).parent_path() / target).lexically_normal();
  if (target.is_absolute() || !isBelow(leadsTo, root)) {
    skipped_.push_back(source + ": the link leads out of the input (" + target.string() + "), left out");
    return;
  }
  const Direction direction = lexicon_->direction();
  const bool renames = kindOf(leadsTo.native(), direction) == FileKind::Source;
  std::string name = renames ? portedName(relative, direction) : relative;
  files_.push_back({std::move(source), std::move(relative), std::move(name), FileKind::Link});
}

void Project::index() {
  std::sort(files_.begin(), files_.end(),
            [](const ProjectFile& a, const ProjectFile& b) { return a.relative < b.relative; });
  std::unordered_map<std::string_view, const ProjectFile*> targets;
  targets.reserve(files_.size());
  bySource_.reserve(files_.size());
  byName_.reserve(files_.size());
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto [other, fresh] = targets.emplace(files_[i].target, &files_[i]);
    if (!fresh) {
      throw PortError(files_[i].source + ": would overwrite what comes from " + other->second->source +
                      " (both become " + files_[i].target + "); exclude one of them");
    }
    bySource_.emplace(files_[i].source, i);
    byName_.emplace(nameOf(files_[i].source), i);
  }
}

const ProjectFile* Project::resolve(const ProjectFile& file, std::string_view header) const {
  if (!byName_.contains(nameOf(header))) return nullptr;
  std::string beside = file.source.substr(0, file.source.rfind('/') + 1).append(header);
  if (header.find("./") != std::string_view::npos || header.find("//") != std::string_view::npos ||
      header.starts_with('/'))
    beside = (fs::path(file.source).parent_path() / header).lexically_normal().string();
  const auto near = bySource_.find(beside);
  return near != bySource_.end() ? &files_[near->second] : resolveByEnd(header);
}

const ProjectFile* Project::resolveByEnd(std::string_view header) const {
  const std::lock_guard lock(*mutex_);
  if (const auto known = byEnd_.find(header); known != byEnd_.end()) return known->second;
  return byEnd_.emplace(header, findByEnd(header)).first->second;
}

/// By -I, which we do not know: a file whose path ends in the header's. Never a header of CUDA itself.
const ProjectFile* Project::findByEnd(std::string_view header) const {
  std::string scratch;
  if (!lexicon_->mapHeader(header, scratch).empty()) return nullptr;
  const std::string wanted = fs::path(header).lexically_normal().string();
  const auto [first, last] = byName_.equal_range(nameOf(wanted));
  for (auto entry = first; entry != last; ++entry) {
    const std::string& path = files_[entry->second].source;
    if (!path.ends_with("/" + wanted)) continue;
    struct stat status{};
    if (stat(("/usr/include/" + wanted).c_str(), &status) == 0)
      return &files_[entry->second];  // more likely the system's
    includeFolders_.insert(path.substr(0, path.size() - wanted.size() - 1));
    return &files_[entry->second];
  }
  return nullptr;
}

std::vector<std::string> Project::includeFolders() const {
  const std::lock_guard lock(*mutex_);
  return {includeFolders_.begin(), includeFolders_.end()};
}

bool Project::owns(const ProjectFile& file, std::string_view header) const {
  if (resolve(file, header)) return true;
  // A file beside this one that was not given as an input still hides CUDA's header of that name.
  std::string scratch;
  if (complete_ && header.find("..") == std::string_view::npos) return false;
  if (lexicon_->mapHeader(header, scratch).empty()) return false;
  struct stat status{};
  return stat((fs::path(file.source).parent_path() / header).c_str(), &status) == 0;
}

std::string Project::renamed(const ProjectFile& file, std::string_view header) const {
  const ProjectFile* target = resolve(file, header);
  if (!target || target->target == target->relative) return {};
  return portedName(header, lexicon_->direction());
}

}  // namespace musashim::translator
