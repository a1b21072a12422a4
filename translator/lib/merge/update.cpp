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

Update::Update(const fs::path& root)
    : root_(root), journal_(root / kStateName), bases_(root, root / kStateName) {}

void Update::offer(const fs::path& path, const struct stat& source, std::string_view text) {
  const std::lock_guard lock(mutex_);
  offers_.insert_or_assign(path.native(),
                           Offer{source.st_mode, std::string(text), false, false, timeOf(source)});
}

void Update::own(const fs::path& path, std::string_view text) {
  const std::lock_guard lock(mutex_);
  offers_.insert_or_assign(path.native(), Offer{0644, std::string(text), true, false, {}});
}

bool Update::keep(const fs::path& path) {
  if (bases_.hasFirstPort() || !bases_.isFile(path.native())) return false;
  const std::lock_guard lock(mutex_);
  Offer kept;
  kept.kept = true;
  offers_.insert_or_assign(path.native(), std::move(kept));
  return true;
}

std::vector<std::string> Update::commit() {
  for (const auto& [path, offer] : offers_) take(path, offer);
  for (const std::string& path : bases_.paths()) {
    if (!offers_.contains(path)) drop(path);
  }
  // From now on there are files.
  if (bases_.hasFirstPort()) journal_.remove(bases_.firstPort());
  journal_.commit();
  return std::move(conflicts_);
}

void Update::take(const std::string& path, const Offer& offer) {
  if (offer.kept) return;
  const fs::path place = root_ / path;
  const std::optional<std::string> here = contentOf(place);
  if (offer.own) {
    if (here != offer.text) journal_.write(place, offer.mode, offer.text);
    return;
  }
  const std::optional<std::string> base = bases_.at(path, offer.text, offer.source);
  const fs::path kept = bases_.folder() / path;
  if (contentOf(kept) != offer.text) journal_.write(kept, 0644, offer.text);
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
  if (here && here != bases_.at(path, {}, {})) {
    conflicts_.push_back(path + ": its source is gone, but it was edited here: it stays");
  } else {
    journal_.remove(root_ / path);
  }
  if (bases_.isFile(path)) journal_.remove(bases_.folder() / path);
}

}  // namespace musashim::translator
