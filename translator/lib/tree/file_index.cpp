#include "translator/lib/tree/file_index.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "translator/lib/lex/word_hash.h"
#include "translator/lib/parallel.h"
#include "translator/lib/tree/file_kind.h"
#include "translator/lib/tree/project.h"

namespace musashim::translator {

void FileIndex::build(const std::vector<ProjectFile>& files, unsigned threads) {
  constexpr std::size_t kAtATime = 2048;
  files_ = files.data();
  entries_.resize(files.size());
  parallelFor((files.size() + kAtATime - 1) / kAtATime, threads, [&](std::size_t part) {
    const std::size_t end = std::min(files.size(), (part + 1) * kAtATime);
    for (std::size_t i = part * kAtATime; i < end; ++i) {
      entries_[i].nameHash = wordHash(nameIn(files[i].source));
      entries_[i].pathHash = wordHash(files[i].source);
    }
  });
  const std::size_t slots = std::bit_ceil(2 * files.size() + 1);
  lastByName_.assign(slots, kNone);
  lastByPath_.assign(slots, kNone);
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    Entry& entry = entries_[i];
    entry.beforeByName = std::exchange(lastByName_[entry.nameHash & (slots - 1)], i);
    entry.beforeByPath = std::exchange(lastByPath_[entry.pathHash & (slots - 1)], i);
  }
}

const ProjectFile* FileIndex::withPath(std::string_view path) const {
  const std::uint32_t hash = wordHash(path);
  for (std::uint32_t i = lastByPath_[hash & (lastByPath_.size() - 1)]; i != kNone;
       i = entries_[i].beforeByPath) {
    if (entries_[i].pathHash == hash && files_[i].source == path) return files_ + i;
  }
  return nullptr;
}

/// The first in the chain from `from` on.
std::uint32_t FileIndex::nextOfName(std::string_view name, std::uint32_t hash, std::uint32_t from) const {
  while (from != kNone && (entries_[from].nameHash != hash || nameIn(files_[from].source) != name))
    from = entries_[from].beforeByName;
  return from;
}

bool FileIndex::hasName(std::string_view name) const {
  const std::uint32_t hash = wordHash(name);
  return nextOfName(name, hash, lastByName_[hash & (lastByName_.size() - 1)]) != kNone;
}

const ProjectFile* FileIndex::withEnd(std::string_view end) const {
  const std::string_view name = nameIn(end);
  const std::uint32_t hash = wordHash(name);
  for (std::uint32_t i = nextOfName(name, hash, lastByName_[hash & (lastByName_.size() - 1)]); i != kNone;
       i = nextOfName(name, hash, entries_[i].beforeByName)) {
    const std::string_view path = files_[i].source;
    if (path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/')
      return files_ + i;
  }
  return nullptr;
}

HeaderCache::~HeaderCache() {
  for (std::atomic<Entry*>& head : heads_) {
    for (const Entry* entry = head.load(std::memory_order_relaxed); entry != nullptr;)
      delete std::exchange(entry, entry->next);
  }
}

std::optional<const ProjectFile*> HeaderCache::find(std::string_view header) const {
  const std::atomic<Entry*>& head = heads_[wordHash(header) % kSlots];
  for (const Entry* entry = head.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
    if (entry->header == header) return entry->file;
  }
  return std::nullopt;
}

void HeaderCache::add(std::string_view header, const ProjectFile* file) {
  std::atomic<Entry*>& head = heads_[wordHash(header) % kSlots];
  auto* const entry = new Entry{std::string(header), file, head.load(std::memory_order_relaxed)};
  while (
      !head.compare_exchange_weak(entry->next, entry, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

}  // namespace musashim::translator
