// Long transforms of one dimension in four steps, as D. H. Bailey has it ("FFTs in External or Hierarchical
// Memory", 1990): short ones of columns, a turn of each element, short ones of rows, which end up where they
// belong. So memory is gone through a few times only, and the short ones can be shared out.
#pragma once

#include <cstddef>

#include "libs/ducc/transform.h"

namespace musashim::mufft {

// How many rows a transform of this length is best cut into; 0: it is best left whole.
size_t rowsOfLong(const libs::Transform& transform);

// One member of the batch.
void transformLong(const libs::Transform& transform, size_t rows, const void* in, void* out);

}  // namespace musashim::mufft
