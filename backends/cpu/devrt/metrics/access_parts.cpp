#include "cpu/devrt/metrics/access_parts.h"

#include <algorithm>
#include <array>
#include <vector>

namespace musashim::devrt::metrics {
namespace {

// Sorted numbers without repetitions, kept between calls: it is asked for each access of a kernel.
std::vector<uint64_t>& scratch() {
  static thread_local std::vector<uint64_t> numbers;
  numbers.clear();
  return numbers;
}

void makeUnique(std::vector<uint64_t>& numbers) {
  if (!std::is_sorted(numbers.begin(), numbers.end())) std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

// Wavefronts of lanes that are served together: as many as the fullest bank has words.
uint64_t conflictsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  std::vector<uint64_t>& words = scratch();
  for (const uint64_t address : addresses) {
    for (uint64_t word = address / kBankBytes; word <= (address + bytes - 1) / kBankBytes; ++word)
      words.push_back(word);
  }
  makeUnique(words);
  std::array<uint32_t, kBanks> inBank{};
  for (const uint64_t word : words) ++inBank[word % kBanks];
  return *std::max_element(inBank.begin(), inBank.end());
}

}  // namespace

Parts sectorsOf(std::span<const uint64_t> addresses, uint64_t bytes) {
  std::vector<uint64_t>& sectors = scratch();
  for (const uint64_t address : addresses) {
    for (uint64_t at = address / kSectorBytes; at <= (address + bytes - 1) / kSectorBytes; ++at)
      if (sectors.empty() || sectors.back() != at) sectors.push_back(at);
  }
  makeUnique(sectors);
  const uint64_t least = roundUp(addresses.size() * bytes, kSectorBytes);
  return {sectors.size(), std::min<uint64_t>(least, sectors.size()), 0};
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
  std::vector<uint64_t>& places = scratch();
  places.assign(addresses.begin(), addresses.end());
  makeUnique(places);
  return addresses.size() - places.size();
}

}  // namespace musashim::devrt::metrics
