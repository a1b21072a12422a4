// What moves elements to other places: padding and folding, images to columns, sampling by a grid.
#pragma once

#include <vector>

#include "libs/mudnn/core/array.h"

namespace musashim::mudnn {

// Pads in front of and behind each dimension; then each dimension of places becomes so many times shorter,
// and channels so many times more (or the other way).
struct TensorTransform {
  Dims before{}, after{}, fold{};
  bool unfolds = false;
};
Dims sizesAfter(const TensorTransform& transform, const Array& from);  // throws where they cannot be
Work transformed(const TensorTransform& transform, const Array& to, const Array& from);

struct Windows {
  std::vector<int64_t> pads, strides, dilations;
};
// columns: by channel and place in the filter, then by image and place of the output, of the input's type.
Work imageToColumns(const Windows& windows, void* columns, const Array& x, const Array& filter);

// A grid of places in an image: x and y from -1 to 1 (the middles of the first and the last element), by
// image, row and column.
struct SpatialGrid {
  Element element = Element::kFloat;
  int64_t batch = 1, height = 1, width = 1;
};
// theta: two rows of three for each image.
Work spatialGrid(const SpatialGrid& grid, const void* theta, void* places);
Work spatialGridBackward(const SpatialGrid& grid, const void* gradient, void* ofTheta);
struct SpatialSample {
  Array in, out;
  const void* places;
  double alpha = 1, beta = 0;
};
Work spatialSample(const SpatialGrid& grid, const SpatialSample& sample);
// sample.out has the output's gradient; alpha and beta are those of gradIn.
Work spatialSampleBackward(const SpatialGrid& grid, const SpatialSample& sample, const Array& gradIn,
                           void* ofPlaces, double alphaPlaces, double betaPlaces);

}  // namespace musashim::mudnn
