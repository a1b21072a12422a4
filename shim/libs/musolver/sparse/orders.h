// Orders of the rows and columns of sparse matrices.
#pragma once

#include <cstddef>
#include <vector>

namespace musashim::musolver {

// Where a matrix has elements: rows of column numbers from 0.
using Pattern = std::vector<std::vector<int>>;

Pattern patternOf(int rows, const int* offsets, const int* ends, const int* columns, int base);
// Of A + A^T, without the diagonal.
Pattern neighbours(const Pattern& pattern);

// Each returns the old number of every new row. For symmetric matrices, by their neighbours:
std::vector<int> reverseCuthillMcKee(const Pattern& graph);  // elements near the diagonal
std::vector<int> minimumDegree(const Pattern& graph);        // few new elements in factors
std::vector<int> nestedDissection(const Pattern& graph);     // the same, from separators

// Rows that have an element in each column, as many as there are; -1 where none is left. `matched` counts
// them.
std::vector<int> matchRows(const Pattern& pattern, int columns, int& matched);

}  // namespace musashim::musolver
