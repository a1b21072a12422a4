// muComplex.h on host and device, against complex numbers of long double.
#include <muComplex.h>
#include <musa_runtime.h>

#include <cfloat>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

using Wide = std::complex<long double>;

template <class Complex>
struct Results {
  Complex sum, difference, product, quotient, conjugate, fused;
  decltype(Complex::x) absolute;
};

__host__ __device__ void compute(muFloatComplex a, muFloatComplex b, muFloatComplex c,
                                 Results<muFloatComplex>& r) {
  r.sum = muCaddf(a, b);
  r.difference = muCsubf(a, b);
  r.product = muCmulf(a, b);
  r.quotient = muCdivf(a, b);
  r.conjugate = muConjf(a);
  r.fused = muCfmaf(a, b, c);
  r.absolute = muCabsf(a);
}
__host__ __device__ void compute(muDoubleComplex a, muDoubleComplex b, muDoubleComplex c,
                                 Results<muDoubleComplex>& r) {
  r.sum = muCadd(a, b);
  r.difference = muCsub(a, b);
  r.product = muCmul(a, b);
  r.quotient = muCdiv(a, b);
  r.conjugate = muConj(a);
  r.fused = muCfma(a, b, c);
  r.absolute = muCabs(a);
}

template <class Complex>
__global__ void computeAll(const Complex* a, const Complex* b, Results<Complex>* results, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) compute(a[i], b[i], a[count - 1 - i], results[i]);
}

static int failures = 0;

template <class Complex>
struct Checker {
  using Real = decltype(Complex::x);

  static Wide wide(Complex z) { return {z.x, z.y}; }

  // Within `ulps` of the larger part: cancellation may cost a part all its places.
  static void near(Complex have, Wide want, long double scale, int ulps, const char* what, Complex a,
                   Complex b) {
    const long double most = std::numeric_limits<Real>::max();
    // At the border of what the type holds, either answer may be right.
    if (std::abs(want) > most / 4 || scale > most / 4) return;
    const long double unit =
        std::fmax(scale * std::numeric_limits<Real>::epsilon(), std::numeric_limits<Real>::denorm_min());
    if (std::abs(wide(have) - want) <= unit * ulps) return;
    if (++failures < 20) {
      std::printf("wrong: %s of (%g, %g) and (%g, %g): (%g, %g), not (%Lg, %Lg)\n", what, double(a.x),
                  double(a.y), double(b.x), double(b.y), double(have.x), double(have.y), want.real(),
                  want.imag());
    }
  }

  static Wide divide(Wide a, Wide b) {
    // long double has exponents for all of it.
    const long double square = b.real() * b.real() + b.imag() * b.imag();
    return {(a.real() * b.real() + a.imag() * b.imag()) / square,
            (a.imag() * b.real() - a.real() * b.imag()) / square};
  }

  static void check(Complex a, Complex b, Complex c, const Results<Complex>& r) {
    const Wide x = wide(a), y = wide(b), z = wide(c);
    near(r.sum, x + y, std::abs(x + y), 1, "sum", a, b);
    near(r.difference, x - y, std::abs(x - y), 1, "difference", a, b);
    near(r.conjugate, std::conj(x), 0, 0, "conjugate", a, b);
    const Wide product{x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
    near(r.product, product, std::abs(x) * std::abs(y), 3, "product", a, b);
    near(r.fused, product + z, std::abs(x) * std::abs(y) + std::abs(z), 4, "fused", a, b);
    if (y != Wide{}) near(r.quotient, divide(x, y), std::abs(divide(x, y)), 6, "quotient", a, b);
    Complex absolute = {r.absolute, 0};
    near(absolute, Wide{std::abs(x), 0}, std::abs(x), 2, "absolute", a, b);
  }
};

// From the smallest to the largest numbers, with signs and zeros.
template <class Complex>
static std::vector<Complex> numbers() {
  using Real = decltype(Complex::x);
  using Limits = std::numeric_limits<Real>;
  const Real values[] = {
      0, Limits::denorm_min(),     Limits::min(),           Limits::min() * 3,  static_cast<Real>(1e-20),
      1, static_cast<Real>(-3.25), static_cast<Real>(1e20), -Limits::max() / 3, Limits::max()};
  std::vector<Complex> all;
  for (Real x : values) {
    for (Real y : values) all.push_back({x, y});
  }
  return all;
}

template <class Complex>
static void checkAll() {
  std::vector<Complex> a, b;
  for (Complex x : numbers<Complex>()) {
    for (Complex y : numbers<Complex>()) a.push_back(x), b.push_back(y);
  }
  unsigned long long state = 7;
  auto next = [&] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<decltype(Complex::x)>(static_cast<double>(static_cast<long long>(state)) / 9e18);
  };
  for (int i = 0; i < 5000; ++i) {
    const auto p = next(), q = next(), r = next(), s = next();
    a.push_back({p, q}), b.push_back({r, s});
  }
  const size_t count = a.size();
  Complex *x = nullptr, *y = nullptr;
  Results<Complex>* results = nullptr;
  musaMallocManaged(&x, count * sizeof(Complex));
  musaMallocManaged(&y, count * sizeof(Complex));
  musaMallocManaged(&results, count * sizeof(Results<Complex>));
  for (size_t i = 0; i < count; ++i) x[i] = a[i], y[i] = b[i];
  computeAll<<<static_cast<unsigned>(count / 128 + 1), 128>>>(x, y, results, static_cast<int>(count));
  if (musaDeviceSynchronize() != musaSuccess) ++failures;
  for (size_t i = 0; i < count; ++i) {
    Results<Complex> onHost;
    compute(a[i], b[i], a[count - 1 - i], onHost);
    Checker<Complex>::check(a[i], b[i], a[count - 1 - i], onHost);
    Checker<Complex>::check(a[i], b[i], a[count - 1 - i], results[i]);
  }
}

int main() {
  checkAll<muFloatComplex>();
  checkAll<muDoubleComplex>();
  const muComplex z = make_muComplex(1.5f, -2);
  const muDoubleComplex d = muComplexFloatToDouble(z);
  const muFloatComplex f = muComplexDoubleToFloat(make_muDoubleComplex(1e-60, 3));
  if (muCrealf(z) != 1.5f || muCimagf(z) != -2 || muCreal(d) != 1.5 || muCimag(d) != -2 || f.x != 0 ||
      f.y != 3)
    ++failures;
  if (!std::isinf(muCabsf(make_muFloatComplex(-INFINITY, 1))) ||
      !std::isnan(muCabs(make_muDoubleComplex(NAN, 1))))
    ++failures;
  if (muCabsf(make_muFloatComplex(FLT_MAX, FLT_MIN)) != FLT_MAX ||
      muCabs(make_muDoubleComplex(3e-320, 4e-320)) == 0)
    ++failures;
  if (failures == 0) std::puts("passed");
  return failures != 0;
}
