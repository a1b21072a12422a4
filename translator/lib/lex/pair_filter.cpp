#include "translator/lib/lex/pair_filter.h"

#include <limits>
#include <utility>

namespace musashim::translator {
namespace {

using Seconds = std::bitset<PairFilter::kBytes>;

/// First bytes that share their second ones.
struct Group {
  Seconds firsts;
  Seconds seconds;
};

/// How many pairs that no word has come with the two as one.
std::size_t costOfUniting(const Group& one, const Group& other) {
  const Seconds all = one.seconds | other.seconds;
  return one.firsts.count() * (all & ~one.seconds).count() +
         other.firsts.count() * (all & ~other.seconds).count();
}

void uniteCheapest(std::vector<Group>& groups) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::pair<std::size_t, std::size_t> best;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const std::size_t cost = costOfUniting(groups[k], groups[i]);
      if (cost < least) least = cost, best = {k, i};
    }
  }
  groups[best.first].firsts |= groups[best.second].firsts;
  groups[best.first].seconds |= groups[best.second].seconds;
  groups[best.second] = groups.back();
  groups.pop_back();
}

}  // namespace

PairFilter::PairFilter(const std::vector<Pairs>& pairs) {
  std::vector<Group> groups;
  for (const Pairs& pair : pairs) {
    groups.push_back({{}, pair.seconds});
    groups.back().firsts.set(pair.first);
  }
  while (groups.size() > kGroups) uniteCheapest(groups);
  for (unsigned g = 0; g < groups.size(); ++g) {
    const auto bit = static_cast<std::uint8_t>(1U << g);
    for (unsigned c = 0; c < kBytes; ++c) {
      if (groups[g].firsts[c]) firsts_[c] |= bit, firstLow_[c % 16] |= bit, firstHigh_[c / 16] |= bit;
      if (groups[g].seconds[c]) seconds_[c] |= bit, secondLow_[c % 16] |= bit, secondHigh_[c / 16] |= bit;
    }
  }
}

}  // namespace musashim::translator
