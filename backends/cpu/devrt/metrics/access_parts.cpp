#include "cpu/devrt/metrics/access_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace musashim::devrt::metrics {
namespace {

constexpr uint64_t kNearSectors = 1024;

struct Units {
  uint64_t first, last;
};

// Of memory: among those that the lanes access.
Units unitsOf(std::span<const uint64_t> addresses, uint64_t bytes, uint64_t unit) {
  uint64_t low = UINT64_MAX, high = 0;
  for (const uint64_t address : addresses) {
    low = std::min(low, address);
    high = std::max(high, address);
  }
  return {low / unit, (high + bytes - 1) / unit};
}

// Different numbers of some lanes: bits where they are near each other, as most are, else a hash table that
// fits them.
class Different {
 public:
  explicit Different(Units among) : first_(among.first), near_((among.last - among.first) / kBits < kFew) {
    std::fill_n(few_.begin(), near_ ? (among.last - among.first) / kBits + 1 : kFew, 0);
  }

  Different(const Different&) = delete;
  Different& operator=(const Different&) = delete;

  bool insert(uint64_t number) {
    if (!near_ && 2 * count_ >= table_.size()) grow();
    const bool isNew = near_ ? mark(number - first_) : place(number + 1);  // 0: free
    count_ += isNew ? 1 : 0;
    return isNew;
  }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kFew = 128, kBits = 64;

  bool mark(uint64_t number) {
    uint64_t& word = few_[number / kBits];
    const bool isNew = (word >> number % kBits & 1) == 0;
    word |= uint64_t{1} << number % kBits;
    return isNew;
  }
  bool place(uint64_t key) {
    const size_t mask = table_.size() - 1;
    for (size_t slot = (key ^ key >> 6) & mask;; slot = (slot + 1) & mask) {
      if (table_[slot] == key) return false;
      if (table_[slot] != 0) continue;
      table_[slot] = key;
      return true;
    }
  }
  void grow() {
    const std::vector<uint64_t> old(table_.begin(), table_.end());
    more_.assign(old.size() * 2, 0);
    table_ = more_;
    for (const uint64_t key : old)
      if (key != 0) place(key);
  }

  uint64_t first_;
  bool near_;
  std::array<uint64_t, kFew> few_;
  std::vector<uint64_t> more_;
  std::span<uint64_t> table_ = few_;
  size_t count_ = 0;
};

// The sectors of lanes that are in the order of their addresses, as many are; 0: of others, and where a lane
// has two.
uint64_t sectorsInOrder(std::span<const uint64_t> addresses, uint64_t bytes) {
  uint64_t count = 0, last = 0, before = 0;
  for (const uint64_t address : addresses) {
    if (address < before || address % kSectorBytes + bytes > kSectorBytes) return 0;
    const uint64_t sector = address / kSectorBytes + 1;
    count += sector != last ? 1 : 0;
    last = sector;
    before = address;
  }
  return count;
}

// The sectors of accesses near each other, which have one or two each.
uint64_t nearSectors(std::span<const uint64_t> addresses, uint64_t bytes, Units among) {
  std::array<uint64_t, kNearSectors / 64> present;
  const size_t words = (among.last - among.first) / 64 + 1;
  std::fill_n(present.begin(), words, 0);
  const uint64_t start = among.first * kSectorBytes;
  for (const uint64_t address : addresses) {
    const uint64_t from = (address - start) / kSectorBytes, to = (address - start + bytes - 1) / kSectorBytes;
    present[from / 64] |= uint64_t{1} << from % 64;
    present[to / 64] |= uint64_t{1} << to % 64;
  }
  uint64_t count = 0;
  for (size_t word = 0; word < words; ++word) count += static_cast<uint64_t>(std::popcount(present[word]));
  return count;
}

uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

// Wavefronts of lanes that are served together: as many as the fullest bank has words.
uint64_t conflictsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  Different words(unitsOf(addresses, bytes, kBankBytes));
  std::array<uint32_t, kBanks> inBank{};
  for (const uint64_t address : addresses) {
    for (uint64_t word = address / kBankBytes; word <= (address + bytes - 1) / kBankBytes; ++word)
      if (words.insert(word)) ++inBank[word % kBanks];
  }
  return *std::max_element(inBank.begin(), inBank.end());
}

}  // namespace

Parts sectorsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  const uint64_t least = roundUp(addresses.size() * bytes, kSectorBytes);
  if (const uint64_t count = sectorsInOrder(addresses, bytes)) return {count, std::min(least, count), 0};
  const Units among = unitsOf(addresses, bytes, kSectorBytes);
  if (bytes <= kSectorBytes && among.last - among.first < kNearSectors) {
    const uint64_t count = nearSectors(addresses, bytes, among);
    return {count, std::min(least, count), 0};
  }
  Different sectors(among);
  for (const uint64_t address : addresses) {
    for (uint64_t at = address / kSectorBytes; at <= (address + bytes - 1) / kSectorBytes; ++at)
      sectors.insert(at);
  }
  return {sectors.count(), std::min<uint64_t>(least, sectors.count()), 0};
}

Parts wavefrontsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  constexpr uint64_t kHandedOut = 256;
  const size_t together = std::max<size_t>(1, kHandedOut / std::max(bytes, 2 * kBankBytes));
  Parts parts;
  for (size_t first = 0; first < addresses.size(); first += together) {
    const auto group = addresses.subspan(first, std::min(together, addresses.size() - first));
    const uint64_t turns = conflictsOf(group, bytes);
    parts.count += turns;
    parts.least += std::min(turns, std::max<uint64_t>(1, roundUp(group.size() * bytes, kBanks * kBankBytes)));
  }
  return parts;
}

uint64_t serialLanesOf(std::span<const uint64_t> addresses) {
  Different places(unitsOf(addresses, 1, 1));
  for (const uint64_t address : addresses) places.insert(address);
  return addresses.size() - places.count();
}

}  // namespace musashim::devrt::metrics
