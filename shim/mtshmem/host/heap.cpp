#include "mtshmem/host/heap.h"

#include <cctype>
#include <cstdlib>
#include <iterator>

namespace musashim::mtshmem {

HeapPlan::HeapPlan(std::size_t begin, std::size_t end) { free_[begin] = end; }

std::size_t HeapPlan::take(std::size_t bytes, std::size_t alignment) {
  if (bytes == 0 || bytes > kNone / 2) return kNone;
  for (auto room = free_.begin(); room != free_.end(); ++room) {
    const auto [begin, end] = *room;
    const std::size_t place = (begin + alignment - 1) & ~(alignment - 1);
    if (place < begin || place > end || end - place < bytes) continue;
    free_.erase(room);
    if (place > begin) free_[begin] = place;
    if (place + bytes < end) free_[place + bytes] = end;
    taken_[place] = place + bytes;
    return place;
  }
  return kNone;
}

bool HeapPlan::give(std::size_t place) {
  const auto found = taken_.find(place);
  if (found == taken_.end()) return false;
  auto [begin, end] = *found;
  taken_.erase(found);
  // With the free bytes on both sides.
  if (const auto next = free_.find(end); next != free_.end()) {
    end = next->second;
    free_.erase(next);
  }
  const auto after = free_.lower_bound(begin);
  if (after != free_.begin() && std::prev(after)->second == begin) {
    std::prev(after)->second = end;
  } else {
    free_[begin] = end;
  }
  return true;
}

std::size_t sizeOf(const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || value <= 0) return 0;
  double unit = 1;
  switch (std::toupper(static_cast<unsigned char>(*end))) {
    case 'T':
      unit *= 1024;
      [[fallthrough]];
    case 'G':
      unit *= 1024;
      [[fallthrough]];
    case 'M':
      unit *= 1024;
      [[fallthrough]];
    case 'K':
      unit *= 1024;
      ++end;
      break;
    default:
      break;
  }
  if (std::toupper(static_cast<unsigned char>(*end)) == 'B') ++end;
  const double bytes = value * unit;
  return *end == '\0' && bytes < 1e15 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace musashim::mtshmem
