// ducc's transforms, compiled once for each level of processors (MUSASHIM_DUCC_ENTRY names this one). All but
// the entry is local to the object that becomes of it.
#include <complex>
#include <cstddef>
#include <vector>

#include "ducc0/fft/fft.h"
#include "ducc0/fft/fft1d_impl.h"
#include "ducc0/fft/fftnd_impl.h"
#include "ducc0/infra/mav.cc"
#include "ducc0/infra/string_utils.cc"
#include "ducc0/infra/threading.cc"
#include "libs/ducc/transform.h"

namespace {

using musashim::libs::Transform;
using musashim::libs::TransformKind;

template <class T>
void run(const Transform& t, const void* in, void* out) {
  using Complex = std::complex<T>;
  using Shape = std::vector<size_t>;
  using Strides = std::vector<ptrdiff_t>;
  Shape full(t.length, t.length + t.dimensions), half = full, axes;
  half.back() = full.back() / 2 + 1;
  for (size_t axis = 1; axis < t.dimensions; ++axis) axes.push_back(axis);
  const Strides inStrides(t.in, t.in + t.dimensions), outStrides(t.out, t.out + t.dimensions);
  const auto complexIn = [&](const Shape& shape) {
    return ducc0::cfmav<Complex>(static_cast<const Complex*>(in), shape, inStrides);
  };
  const auto complexOut = [&](const Shape& shape) {
    return ducc0::vfmav<Complex>(static_cast<Complex*>(out), shape, outStrides);
  };
  switch (t.kind) {
    case TransformKind::kComplex:
      ducc0::c2c(complexIn(full), complexOut(full), axes, t.forward, T(1), 1);
      return;
    case TransformKind::kRealToComplex:
      ducc0::r2c(ducc0::cfmav<T>(static_cast<const T*>(in), full, inStrides), complexOut(half), axes,
                 t.forward, T(1), 1);
      return;
    case TransformKind::kComplexToReal:
      ducc0::c2r(complexIn(half), ducc0::vfmav<T>(static_cast<T*>(out), full, outStrides), axes, t.forward,
                 T(1), 1);
      return;
  }
}

}  // namespace

extern "C" void MUSASHIM_DUCC_ENTRY(const Transform* description, const void* in, void* out) {
  if (description->isDouble) return run<double>(*description, in, out);
  run<float>(*description, in, out);
}
