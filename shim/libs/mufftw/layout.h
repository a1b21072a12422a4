// Where FFTW's arguments say that the numbers of a transform lie, and the same in muFFT's words.
#pragma once

#include <mufft.h>

#include <optional>
#include <vector>

namespace musashim::mufftw {

enum class Kind { kComplex, kRealToComplex, kComplexToReal };

// As FFTW's guru interface has it: a length, and the distance of its elements on both sides, in elements of
// the side.
struct Dimension {
  long long length = 1, in = 0, out = 0;
};

struct Layout {
  std::vector<Dimension> dimensions;  // the last one is halved on the complex side of a real transform
  Dimension batch;
};

// An array without gaps; `inPlace`: of a real transform, whose lines of numbers are then as long as those of
// pairs.
Layout denseLayout(Kind kind, int rank, const int* n, bool inPlace);

// Lengths of whole arrays (null: of denseLayout()), and the distances of elements and members.
struct Side {
  const int* embed = nullptr;
  int stride = 1, distance = 0;
};
Layout embeddedLayout(Kind kind, int rank, const int* n, int batch, const Side& in, const Side& out,
                      bool inPlace);

// What mufftMakePlanMany64() takes.
struct Description {
  int rank = 0;
  std::vector<long long> n, inEmbed, outEmbed;
  long long inStride = 1, outStride = 1, inDistance = 0, outDistance = 0, batch = 1;
};

// Nothing where muFFT cannot say it: a dimension's distance must be a multiple of the next one's.
std::optional<Description> describe(Kind kind, Layout layout);

}  // namespace musashim::mufftw
