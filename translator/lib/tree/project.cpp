#include "translator/lib/tree/project.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <utility>

#include "translator/lib/error.h"
#include "translator/lib/lex/scan.h"
#include "translator/lib/parallel.h"
#include "translator/lib/tree/folder.h"
#include "translator/lib/tree/found_files.h"
#include "translator/lib/tree/record.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

Project::Project() = default;
Project::Project(Project&&) noexcept = default;
Project::~Project() = default;

Project Project::collect(const std::vector<fs::path>& inputs, const CollectOptions& options) {
  Project project;
  project.lexicon_ = options.lexicon;
  project.keepNames_ = options.keepNames || options.asGiven;
  FoundFiles named(options);
  for (const fs::path& input : inputs) {
    struct stat status{};
    if (stat(input.c_str(), &status) != 0) throw systemError(input, "read", errno);
    const fs::path source = fs::canonical(input);
    if (S_ISDIR(status.st_mode)) {
      project.complete_ = project.complete_ && options.excludes.empty();
      const std::string path = source == "/" ? "/" : source.string() + "/";
      const std::size_t kept = inputs.size() == 1 ? 0 : source.filename().native().size() + 1;
      auto near = std::make_unique<const NearFolder>(path);
      const InputFolder folder{options, options.output.string(), path, path.size() - kept};
      auto& tree = project.trees_.emplace_back(std::make_unique<const Folder>(listFolders(
          path, *near, options.threads,
          [&](const std::string& below, std::string_view name) { return folder.goesInto(below, name); })));
      for (FoundFiles& found : filesIn(*tree, folder, options.threads)) project.take(std::move(found));
      for (std::filesystem::path& empty : emptyFoldersIn(*tree, folder))
        project.emptyFolders_.push_back(std::move(empty));
      if (inputs.size() == 1) project.root_ = std::move(near);
    } else if (S_ISREG(status.st_mode)) {
      project.complete_ = false;
      const fs::path relative = options.asGiven ? input.lexically_normal() : input.filename();
      named.addFile(named.store(source.native()), named.store(relative.native()));
    } else {
      throw PortError(input.string() +
                      ": is neither a file nor a folder; name a source or a folder of sources");
    }
  }
  project.take(std::move(named));
  project.lookIntoDoubtful(options.threads);
  project.index(options.threads);
  return project;
}

void Project::take(FoundFiles found) {
  for (const std::size_t i : found.doubtful) doubtful_.push_back(files_.size() + i);
  files_.insert(files_.end(), found.files.begin(), found.files.end());
  std::move(found.skipped.begin(), found.skipped.end(), std::back_inserter(skipped_));
  texts_.push_back(std::move(found.texts));
}

/// They keep their names, whatever they are.
void Project::lookIntoDoubtful(unsigned threads) {
  parallelFor(doubtful_.size(), threads, [&](std::size_t i) {
    ProjectFile& file = files_[doubtful_[i]];
    if (beginsAsHeader(file.source)) file.kind = FileKind::Source;
  });
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
