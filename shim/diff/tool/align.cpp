#include "diff/tool/align.h"

#include <algorithm>

namespace musashim::diff {
namespace {

// Beyond so many events of one run alone, what follows is not aligned any more.
constexpr size_t kMostDifferences = 2000;

}  // namespace

// E. Myers, "An O(ND) difference algorithm and its variations", 1986.
std::vector<Pair> align(const std::vector<Event>& a, const std::vector<Event>& b) {
  const auto n = static_cast<long>(a.size()), m = static_cast<long>(b.size());
  const long most = std::min<long>(n + m, kMostDifferences);
  std::vector<long> furthest(static_cast<size_t>(2 * most + 3), 0);
  const auto at = [&](std::vector<long>& from, long diagonal) -> long& {
    return from[static_cast<size_t>(diagonal + most + 1)];
  };
  std::vector<std::vector<long>> steps;
  long distance = 0, x = 0, y = 0;
  for (bool done = false; !done && distance <= most; distance += done ? 0 : 1) {
    steps.push_back(furthest);
    for (long k = -distance; k <= distance; k += 2) {
      const bool down = k == -distance || (k != distance && at(furthest, k - 1) < at(furthest, k + 1));
      x = down ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      y = x - k;
      while (x < n && y < m && a[static_cast<size_t>(x)].key == b[static_cast<size_t>(y)].key) ++x, ++y;
      at(furthest, k) = x;
      done = x >= n && y >= m;
      if (done) break;
    }
  }
  std::vector<Pair> pairs;
  if (distance > most) {  // from the beginning, as far as they go alike
    x = y = 0;
    for (; x < n && x < m && a[static_cast<size_t>(x)].key == b[static_cast<size_t>(x)].key; ++x)
      pairs.push_back({static_cast<size_t>(x), static_cast<size_t>(x)});
    for (y = x; x < n; ++x) pairs.push_back({static_cast<size_t>(x), std::nullopt});
    for (; y < m; ++y) pairs.push_back({std::nullopt, static_cast<size_t>(y)});
    return pairs;
  }
  x = n, y = m;
  for (long d = distance; d >= 0; --d) {
    std::vector<long>& before = steps[static_cast<size_t>(d)];
    const long k = x - y;
    const bool down = k == -d || (k != d && at(before, k - 1) < at(before, k + 1));
    const long from = d == 0 ? 0 : down ? at(before, k + 1) : at(before, k - 1);
    const long startX = d == 0 ? 0 : down ? from : from + 1, startY = startX - k;
    while (x > startX && y > startY) {
      --x, --y;
      pairs.push_back({static_cast<size_t>(x), static_cast<size_t>(y)});
    }
    if (d == 0) break;
    if (down)
      pairs.push_back({std::nullopt, static_cast<size_t>(--y)});
    else
      pairs.push_back({static_cast<size_t>(--x), std::nullopt});
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace musashim::diff
