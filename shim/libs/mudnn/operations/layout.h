// Elements moved, chosen and counted.
#pragma once

#include <mudnncxx/mudnn_layout.h>

#include <atomic>
#include <memory>
#include <vector>

#include "libs/mudnn/operations/elementwise/elementwise.h"

namespace musashim::mudnn {

// As they are: the same values in the other's type and strides.
Work copy(const Array& out, const Array& in);
Work concatenate(int axis, const Array& out, const std::vector<Array>& inputs);
Work pad(musa::dnn::Pad::Mode mode, const Scalar& value, const std::vector<int>& pads, const Array& out,
         const Array& in);
Work gather(int axis, int batchDims, const Array& out, const Array& indices, const Array& in);
Work scatter(musa::dnn::Scatter::Mode mode, int dimension, const Array& out, const Array& indices,
             const Array& source);
Work scatterSlices(musa::dnn::Scatter::Mode mode, const Array& out, const Array& indices,
                   const Array& updates);
Work maskedScatter(const Array& inOut, const Array& mask, const Array& source);

// The work says here how many it has found.
using Found = std::shared_ptr<std::atomic<int64_t>>;
Work nonzero(const Array& out, const Array& in, const Found& found);
Work maskedSelect(const Array& out, const Array& in, const Array& mask, const Found& found);
Work unique(musa::dnn::Unique::Mode mode, const Array& values, const Array& indices, const Array& counts,
            const Array& in, const Found& found);

}  // namespace musashim::mudnn
