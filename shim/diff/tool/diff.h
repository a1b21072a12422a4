// Where two runs first differ.
#pragma once

#include <string>
#include <vector>

#include "diff/tool/align.h"
#include "diff/tool/compare.h"

namespace musashim::diff {

// What two events wrote to one allocation.
struct Output {
  int a = 0, b = 0;   // the allocation's numbers in the runs
  std::string where;  // "argument 2 (float*)", "variable gain", ...
  Comparison comparison;
};

// What became of a pair of events.
struct Step {
  Pair pair;
  bool differs = false;
  bool inputsAgree = true;
  bool argumentsAgree = true;   // those that are no pointers
  std::vector<Output> outputs;  // all that was written; nothing when a run has no such event
};

struct Result {
  std::vector<Step> steps;          // in order
  std::vector<size_t> differences;  // those of them that differ; the first decides
  size_t aligned = 0, rounded = 0;  // pairs of events; of them those that differ by rounding alone
  double worst = 0;                 // of all that agree, over what is tolerated
};

Result diff(const Run& a, const Run& b, double factor);

std::string textOf(const Run& a, const Run& b, const Result& result, bool all);
std::string jsonOf(const Run& a, const Run& b, const Result& result);

}  // namespace musashim::diff
