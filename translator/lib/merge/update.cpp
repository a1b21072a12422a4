#include "translator/lib/merge/update.h"

#include <sys/stat.h>

#include "translator/lib/merge/merge.h"
#include "translator/lib/tree/files.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contentOf(const fs::path& path) {
  if (!fs::is_regular_file(fs::symlink_status(path))) return std::nullopt;
  return readFile(path);
}

}  // namespace

Update::Update(const fs::path& root) : root_(root), journal_(root / kStateName) {}

void Update::offer(const fs::path& path, mode_t mode, std::string_view text) {
  const std::lock_guard lock(mutex_);
  offers_.insert_or_assign(path.native(), Offer{mode, std::string(text), false});
}

void Update::own(const fs::path& path, std::string_view text) {
  const std::lock_guard lock(mutex_);
  offers_.insert_or_assign(path.native(), Offer{0644, std::string(text), true});
}

std::vector<std::string> Update::commit() {
  for (const auto& [path, offer] : offers_) take(path, offer);
  const fs::path bases = baseOf("");
  if (fs::exists(bases)) {
    for (const auto& entry : fs::recursive_directory_iterator(bases)) {
      if (!entry.is_regular_file()) continue;
      const std::string path = entry.path().lexically_relative(bases).native();
      if (!offers_.contains(path)) drop(path);
    }
  }
  journal_.commit();
  return std::move(conflicts_);
}

void Update::take(const std::string& path, const Offer& offer) {
  const fs::path place = root_ / path;
  const std::optional<std::string> here = contentOf(place);
  if (offer.own) {
    if (here != offer.text) journal_.write(place, offer.mode, offer.text);
    return;
  }
  const std::optional<std::string> base = contentOf(baseOf(path));
  if (base != offer.text) journal_.write(baseOf(path), 0644, offer.text);
  if (here == offer.text || base == offer.text) return;  // there already; or only edited, or removed, here
  if (!here) {
    if (base) conflicts_.push_back(path + ": was removed here, but changed in the source: it is back");
    return journal_.write(place, offer.mode, offer.text);
  }
  struct stat status {};
  const mode_t mode = stat(place.c_str(), &status) == 0 ? status.st_mode : offer.mode;
  if (here == base) return journal_.write(place, mode, offer.text);
  if ((*here + offer.text).find('\0') != std::string::npos) {
    conflicts_.push_back(path + ": is no text and changed on both sides: the new one is in " + path + ".new");
    return journal_.write(place.native() + ".new", offer.mode, offer.text);
  }
  const Merged merged = mergeTexts(base.value_or(""), *here, offer.text);
  for (const std::size_t line : merged.conflicts)
    conflicts_.push_back(
        path + ":" + std::to_string(line) +
        ": conflict: both the source and this file changed; choose between <<<<<<< and >>>>>>>");
  journal_.write(place, mode, merged.text);
}

/// Its source is gone.
void Update::drop(const std::string& path) {
  const std::optional<std::string> here = contentOf(root_ / path);
  if (here && here != contentOf(baseOf(path))) {
    conflicts_.push_back(path + ": its source is gone, but it was edited here: it stays");
  } else {
    journal_.remove(root_ / path);
  }
  journal_.remove(baseOf(path));
}

}  // namespace musashim::translator
