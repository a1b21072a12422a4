// links: cufft
// Transforms in place whose elements do not lie side by side, or lie at other places on the two sides: how
// many of the numbers differ from the transform by its definition, and whether the numbers between them were
// left alone.
#include <cufft.h>

#include <cmath>
#include <complex>

#include "../../framework/device_values.h"

CONFORMANCE_CASE("fft.in_place");

typedef std::complex<double> Wide;

// Element (i, j, k) of member b is at b * distance + ((i * embed[1] + j) * embed[2] + k) * stride.
struct Side {
  int stride, distance, embed[3];
};
struct Layout {
  const char* name;
  int rank, n[3], batch;
  Side real, complex;  // in numbers and in pairs of them
};
static const Layout kLayouts[] = {
    {"line", 1, {6}, 4, {8, 2, {6}}, {4, 1, {4}}},
    {"line.odd", 1, {7}, 3, {6, 2, {7}}, {3, 1, {4}}},
    {"line.longer", 1, {300}, 5, {10, 2, {300}}, {5, 1, {151}}},
    {"line.padded", 1, {8}, 3, {1, 12, {12}}, {1, 6, {6}}},
    {"line.default", 1, {8}, 3, {1, 10, {10}}, {1, 5, {5}}},
    {"line.spread", 1, {8}, 3, {2, 32, {16}}, {1, 16, {5}}},
    {"line.one", 1, {1}, 4, {2, 8, {1}}, {1, 4, {1}}},
    {"plane", 2, {4, 6}, 3, {6, 2, {4, 6}}, {3, 1, {4, 6}}},
    {"plane.padded", 2, {4, 6}, 2, {1, 40, {4, 10}}, {1, 20, {4, 5}}},
    {"plane.odd", 2, {5, 7}, 2, {4, 2, {5, 8}}, {2, 1, {5, 8}}},
    {"space", 3, {3, 4, 6}, 2, {4, 2, {3, 4, 6}}, {2, 1, {3, 4, 6}}},
    {"space.padded", 3, {3, 4, 5}, 2, {1, 72, {3, 4, 6}}, {1, 36, {3, 4, 3}}},
};

static size_t placeOf(const Layout& l, const Side& side, int b, const int* at) {
  size_t place = 0;
  for (int axis = 0; axis < l.rank; ++axis)
    place = place * static_cast<size_t>(axis == 0 ? 0 : side.embed[axis]) + static_cast<size_t>(at[axis]);
  return static_cast<size_t>(b) * static_cast<size_t>(side.distance) +
         place * static_cast<size_t>(side.stride);
}

static double inputAt(int b, const int* at) {
  return (b + 2 * at[0] * at[0] + 3 * at[1] + at[2] * (at[1] + 1)) % 7 - 2;
}

template <class Visit>
static void eachIndex(const Layout& l, bool half, Visit visit) {
  int n[3] = {1, 1, 1};
  for (int axis = 0; axis < l.rank; ++axis) n[axis] = l.n[axis];
  if (half) n[l.rank - 1] = n[l.rank - 1] / 2 + 1;
  int at[3];
  for (at[0] = 0; at[0] < n[0]; ++at[0])
    for (at[1] = 0; at[1] < n[1]; ++at[1])
      for (at[2] = 0; at[2] < n[2]; ++at[2]) visit(static_cast<const int*>(at));
}

static Wide byDefinition(const Layout& l, int b, const int* k) {
  Wide sum = 0;
  eachIndex(l, false, [&](const int* j) {
    double turn = 0;
    for (int axis = 0; axis < l.rank; ++axis)
      turn += static_cast<double>(k[axis] * j[axis] % l.n[axis]) / l.n[axis];
    sum += inputAt(b, j) * std::polar(1.0, -2 * std::acos(-1.0) * turn);
  });
  return sum;
}

