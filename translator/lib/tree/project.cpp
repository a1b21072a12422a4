#include "translator/lib/tree/project.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "translator/lib/error.h"
#include "translator/lib/lex/scan.h"
#include "translator/lib/parallel.h"
#include "translator/lib/tree/folder.h"
#include "translator/lib/tree/record.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kLeftOut = {".git", ".hg", ".svn", ".bzr"};

/// `relative` and `name` end with a zero.
bool excluded(std::string_view relative, std::string_view name, const CollectOptions& options) {
  return std::any_of(options.excludes.begin(), options.excludes.end(), [&](const std::string& glob) {
    return fnmatch(glob.c_str(), relative.data(), 0) == 0 || fnmatch(glob.c_str(), name.data(), 0) == 0;
  });
}

/// Is a file without a suffix one of C++, as nv/target and cuda/std/atomic are? Its first line but for
/// comments tells.
bool beginsAsHeader(std::string_view source) {
  constexpr std::size_t kMost = std::size_t{1} << 14;
  std::string text(kMost, '\0');
  std::FILE* const file = std::fopen(source.data(), "rb");
  if (!file) return false;
  text.resize(std::fread(text.data(), 1, kMost, file));
  std::fclose(file);
  if (text.find('\0') != std::string::npos) return false;
  TokenStream stream;
  scan(text, stream);
  if (stream.tokens.size() < 2 || stream.tokens[0].kind != TokenKind::Directive) return false;
  static constexpr std::array<std::string_view, 6> kFirst = {"pragma", "ifndef",  "ifdef",
                                                             "if",     "include", "define"};
  const std::string_view word = bytesOf(stream.tokens[1], text);
  return std::find(kFirst.begin(), kFirst.end(), word) != kFirst.end();
}

bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

}  // namespace

/// One input folder.
struct Project::Walk {
  const CollectOptions& options;
  std::string output;
  std::string root;      // with a slash at the end
  std::size_t relative;  // where the relative path begins in a path

  bool takes(const std::string& path, std::string_view name) const {
    return !name.starts_with(".musaport-") && !excluded(path.c_str() + root.size(), name, options) &&
           path != output;
  }
  bool goesInto(const std::string& path, std::string_view name) const {
    return takes(path, name) && std::find(kLeftOut.begin(), kLeftOut.end(), name) == kLeftOut.end();
  }
};

Project Project::collect(const std::vector<fs::path>& inputs, const CollectOptions& options) {
  Project project;
  project.lexicon_ = options.lexicon;
  project.keepNames_ = options.keepNames || options.asGiven;
  project.asGiven_ = options.asGiven;
  for (const fs::path& input : inputs) {
    struct stat status{};
    if (stat(input.c_str(), &status) != 0) throw systemError(input, "read", errno);
    const fs::path source = fs::canonical(input);
    if (S_ISDIR(status.st_mode)) {
      project.complete_ = project.complete_ && options.excludes.empty();
      const std::string path = source == "/" ? "/" : source.string() + "/";
      const std::size_t kept = inputs.size() == 1 ? 0 : source.filename().native().size() + 1;
      auto near = std::make_unique<const NearFolder>(path);
      const Walk walk{options, options.output.string(), path, path.size() - kept};
      project.addFolder(listFolders(path, *near, options.threads,
                                    [&](const std::string& below, std::string_view name) {
                                      return walk.goesInto(below, name);
                                    }),
                        walk);
      if (inputs.size() == 1) project.root_ = std::move(near);
    } else if (S_ISREG(status.st_mode)) {
      project.complete_ = false;
      const fs::path relative = options.asGiven ? input.lexically_normal() : input.filename();
      project.addFile(project.store(source.native()), project.store(relative.native()));
    } else {
      throw PortError(input.string() +
                      ": is neither a file nor a folder; name a source or a folder of sources");
    }
  }
  project.lookIntoDoubtful(options.threads);
  project.index(options.threads);
  return project;
}

