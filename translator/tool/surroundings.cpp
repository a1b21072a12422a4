#include "translator/tool/surroundings.h"

#include <algorithm>
#include <array>

#include "translator/lib/edit/apply.h"
#include "translator/lib/error.h"
#include "translator/lib/port.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/project.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool isVersionControlRoot(const fs::path& folder) {
  static constexpr std::array<std::string_view, 3> kFolders = {".git", ".hg", ".svn"};
  std::error_code ignored;
  return std::any_of(kFolders.begin(), kFolders.end(),
                     [&](std::string_view name) { return fs::exists(folder / name, ignored); });
}

/// Folders to look into for what sources in `folder` include, nearest first.
std::vector<fs::path> foldersAbove(fs::path folder) {
  std::vector<fs::path> above;
  while (!isVersionControlRoot(folder) && folder != folder.root_path()) {
    above.push_back(folder = folder.parent_path());
  }
  if (isVersionControlRoot(folder)) return above;
  // There is no such root: not the whole disk, then.
  above.resize(std::min<std::size_t>(above.size(), 3));
  std::erase_if(above, [](const fs::path& each) { return each == each.root_path(); });
  return above;
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
  std::vector<fs::path> inside;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());
  return inside;
}

}  // namespace

Surroundings::Surroundings(const PortOptions& options) : options_(options) {
  options_.countOnly = true;
  options_.symbols = nullptr;
  options_.localSymbols = nullptr;
  options_.availability = nullptr;
}

void Surroundings::addFolder(const fs::path& folder) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(folder, ignored);
  if (std::find(folders_.begin(), folders_.end(), path) == folders_.end()) folders_.push_back(path);
}

bool Surroundings::find(const fs::path& input, std::string_view header) {
  for (const auto& [folder, headers] : found_) {
    if (headers.contains(header) || look(folder, header)) return true;
  }
  for (const fs::path& folder : foldersAbove(input)) {
    if (look(folder, header) || look(folder / "include", header)) return true;
    for (const fs::path& beside : foldersIn(folder)) {
      if (look(beside, header) || look(beside / "include", header)) return true;
    }
  }
  return false;
}

bool Surroundings::look(const fs::path& folder, std::string_view header) {
  std::error_code ignored;
  const fs::path path = (folder / header).lexically_normal();
  if (!isBelow(path, folder) || !fs::is_regular_file(path, ignored)) return false;
  found_[folder.string()].emplace(header);
  headers_.push_back(path);
  addFolder(folder);
  return true;
}

bool Surroundings::holds(const fs::path& path) const {
  return std::any_of(folders_.begin(), folders_.end(),
                     [&](const fs::path& folder) { return isBelow(path, folder); });
}

std::shared_ptr<const std::string> Surroundings::ported(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto [entry, fresh] = texts_.try_emplace(path);
  if (!fresh) return entry->second;
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(path, ignored);
  if (kindOf(real.native()) == FileKind::Source && holds(real)) entry->second = port(real);
  return entry->second;
}

Surroundings::Text Surroundings::port(const fs::path& path) const try {
  PortedSource result = portSource(readFile(path), options_, noProject());
  return result.edits.empty() ? nullptr : std::make_shared<const std::string>(std::move(result.text));
} catch (const PortError&) {
  return nullptr;  // clang will say that it cannot read it
}

std::vector<std::string> includesOf(std::string_view text) {
  std::vector<std::string> headers;
  constexpr std::string_view kBlank = " \t";
  const auto skip = [&](std::size_t at) { return std::min(text.find_first_not_of(kBlank, at), text.size()); };
  for (std::size_t hash = text.find('#'); hash != std::string_view::npos; hash = text.find('#', hash + 1)) {
    const std::size_t before = text.find_last_not_of(kBlank, hash == 0 ? 0 : hash - 1);
    if (hash > 0 && before != std::string_view::npos && text[before] != '\n') continue;
    std::size_t at = skip(hash + 1);
    if (!text.substr(at).starts_with("include")) continue;
    at = skip(at + 7);
    if (at == text.size() || (text[at] != '<' && text[at] != '"')) continue;
    const std::size_t end = text.find_first_of(text[at] == '<' ? ">\n" : "\"\n", at + 1);
    if (end != std::string_view::npos && text[end] != '\n')
      headers.emplace_back(text.substr(at + 1, end - at - 1));
  }
  return headers;
}

}  // namespace musashim::translator