template <class Real>
static void observeReal(const Layout& l, const std::string& key, cufftType toComplex, cufftType toReal) {
  const Real kUntouched = 77;
  std::vector<Real> values(4096, kUntouched);
  std::vector<char> isComplex(values.size());
  for (int b = 0; b < l.batch; ++b) {
    eachIndex(l, false,
              [&](const int* at) { values[placeOf(l, l.real, b, at)] = static_cast<Real>(inputAt(b, at)); });
    eachIndex(l, true, [&](const int* at) {
      isComplex[2 * placeOf(l, l.complex, b, at)] = isComplex[2 * placeOf(l, l.complex, b, at) + 1] = 1;
    });
  }
  std::vector<char> isInput(values.size());
  for (size_t i = 0; i < values.size(); ++i) isInput[i] = values[i] != kUntouched;
  DeviceValues<Real> data(values);
  Layout copy = l;
  cufftHandle forward = 0, backward = 0;
  OBSERVE(key + ".plan", static_cast<int>(cufftPlanMany(
                             &forward, l.rank, copy.n, copy.real.embed, l.real.stride, l.real.distance,
                             copy.complex.embed, l.complex.stride, l.complex.distance, toComplex, l.batch)));
  OBSERVE(key + ".plan.back",
          static_cast<int>(cufftPlanMany(&backward, l.rank, copy.n, copy.complex.embed, l.complex.stride,
                                         l.complex.distance, copy.real.embed, l.real.stride, l.real.distance,
                                         toReal, l.batch)));
  void* const where = static_cast<Real*>(data);
  OBSERVE(key + ".forward", static_cast<int>(toComplex == CUFFT_R2C
                                                 ? cufftExecR2C(forward, static_cast<cufftReal*>(where),
                                                                static_cast<cufftComplex*>(where))
                                                 : cufftExecD2Z(forward, static_cast<cufftDoubleReal*>(where),
                                                                static_cast<cufftDoubleComplex*>(where))));
  const std::vector<Real> spectrum = data.get();
  int wrong = 0, touched = 0, size = 1;
  for (int axis = 0; axis < l.rank; ++axis) size *= l.n[axis];
  const double near = (sizeof(Real) == 4 ? 1e-4 : 1e-11) * size;
  for (int b = 0; b < l.batch; ++b)
    eachIndex(l, true, [&](const int* at) {
      const size_t place = 2 * placeOf(l, l.complex, b, at);
      wrong += !(std::abs(Wide(spectrum[place], spectrum[place + 1]) - byDefinition(l, b, at)) < near);
    });
  for (size_t i = 0; i < values.size(); ++i)
    touched += !isComplex[i] && !isInput[i] && spectrum[i] != kUntouched;
  OBSERVE(key + ".forward.wrong", wrong);
  OBSERVE(key + ".forward.touched", touched);
  OBSERVE(
      key + ".backward",
      static_cast<int>(toReal == CUFFT_C2R ? cufftExecC2R(backward, static_cast<cufftComplex*>(where),
                                                          static_cast<cufftReal*>(where))
                                           : cufftExecZ2D(backward, static_cast<cufftDoubleComplex*>(where),
                                                          static_cast<cufftDoubleReal*>(where))));
  const std::vector<Real> back = data.get();
  wrong = 0;
  for (int b = 0; b < l.batch; ++b)
    eachIndex(l, false, [&](const int* at) {
      wrong += !(std::abs(back[placeOf(l, l.real, b, at)] - size * inputAt(b, at)) < near);
    });
  OBSERVE(key + ".backward.wrong", wrong);
  cufftDestroy(forward);
  cufftDestroy(backward);
}

// Complex numbers at other places afterwards: one transform, since several would run beside each other.
static void observeComplex(const char* name, int n, int inStride, int outStride) {
  std::vector<float2> values(static_cast<size_t>(n) * 4, make_float2(77, 77));
  const Layout line = {name, 1, {n}, 1, {}, {}};
  for (int i = 0; i < n; ++i) {
    const int at[3] = {i, 0, 0};
    values[static_cast<size_t>(i * inStride)] = make_float2(static_cast<float>(inputAt(0, at)), 0);
  }
  DeviceValues<float2> data(values);
  cufftHandle plan = 0;
  int length[1] = {n};
  const std::string key = std::string("complex.") + name;
  OBSERVE(key + ".plan", static_cast<int>(cufftPlanMany(&plan, 1, length, length, inStride, 1, length,
                                                        outStride, 1, CUFFT_C2C, 1)));
  OBSERVE(key + ".exec", static_cast<int>(cufftExecC2C(plan, data, data, CUFFT_FORWARD)));
  const std::vector<float2> result = data.get();
  int wrong = 0;
  for (int k = 0; k < n; ++k) {
    const int at[3] = {k, 0, 0};
    const float2 got = result[static_cast<size_t>(k * outStride)];
    wrong += !(std::abs(Wide(got.x, got.y) - byDefinition(line, 0, at)) < 1e-4 * n);
  }
  OBSERVE(key + ".wrong", wrong);
  cufftDestroy(plan);
}

int main() {
  for (const Layout& l : kLayouts) {
    observeReal<float>(l, std::string("float.") + l.name, CUFFT_R2C, CUFFT_C2R);
    observeReal<double>(l, std::string("double.") + l.name, CUFFT_D2Z, CUFFT_Z2D);
  }
  observeComplex("same", 12, 2, 2);
  observeComplex("closer", 12, 2, 1);
  observeComplex("wider", 12, 1, 2);
  return 0;
}