void Project::addFolder(const Folder& folder, const Walk& walk) {
  std::string path = folder.path;
  if (folder.list->entries().empty()) emptyFolders_.push_back(path.substr(walk.relative));
  auto below = folder.below.begin();
  for (const FolderList::Entry& entry : folder.list->entries()) {
    if (entry.type == DT_DIR) {
      if (*below) addFolder(**below, walk);
      ++below;
      continue;
    }
    path.append(entry.name);
    if (walk.takes(path, entry.name)) addEntry(path, entry.type, walk);
    path.resize(folder.path.size());
  }
}

void Project::addEntry(const std::string& path, unsigned char type, const Walk& walk) {
  if (type == DT_LNK) return addLink(path, walk);
  if (type != DT_REG) {
    skipped_.push_back(path + ": is neither a file nor a folder, left out");
    return;
  }
  const std::string_view source = store(path);
  addFile(source, source.substr(walk.relative));
}

void Project::addFile(std::string_view source, std::string_view relative) {
  FileKind kind = kindOf(source, lexicon_->direction());
  if (!asGiven_ && kind == FileKind::Other && nameIn(source).find('.') == std::string_view::npos)
    doubtful_.push_back(files_.size());
  // Who names a file wants it ported, whatever it is called.
  if (asGiven_ && (kind == FileKind::Other || kind == FileKind::Native)) kind = FileKind::Source;
  files_.push_back({source, relative, kind == FileKind::Source ? storePorted(relative) : relative, kind});
}

void Project::lookIntoDoubtful(unsigned threads) {
  parallelFor(doubtful_.size(), threads, [&](std::size_t i) {
    ProjectFile& file = files_[doubtful_[i]];
    if (beginsAsHeader(file.source)) file.kind = FileKind::Source;
  });
  for (const std::size_t i : doubtful_) {
    if (files_[i].kind == FileKind::Source) files_[i].target = storePorted(files_[i].relative);
  }
}

void Project::addLink(std::string_view path, const Walk& walk) {
  const fs::path target = fs::read_symlink(path);
  const fs::path leadsTo = (fs::path(path).parent_path() / target).lexically_normal();
  const fs::path root = fs::path(walk.root).parent_path();
  if (target.is_absolute() || !isBelow(leadsTo, root)) {
    skipped_.push_back(std::string(path) + ": the link leads out of the input (" + target.string() +
                       "), left out");
    return;
  }
  const bool renames = kindOf(leadsTo.native(), lexicon_->direction()) == FileKind::Source;
  const std::string_view source = store(path), relative = source.substr(walk.relative);
  files_.push_back({source, relative, renames ? storePorted(relative) : relative, FileKind::Link});
}

std::string_view Project::store(std::string_view text) {
  char* const room = static_cast<char*>(texts_->allocate(text.size() + 1, 1));
  *std::copy(text.begin(), text.end(), room) = '\0';
  return {room, text.size()};
}

/// The new name, which is the old one for most.
std::string_view Project::storePorted(std::string_view relative) {
  return !keepNames_ && isRenamed(relative, lexicon_->direction())
             ? store(portedName(relative, lexicon_->direction()))
             : relative;
}

void Project::index(unsigned threads) {
  const auto byRelative = [](const ProjectFile& a, const ProjectFile& b) { return a.relative < b.relative; };
  // One folder comes sorted.
  if (!std::is_sorted(files_.begin(), files_.end(), byRelative))
    std::sort(files_.begin(), files_.end(), byRelative);
  checkTargets();
  index_.build(files_, threads);
}

