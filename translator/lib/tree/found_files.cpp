#include "translator/lib/tree/found_files.h"

#include <dirent.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <utility>

#include "translator/lib/parallel.h"
#include "translator/lib/tree/folder.h"

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

bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

/// Entries of one folder that follow each other, without a folder between them.
struct Run {
  const Folder* folder;
  std::size_t from, to;
};

void addRuns(const Folder& folder, std::vector<Run>& runs) {
  auto below = folder.below.begin();
  const auto& entries = folder.list->entries();
  std::size_t from = 0;
  const auto add = [&](std::size_t to) {
    if (from < to) runs.push_back({&folder, from, to});
    from = to + 1;
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].type != DT_DIR) continue;
    add(i);
    if (*below) addRuns(**below, runs);
    ++below;
  }
  add(entries.size());
}

void addEmpty(const Folder& folder, const InputFolder& input, std::vector<fs::path>& empty) {
  if (folder.list->entries().empty()) empty.push_back(folder.path.substr(input.relative));
  for (const std::unique_ptr<Folder>& below : folder.below) {
    if (below) addEmpty(*below, input, empty);
  }
}

}  // namespace

bool InputFolder::takes(const std::string& path, std::string_view name) const {
  return !name.starts_with(".musaport-") && !excluded(path.c_str() + root.size(), name, options) &&
         path != output;
}

bool InputFolder::goesInto(const std::string& path, std::string_view name) const {
  return takes(path, name) && std::find(kLeftOut.begin(), kLeftOut.end(), name) == kLeftOut.end();
}

void FoundFiles::addFile(std::string_view source, std::string_view relative) {
  FileKind kind = kindOf(source, options_.lexicon->direction());
  if (!options_.asGiven && kind == FileKind::Other && nameIn(source).find('.') == std::string_view::npos)
    doubtful.push_back(files.size());
  // Who names a file wants it ported, whatever it is called.
  if (options_.asGiven && (kind == FileKind::Other || kind == FileKind::Native)) kind = FileKind::Source;
  files.push_back({source, relative, kind == FileKind::Source ? storePorted(relative) : relative, kind});
}

void FoundFiles::addEntries(const Folder& folder, std::size_t from, std::size_t to,
                            const InputFolder& input) {
  std::string path = folder.path;
  for (std::size_t i = from; i < to; ++i) {
    const FolderList::Entry& entry = folder.list->entries()[i];
    path.resize(folder.path.size());
    path.append(entry.name);
    if (!input.takes(path, entry.name)) continue;
    if (entry.type == DT_LNK) {
      addLink(path, input);
    } else if (entry.type != DT_REG) {
      skipped.push_back(path + ": is neither a file nor a folder, left out");
    } else {
      const std::string_view source = store(path);
      addFile(source, source.substr(input.relative));
    }
  }
}

void FoundFiles::addLink(const std::string& path, const InputFolder& input) {
  const fs::path target = fs::read_symlink(path);
  const fs::path leadsTo = (fs::path(path).parent_path() / target).lexically_normal();
  const fs::path root = fs::path(input.root).parent_path();
  if (target.is_absolute() || !isBelow(leadsTo, root)) {
    skipped.push_back(path + ": the link leads out of the input (" + target.string() + "), left out");
    return;
  }
  const bool renames = kindOf(leadsTo.native(), options_.lexicon->direction()) == FileKind::Source;
  const std::string_view source = store(path), relative = source.substr(input.relative);
  files.push_back({source, relative, renames ? storePorted(relative) : relative, FileKind::Link});
}

std::string_view FoundFiles::store(std::string_view text) {
  char* const room = static_cast<char*>(texts->allocate(text.size() + 1, 1));
  *std::copy(text.begin(), text.end(), room) = '\0';
  return {room, text.size()};
}

/// The new name, which is the old one for most.
std::string_view FoundFiles::storePorted(std::string_view relative) {
  const Direction direction = options_.lexicon->direction();
  return !options_.keepNames && !options_.asGiven && isRenamed(relative, direction)
             ? store(portedName(relative, direction))
             : relative;
}

std::vector<FoundFiles> filesIn(const Folder& root, const InputFolder& input, unsigned threads) {
  constexpr std::size_t kAtATime = 1024;  // entries, about
  std::vector<Run> runs;
  addRuns(root, runs);
  std::vector<std::size_t> begins;
  std::size_t entries = kAtATime;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (entries >= kAtATime) begins.push_back(i), entries = 0;
    entries += runs[i].to - runs[i].from;
  }
  std::vector<FoundFiles> found;
  for (std::size_t i = 0; i < begins.size(); ++i) found.emplace_back(input.options);
  begins.push_back(runs.size());
  parallelFor(found.size(), threads, [&](std::size_t part) {
    for (std::size_t i = begins[part]; i < begins[part + 1]; ++i)
      found[part].addEntries(*runs[i].folder, runs[i].from, runs[i].to, input);
  });
  return found;
}

std::vector<fs::path> emptyFoldersIn(const Folder& root, const InputFolder& input) {
  std::vector<fs::path> empty;
  addEmpty(root, input, empty);
  return empty;
}

}  // namespace musashim::translator
