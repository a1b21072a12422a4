#include "cpu/devrt/metrics/access_parts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace musashim::devrt::metrics {
namespace {

// Different numbers among those of some lanes: a hash table that fits them, as it is asked for many accesses.
class Different {
 public:
  bool insert(uint64_t number) {
    if (2 * count_ >= table_.size()) grow();
    const bool isNew = place(number + 1);  // 0: free
    count_ += isNew ? 1 : 0;
    return isNew;
  }
  size_t count() const { return count_; }

 private:
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

  std::array<uint64_t, 128> few_{};
  std::vector<uint64_t> more_;
  std::span<uint64_t> table_ = few_;
  size_t count_ = 0;
};

uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

// Wavefronts of lanes that are served together: as many as the fullest bank has words.
uint64_t conflictsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  Different words;
  std::array<uint32_t, kBanks> inBank{};
  for (const uint64_t address : addresses) {
    for (uint64_t word = address / kBankBytes; word <= (address + bytes - 1) / kBankBytes; ++word)
      if (words.insert(word)) ++inBank[word % kBanks];
  }
  return *std::max_element(inBank.begin(), inBank.end());
}

}  // namespace

Parts sectorsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  Different sectors;
  for (const uint64_t address : addresses) {
    for (uint64_t at = address / kSectorBytes; at <= (address + bytes - 1) / kSectorBytes; ++at)
      sectors.insert(at);
  }
  const uint64_t least = roundUp(addresses.size() * bytes, kSectorBytes);
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
  Different places;
  for (const uint64_t address : addresses) places.insert(address);
  return addresses.size() - places.count();
}

}  // namespace musashim::devrt::metrics
