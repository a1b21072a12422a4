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

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// For file systems that do not tell it with the name.
unsigned char typeOf(const fs::path& path) {
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

FileKind kindOf(const fs::path& path, Direction direction) {
  if (path.filename() == kRecordName) return FileKind::Record;
  fs::path name = path.filename();
  if (name.extension() == ".in") name = name.stem();  // a header that configure fills in
  const std::string suffix = lowered(name.extension().string());
  const bool cuda = suffix == ".cu" || suffix == ".cuh";
  const bool musa = suffix == ".mu" || suffix == ".muh";
  if (direction == Direction::ToMusa ? musa : cuda) return FileKind::Native;
  if (musa) return FileKind::Source;
  if (contains(kSources, suffix)) return FileKind::Source;
  const bool build = contains(kBuildSuffixes, suffix) || contains(kBuildNames, path.filename().string());
  return build ? FileKind::Build : FileKind::Other;
}

fs::path portedName(const fs::path& path, Direction direction) {
  const std::string suffix = lowered(path.extension().string());
  const bool toMusa = direction == Direction::ToMusa;
  fs::path result = path;
  if (suffix == (toMusa ? ".cu" : ".mu")) result.replace_extension(toMusa ? ".mu" : ".cu");
  if (suffix == (toMusa ? ".cuh" : ".muh")) result.replace_extension(toMusa ? ".muh" : ".cuh");
  return result;
}

FileKind Project::kindOf(const fs::path& path) const {
  return translator::kindOf(path, lexicon_->direction());
}
fs::path Project::portedName(const fs::path& path) const {
  return translator::portedName(path, lexicon_->direction());
}

Project Project::collect(const std::vector<fs::path>& inputs, const CollectOptions& options) {
  Project project;
  project.lexicon_ = options.lexicon;
  for (const fs::path& input : inputs) {
    struct stat status{};
    if (stat(input.c_str(), &status) != 0) throw systemError(input, "read", errno);
    const fs::path source = fs::canonical(input);
    if (S_ISDIR(status.st_mode)) {
      project.addFolder(source, inputs.size() == 1 ? fs::path() : source.filename(), options);
    } else if (S_ISREG(status.st_mode)) {
      project.complete_ = false;
      project.addFile(source, input.filename());
    } else {
      throw PortError(input.string() +
                      ": is neither a file nor a folder; name a source or a folder of sources");
    }
  }
  project.index();
  return project;
}

void Project::addFolder(const fs::path& root, const fs::path& prefix, const CollectOptions& options) {
  complete_ = complete_ && options.excludes.empty();
  std::vector<std::string> folders = {""};  // relative to the root, with a slash at the end
  while (!folders.empty()) {
    const std::string below = std::move(folders.back());
    folders.pop_back();
    const std::string path = (root / below).string();
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
    if (!folder) throw systemError(root / below, "list", errno);
    bool empty = true;
    while (const dirent* entry = readdir(folder.get())) {
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      empty = false;
      const std::string relative = below + name;
      const fs::path source = root / relative;
      if (excluded(relative, name, options) || source == options.output) continue;
      switch (entry->d_type == DT_UNKNOWN ? typeOf(source) : entry->d_type) {
        case DT_LNK:
          addLink(source, prefix / relative, root);
          break;
        case DT_DIR:
          if (!contains(kVersionControl, name)) folders.push_back(relative + "/");
          break;
        case DT_REG:
          addFile(source, prefix / relative);
          break;
        default:
          skipped_.push_back(source.string() + ": is neither a file nor a folder, left out");
      }
    }
    if (empty) emptyFolders_.push_back(prefix / below);
  }
}

void Project::addFile(const fs::path& source, const fs::path& relative) {
  const FileKind kind = kindOf(source);
  files_.push_back({source, relative, kind == FileKind::Source ? portedName(relative) : relative, kind});
}

void Project::addLink(const fs::path& source, const fs::path& relative, const fs::path& root) {
  const fs::path target = fs::read_symlink(source);
  const fs::path leadsTo = (source.parent_path() / target).lexically_normal();
  if (target.is_absolute() || !isBelow(leadsTo, root)) {
    skipped_.push_back(source.string() + ": the link leads out of the input (" + target.string() +
                       "), left out");
    return;
  }
  const bool renames = kindOf(leadsTo) == FileKind::Source;
  files_.push_back({source, relative, renames ? portedName(relative) : relative, FileKind::Link});
}

void Project::index() {
  std::sort(files_.begin(), files_.end(), [](const ProjectFile& a, const ProjectFile& b) {
    return a.relative.native() < b.relative.native();
  });
  std::unordered_map<std::string, const ProjectFile*> targets;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto [other, fresh] = targets.emplace(files_[i].target.native(), &files_[i]);
    if (!fresh) {
      throw PortError(files_[i].source.string() + ": would overwrite what comes from " +
                      other->second->source.string() + " (both become " + files_[i].target.string() +
                      "); exclude one of them");
    }
    bySource_.emplace(files_[i].source.native(), i);
    byName_.emplace(files_[i].source.filename().native(), i);
  }
}

const ProjectFile* Project::resolve(const ProjectFile& file, std::string_view header) const {
  const std::size_t slash = header.rfind('/');
  if (!byName_.contains(std::string(slash == std::string_view::npos ? header : header.substr(slash + 1))))
    return nullptr;
  const auto near =
      bySource_.find((file.source.parent_path() / fs::path(header)).lexically_normal().native());
  if (near != bySource_.end()) return &files_[near->second];
  // By -I, which we do not know: a file whose path ends in the header's. Never a header of CUDA itself.
  std::string scratch;
  if (!lexicon_->mapHeader(header, scratch).empty()) return nullptr;
  const fs::path wanted = fs::path(header).lexically_normal();
  const auto [first, last] = byName_.equal_range(wanted.filename().string());
  for (auto entry = first; entry != last; ++entry) {
    const std::string path = files_[entry->second].source.string();
    if (!path.ends_with("/" + wanted.string())) continue;
    struct stat status{};
    if (stat(("/usr/include/" + wanted.string()).c_str(), &status) == 0)
      return &files_[entry->second];  // more likely the system's
    const std::lock_guard lock(*mutex_);
    includeFolders_.insert(path.substr(0, path.size() - wanted.string().size() - 1));
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
  return stat((file.source.parent_path() / fs::path(header)).c_str(), &status) == 0;
}

std::string Project::renamed(const ProjectFile& file, std::string_view header) const {
  const ProjectFile* target = resolve(file, header);
  if (!target || target->target == target->relative) return {};
  return portedName(fs::path(header)).string();
}

}  // namespace musashim::translator
