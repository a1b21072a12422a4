#include "libs/musolver/sparse/orders.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>

namespace musashim::musolver {
namespace {

// The vertices of `inside` that are reached from `start`, by their distance: levels[i] are i steps away.
std::vector<std::vector<int>> levelsFrom(const Pattern& graph, int start, const std::vector<char>& inside) {
  std::vector<char> seen(graph.size(), 0);
  std::vector<std::vector<int>> levels{{start}};
  seen[static_cast<size_t>(start)] = 1;
  for (;;) {
    std::vector<int> next;
    for (const int vertex : levels.back())
      for (const int other : graph[static_cast<size_t>(vertex)])
        if (inside[static_cast<size_t>(other)] && !seen[static_cast<size_t>(other)]) {
          seen[static_cast<size_t>(other)] = 1;
          next.push_back(other);
        }
    if (next.empty()) return levels;
    levels.push_back(std::move(next));
  }
}

// A vertex at the graph's edge: the farthest one of the farthest.
std::vector<std::vector<int>> longestLevels(const Pattern& graph, int start,
                                            const std::vector<char>& inside) {
  auto levels = levelsFrom(graph, start, inside);
  for (int turn = 0; turn < 4; ++turn) {
    const auto least = std::min_element(levels.back().begin(), levels.back().end(), [&](int a, int b) {
      return graph[static_cast<size_t>(a)].size() < graph[static_cast<size_t>(b)].size();
    });
    auto others = levelsFrom(graph, *least, inside);
    if (others.size() <= levels.size()) break;
    levels = std::move(others);
  }
  return levels;
}

void dissect(const Pattern& graph, const std::vector<int>& vertices, std::vector<int>& order) {
  constexpr size_t kSmall = 8;
  if (vertices.size() <= kSmall) {
    order.insert(order.end(), vertices.begin(), vertices.end());
    return;
  }
  std::vector<char> inside(graph.size(), 0);
  for (const int vertex : vertices) inside[static_cast<size_t>(vertex)] = 1;
  const auto levels = longestLevels(graph, vertices.front(), inside);
  // The middle level separates what is nearer from what is farther; what was not reached is a part of its
  // own.
  const size_t middle = levels.size() / 2;
  std::vector<int> near, far, rest;
  for (size_t i = 0; i < levels.size(); ++i)
    for (const int vertex : levels[i]) {
      inside[static_cast<size_t>(vertex)] = 0;
      if (i != middle) (i < middle ? near : far).push_back(vertex);
    }
  for (const int vertex : vertices)
    if (inside[static_cast<size_t>(vertex)]) rest.push_back(vertex);
  if (near.empty() && far.empty() && rest.empty()) {
    order.insert(order.end(), vertices.begin(), vertices.end());
    return;
  }
  for (const auto* part : {&near, &far, &rest})
    if (!part->empty()) dissect(graph, *part, order);
  order.insert(order.end(), levels[middle].begin(), levels[middle].end());
}

}  // namespace

Pattern patternOf(int rows, const int* offsets, const int* ends, const int* columns, int base) {
  Pattern pattern(static_cast<size_t>(std::max(0, rows)));
  for (int row = 0; row < rows; ++row)
    for (int k = offsets[row] - base; k < ends[row] - base; ++k)
      pattern[static_cast<size_t>(row)].push_back(columns[k] - base);
  return pattern;
}

Pattern neighbours(const Pattern& pattern) {
  Pattern graph(pattern.size());
  for (size_t row = 0; row < pattern.size(); ++row)
    for (const int column : pattern[row]) {
      if (static_cast<size_t>(column) == row) continue;
      graph[row].push_back(column);
      graph[static_cast<size_t>(column)].push_back(static_cast<int>(row));
    }
  for (auto& row : graph) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return graph;
}

std::vector<int> reverseCuthillMcKee(const Pattern& graph) {
  std::vector<int> order;
  std::vector<char> inside(graph.size(), 1);
  const auto degree = [&](int vertex) { return graph[static_cast<size_t>(vertex)].size(); };
  for (size_t first = 0; first < graph.size(); ++first) {
    if (!inside[first]) continue;
    const auto levels = longestLevels(graph, static_cast<int>(first), inside);
    const auto edge = levelsFrom(graph, levels.back().front(), inside).front().front();
    size_t next = order.size();
    order.push_back(edge);
    inside[static_cast<size_t>(edge)] = 0;
    for (; next < order.size(); ++next) {
      std::vector<int> found;
      for (const int other : graph[static_cast<size_t>(order[next])])
        if (inside[static_cast<size_t>(other)]) {
          inside[static_cast<size_t>(other)] = 0;
          found.push_back(other);
        }
      std::sort(found.begin(), found.end(),
                [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
      order.insert(order.end(), found.begin(), found.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Vertices that are gone are kept as cliques of their neighbours; degrees are counted by the cliques' sizes.
std::vector<int> minimumDegree(const Pattern& graph) {
  const size_t n = graph.size();
  std::vector<std::vector<int>> edges(graph), cliquesOf(n), cliques;
  std::vector<size_t> degree(n);
  std::set<std::pair<size_t, int>> queue;
  for (size_t i = 0; i < n; ++i) queue.emplace(degree[i] = edges[i].size(), static_cast<int>(i));
  std::vector<char> gone(n, 0), mark(n, 0);
  std::vector<int> order;
  while (!queue.empty()) {
    const int vertex = queue.begin()->second;
    const auto at = static_cast<size_t>(vertex);
    queue.erase(queue.begin());
    gone[at] = 1;
    order.push_back(vertex);
    // All that the vertex reached now reach each other.
    std::vector<int> reached;
    const auto take = [&](int other) {
      const auto i = static_cast<size_t>(other);
      if (gone[i] || mark[i]) return;
      mark[i] = 1;
      reached.push_back(other);
    };
    for (const int other : edges[at]) take(other);
    for (const int clique : cliquesOf[at]) {
      for (const int other : cliques[static_cast<size_t>(clique)]) take(other);
      cliques[static_cast<size_t>(clique)].clear();  // the new one holds it
    }
    const int made = static_cast<int>(cliques.size());
    cliques.push_back(reached);
    for (const int other : reached) {
      const auto i = static_cast<size_t>(other);
      auto& own = cliquesOf[i];
      std::erase_if(own, [&](int clique) { return cliques[static_cast<size_t>(clique)].empty(); });
      own.push_back(made);
      std::erase_if(edges[i],
                    [&](int to) { return mark[static_cast<size_t>(to)] || gone[static_cast<size_t>(to)]; });
      queue.erase({degree[i], other});
      degree[i] = edges[i].size();
      for (const int clique : own) degree[i] += cliques[static_cast<size_t>(clique)].size() - 1;
      queue.emplace(degree[i], other);
    }
    for (const int other : reached) mark[static_cast<size_t>(other)] = 0;
  }
  return order;
}

std::vector<int> nestedDissection(const Pattern& graph) {
  std::vector<int> all(graph.size()), order;
  std::iota(all.begin(), all.end(), 0);
  dissect(graph, all, order);
  return order;
}

std::vector<int> matchRows(const Pattern& pattern, int columns, int& matched) {
  std::vector<int> rowOf(static_cast<size_t>(columns), -1);
  std::vector<int> seenFor(static_cast<size_t>(columns), -1);
  matched = 0;
  for (int row = 0; row < static_cast<int>(pattern.size()); ++row) {
    // A path from the row over columns whose rows can move on; kept by hand, as it may be long.
    struct Step {
      int row;
      size_t next;
    };
    std::vector<Step> path{{row, 0}};
    std::vector<int> taken;
    while (!path.empty()) {
      Step& step = path.back();
      const auto& row_ = pattern[static_cast<size_t>(step.row)];
      if (step.next == row_.size()) {
        path.pop_back();
        if (!taken.empty()) taken.pop_back();
        continue;
      }
      const int column = row_[step.next++];
      if (seenFor[static_cast<size_t>(column)] == row) continue;
      seenFor[static_cast<size_t>(column)] = row;
      taken.push_back(column);
      const int holder = rowOf[static_cast<size_t>(column)];
      if (holder < 0) {
        for (size_t i = 0; i < path.size(); ++i) rowOf[static_cast<size_t>(taken[i])] = path[i].row;
        ++matched;
        break;
      }
      path.push_back({holder, 0});
    }
  }
  return rowOf;
}

}  // namespace musashim::musolver