/// No two files may become one. Those that keep their names differ already, unless inputs share them.
void Project::checkTargets() const {
  std::vector<std::pair<std::string_view, std::size_t>> doubtful;
  const auto doubt = [&](std::size_t i) { doubtful.emplace_back(files_[i].target, i); };
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (i > 0 && files_[i].relative == files_[i - 1].relative) doubt(i - 1), doubt(i);
    if (files_[i].target == files_[i].relative) continue;
    doubt(i);
    const auto other = std::lower_bound(
        files_.begin(), files_.end(), files_[i].target,
        [](const ProjectFile& file, std::string_view target) { return file.relative < target; });
    if (other != files_.end() && other->relative == files_[i].target && other->target == other->relative)
      doubt(static_cast<std::size_t>(other - files_.begin()));
  }
  std::sort(doubtful.begin(), doubtful.end());
  doubtful.erase(std::unique(doubtful.begin(), doubtful.end()), doubtful.end());
  const auto same = std::adjacent_find(doubtful.begin(), doubtful.end(),
                                       [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same == doubtful.end()) return;
  const ProjectFile &first = files_[same->second], &second = files_[(same + 1)->second];
  throw PortError(std::string(second.source) + ": would overwrite what comes from " +
                  std::string(first.source) + " (both become " + std::string(second.target) +
                  "); exclude one of them");
}

const ProjectFile* Project::resolve(const ProjectFile& file, std::string_view header) const {
  if (!index_.hasName(nameIn(header)))
    return header.ends_with(".in") || !isRenamed(header, lexicon_->direction())
               ? nullptr
               : resolveTemplate(file, header);
  thread_local std::string beside;  // keeps its room
  beside.assign(file.source, 0, file.source.rfind('/') + 1).append(header);
  if (header.find("./") != std::string_view::npos || header.find("//") != std::string_view::npos ||
      header.starts_with('/'))
    beside = (fs::path(file.source).parent_path() / header).lexically_normal().string();
  const ProjectFile* const near = index_.withPath(beside);
  return near ? near : resolveByEnd(header);
}

/// config.cuh is made of config.cuh.in when the project is configured.
const ProjectFile* Project::resolveTemplate(const ProjectFile& file, std::string_view header) const {
  return resolve(file, std::string(header) + ".in");
}

const ProjectFile* Project::resolveByEnd(std::string_view header) const {
  if (const auto known = byEnd_->find(header)) return *known;
  const ProjectFile* const found = findByEnd(header);
  byEnd_->add(header, found);
  return found;
}

/// By -I, which we do not know: a file whose path ends in the header's. Never a header of CUDA itself.
const ProjectFile* Project::findByEnd(std::string_view header) const {
  if (isToolkits(header)) return nullptr;
  const std::string wanted = fs::path(header).lexically_normal().string();
  const ProjectFile* const found = index_.withEnd(wanted);
  struct stat status{};
  // More likely the system's, else.
  if (found && stat(("/usr/include/" + wanted).c_str(), &status) != 0) {
    const std::lock_guard lock(*mutex_);
    includeFolders_.emplace(found->source.substr(0, found->source.size() - wanted.size() - 1));
  }
  return found;
}

std::vector<std::string> Project::includeFolders() const {
  const std::lock_guard lock(*mutex_);
  return {includeFolders_.begin(), includeFolders_.end()};
}

bool Project::hasBeside(const ProjectFile& file, std::string_view header) const {
  // It would hide CUDA's header of that name.
  if (complete_ && header.find("..") == std::string_view::npos) return false;
  if (!isToolkits(header)) return false;
  struct stat status{};
  return stat((fs::path(file.source).parent_path() / header).c_str(), &status) == 0 &&
         S_ISREG(status.st_mode);
}

bool Project::isToolkits(std::string_view header) const {
  std::string scratch;
  return !lexicon_->mapHeader(header, scratch).empty();
}

std::string Project::renamed(const ProjectFile& target, std::string_view header) const {
  const bool made = target.relative.ends_with(".in") && !header.ends_with(".in");
  return keepNames_ || (target.target == target.relative && !made)
             ? std::string()
             : portedName(header, lexicon_->direction());
}

}  // namespace musashim::translator
