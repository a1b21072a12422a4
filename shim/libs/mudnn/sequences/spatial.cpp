#include "libs/mudnn/sequences/spatial.h"

#include <algorithm>
#include <cmath>

#include "libs/mudnn/core/elements.h"
#include "libs/mudnn/core/values.h"
#include "libs/mudnn/operations/convolution.h"

namespace musashim::mudnn {

Dims sizesAfter(const TensorTransform& transform, const Array& from) {
  Dims sizes{};
  int64_t folded = 1;
  for (size_t i = 0; i < static_cast<size_t>(from.rank); ++i) {
    const int64_t pads = transform.before[i] + transform.after[i];
    sizes[i] = transform.unfolds ? from.sizes[i] * transform.fold[i] + pads : from.sizes[i] + pads;
    if (i < 2) continue;
    folded *= transform.fold[i];
    if (!transform.unfolds) sizes[i] = (sizes[i] + transform.fold[i] - 1) / transform.fold[i];
  }
  if (transform.unfolds) {
    require(from.sizes[1] % folded == 0, "channels do not unfold evenly");
    sizes[1] = from.sizes[1] / folded + transform.before[1] + transform.after[1];
  } else {
    sizes[1] *= folded;
  }
  return sizes;
}

Work transformed(const TensorTransform& transform, const Array& to, const Array& from) {
  const Dims sizes = sizesAfter(transform, from);
  require(to.rank == from.rank && std::equal(sizes.begin(), sizes.begin() + to.rank, to.sizes.begin()),
          "the destination has other sizes than the transform makes");
  return [=] {
    const Input<double> in(from);
    std::vector<double> result(static_cast<size_t>(to.count()));
    const auto rank = static_cast<size_t>(from.rank);
    Dims at{};
    for (int64_t index = 0; index < to.count(); ++index) {
      int64_t rest = index;
      for (size_t i = rank; i-- > 0;) {
        at[i] = rest % to.sizes[i];
        rest /= to.sizes[i];
      }
      // Where the element was: which part of a fold it is of tells the channels, all of one part behind each
      // other. Pads of places are around what is folded, and around what was unfolded. Pads of channels are
      // around all parts, and where it unfolds parts begin by the output's channels with its pads, as
      // recorded.
      Dims source = at;
      source[0] -= transform.before[0];
      source[1] -= transform.before[1];
      bool isInside = source[1] >= 0;
      int64_t part = 0;
      if (transform.unfolds) {
        for (size_t i = 2; i < rank; ++i) {
          source[i] -= transform.before[i];
          isInside = isInside && source[i] >= 0;
          part = part * transform.fold[i] + source[i] % transform.fold[i];
          source[i] /= transform.fold[i];
        }
        source[1] += part * to.sizes[1];
      } else {
        part = source[1] / std::max<int64_t>(from.sizes[1], 1);
        source[1] %= std::max<int64_t>(from.sizes[1], 1);
        for (size_t i = rank; i-- > 2; part /= transform.fold[i])
          source[i] = at[i] * transform.fold[i] + part % transform.fold[i] - transform.before[i];
        isInside = isInside && part == 0;  // else it is a pad behind all parts
      }
      for (size_t i = 0; i < rank; ++i) isInside = isInside && source[i] >= 0 && source[i] < from.sizes[i];
      int64_t place = 0;
      for (size_t i = 0; i < rank; ++i) place = place * from.sizes[i] + source[i];
      if (isInside) result[static_cast<size_t>(index)] = in[place];
    }
    writePart(to, 0, to.count(), result.data());
  };
}

Work imageToColumns(const Windows& windows, void* columns, const Array& x, const Array& filter) {
  require(x.rank == 4 && filter.rank == 4 && windows.pads.size() == 2, "an image has four dimensions");
  require(x.sizes[1] == filter.sizes[1], "the filter has another number of channels");
  const int64_t height = placesAfter(x.sizes[2], filter.sizes[2], windows.pads[0], windows.strides[0],
                                     windows.dilations[0]),
                width = placesAfter(x.sizes[3], filter.sizes[3], windows.pads[1], windows.strides[1],
                                    windows.dilations[1]);
  return [=] {
    const Input<double> in(x);
    const int64_t sizes[] = {x.sizes[1] * filter.sizes[2] * filter.sizes[3], x.sizes[0] * height * width};
    std::vector<double> result(static_cast<size_t>(sizes[0] * sizes[1]));
    size_t index = 0;
    for (int64_t row = 0; row < sizes[0]; ++row) {
      const int64_t c = row / (filter.sizes[2] * filter.sizes[3]),
                    r = row / filter.sizes[3] % filter.sizes[2], s = row % filter.sizes[3];
      for (int64_t column = 0; column < sizes[1]; ++column) {
        const int64_t n = column / (height * width), p = column / width % height, q = column % width;
        const int64_t h = p * windows.strides[0] - windows.pads[0] + r * windows.dilations[0],
                      w = q * windows.strides[1] - windows.pads[1] + s * windows.dilations[1];
        const bool isInside = h >= 0 && h < x.sizes[2] && w >= 0 && w < x.sizes[3];
        result[index++] = isInside ? in[((n * x.sizes[1] + c) * x.sizes[2] + h) * x.sizes[3] + w] : 0;
      }
    }
    writePart(contiguousArray(x.element, columns, 2, sizes), 0, sizes[0] * sizes[1], result.data());
  };
}

namespace {

// From -1 to 1.
double ordinate(int64_t index, int64_t count) {
  return count == 1 ? 0 : -1 + 2.0 * static_cast<double>(index) / static_cast<double>(count - 1);
}

Array rowOf(Element element, const void* data, int64_t count) {
  return contiguousArray(element, const_cast<void*>(data), 1, &count);
}

// The four elements around a place and their shares, and how the shares change with the place.
struct Corner {
  int64_t h, w;
  double share, byX, byY;
};
std::array<Corner, 4> cornersOf(double x, double y, int64_t height, int64_t width) {
  const double w = (x + 1) * static_cast<double>(width - 1) / 2,
               h = (y + 1) * static_cast<double>(height - 1) / 2;
  const double left = std::floor(w), top = std::floor(h), right = w - left, bottom = h - top;
  const double stepX = static_cast<double>(width - 1) / 2, stepY = static_cast<double>(height - 1) / 2;
  std::array<Corner, 4> corners{};
  for (size_t i = 0; i < 4; ++i) {
    const bool isRight = i % 2, isBottom = i / 2;
    const double shareX = isRight ? right : 1 - right, shareY = isBottom ? bottom : 1 - bottom;
    corners[i] = {static_cast<int64_t>(top) + isBottom, static_cast<int64_t>(left) + isRight, shareX * shareY,
                  (isRight ? stepX : -stepX) * shareY, (isBottom ? stepY : -stepY) * shareX};
  }
  return corners;
}

void check(const SpatialGrid& grid, const Array& in, const Array& out) {
  require(in.rank == 4 && out.rank == 4, "an image has four dimensions");
  require(in.sizes[0] == grid.batch && out.sizes[0] == grid.batch && in.sizes[1] == out.sizes[1] &&
              out.sizes[2] == grid.height && out.sizes[3] == grid.width,
          "the images do not fit the grid");
}

}  // namespace

Work spatialGrid(const SpatialGrid& grid, const void* theta, void* places) {
  return [=] {
    const Input<double> t(rowOf(grid.element, theta, grid.batch * 6));
    std::vector<double> result;
    for (int64_t n = 0; n < grid.batch; ++n)
      for (int64_t h = 0; h < grid.height; ++h)
        for (int64_t w = 0; w < grid.width; ++w)
          for (int64_t i = 0; i < 2; ++i)
            result.push_back(t[n * 6 + i * 3] * ordinate(w, grid.width) +
                             t[n * 6 + i * 3 + 1] * ordinate(h, grid.height) + t[n * 6 + i * 3 + 2]);
    const Array to = rowOf(grid.element, places, static_cast<int64_t>(result.size()));
    writePart(to, 0, to.count(), result.data());
  };
}

Work spatialGridBackward(const SpatialGrid& grid, const void* gradient, void* ofTheta) {
  return [=] {
    const Input<double> g(rowOf(grid.element, gradient, grid.batch * grid.height * grid.width * 2));
    std::vector<double> result(static_cast<size_t>(grid.batch * 6));
    int64_t at = 0;
    for (int64_t n = 0; n < grid.batch; ++n)
      for (int64_t h = 0; h < grid.height; ++h)
        for (int64_t w = 0; w < grid.width; ++w)
          for (int64_t i = 0; i < 2; ++i, ++at) {
            double* const to = result.data() + n * 6 + i * 3;
            to[0] += g[at] * ordinate(w, grid.width);
            to[1] += g[at] * ordinate(h, grid.height);
            to[2] += g[at];
          }
    const Array to = rowOf(grid.element, ofTheta, grid.batch * 6);
    writePart(to, 0, to.count(), result.data());
  };
}

Work spatialSample(const SpatialGrid& grid, const SpatialSample& s) {
  check(grid, s.in, s.out);
  return [=] {
    const int64_t channels = s.in.sizes[1], height = s.in.sizes[2], width = s.in.sizes[3],
                  all = grid.height * grid.width;
    const Input<double> x(s.in), places(rowOf(grid.element, s.places, grid.batch * all * 2));
    Output<double> y(s.out, s.beta == 0 ? Output<double>::Content::kNew : Output<double>::Content::kKeep);
    for (int64_t n = 0; n < grid.batch; ++n)
      for (int64_t p = 0; p < all; ++p) {
        const auto corners =
            cornersOf(places[(n * all + p) * 2], places[(n * all + p) * 2 + 1], height, width);
        for (int64_t c = 0; c < channels; ++c) {
          double sum = 0;
          for (const Corner& corner : corners)
            if (corner.h >= 0 && corner.h < height && corner.w >= 0 && corner.w < width)
              sum += corner.share * x[((n * channels + c) * height + corner.h) * width + corner.w];
          double& to = y[(n * channels + c) * all + p];
          to = s.alpha * sum + (s.beta == 0 ? 0 : s.beta * to);
        }
      }
    y.store();
  };
}

Work spatialSampleBackward(const SpatialGrid& grid, const SpatialSample& s, const Array& gradIn,
                           void* ofPlaces, double alphaPlaces, double betaPlaces) {
  check(grid, s.in, s.out);
  return [=] {
    const int64_t channels = s.in.sizes[1], height = s.in.sizes[2], width = s.in.sizes[3],
                  all = grid.height * grid.width;
    const Array placesOut = rowOf(grid.element, ofPlaces, grid.batch * all * 2);
    const Input<double> x(s.in), dy(s.out), places(rowOf(grid.element, s.places, grid.batch * all * 2));
    std::vector<double> dx(static_cast<size_t>(s.in.count())), result(static_cast<size_t>(placesOut.count()));
    for (int64_t n = 0; n < grid.batch; ++n)
      for (int64_t p = 0; p < all; ++p) {
        const auto at = static_cast<size_t>((n * all + p) * 2);
        const auto corners =
            cornersOf(places[(n * all + p) * 2], places[(n * all + p) * 2 + 1], height, width);
        for (int64_t c = 0; c < channels; ++c)
          for (const Corner& corner : corners) {
            if (corner.h < 0 || corner.h >= height || corner.w < 0 || corner.w >= width) continue;
            const int64_t place = ((n * channels + c) * height + corner.h) * width + corner.w;
            const double gradient = dy[(n * channels + c) * all + p];
            dx[static_cast<size_t>(place)] += gradient * corner.share;
            result[at] += gradient * x[place] * corner.byX;
            result[at + 1] += gradient * x[place] * corner.byY;
          }
      }
    const auto put = [](const Array& to, const std::vector<double>& values, double alpha, double beta) {
      Output<double> out(to, beta == 0 ? Output<double>::Content::kNew : Output<double>::Content::kKeep);
      for (int64_t i = 0; i < to.count(); ++i)
        out[i] = alpha * values[static_cast<size_t>(i)] + (beta == 0 ? 0 : beta * out[i]);
      out.store();
    };
    put(gradIn, dx, s.alpha, s.beta);
    put(placesOut, result, alphaPlaces, betaPlaces);
  };
}

}  // namespace musashim::mudnn
