// Whether two contents are the same but for rounding.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diff/tool/run.h"

namespace musashim::diff {

enum class Verdict { kSame, kRounding, kDifferent };

// Elements x of a and y of b agree when |x - y| <= t (max(|x|, |y|) + m). m is the mean of the magnitudes of
// the whole, and t = 4 e sqrt(n) with the type's distance e from 1 to the next number, and n roundings: so
// errors grow in a sum of n terms of either sign. Integers and bytes agree when they are equal.
//
// The n of a kernel is, for want of its code, the elements that it could read over the square root of those
// that it wrote: the length of the sums of a product of matrices, and of a reduction; what its inputs carry
// comes on top.
struct Tolerance {
  double roundings = 1;  // n
  double factor = 1;     // the user's

  double relative(Type type) const;
};

struct Element {
  size_t index;
  double a, b;
};

struct Comparison {
  Verdict verdict = Verdict::kSame;
  Type type = Type::kUnknown;
  size_t count = 0;       // elements in all
  size_t different = 0;   // elements that differ; blocks of elements when there is no content
  bool byBlocks = false;  // the sketches alone were compared
  double worst = 0;       // largest difference over what is tolerated
  double relative = 0;    // t
  double magnitude = 0;   // m
  std::vector<Element>
      elements;  // the first that differ; the first of each block that does, with the blocks' sums
  std::string note;
};

// What `a` and `b` have after an event.
Comparison compareAfter(const Run& runA, const Touched& a, const Run& runB, const Touched& b,
                        const Tolerance& tolerance);

}  // namespace musashim::diff
