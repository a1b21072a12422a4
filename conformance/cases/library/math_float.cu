// Float mathematical functions: special values exactly, and everywhere within the distance from the correctly
// rounded result that CUDA documents (C++ Programming Guide, "Mathematical Functions Appendix").
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <limits>

#include "../../framework/apply.h"

CONFORMANCE_CASE("library.math_float");

static double rsqrtOf(double x) { return 1.0 / sqrt(x); }
static double rcbrtOf(double x) { return 1.0 / cbrt(x); }
static double sinpiOf(double x) {
  const double rest = remainder(x, 1.0);
  const double value = sin(3.14159265358979323846 * rest);
  return fmod(x - rest, 2.0) != 0 ? -value : value;
}
static double cospiOf(double x) { return sin(3.14159265358979323846 * (0.5 - fabs(remainder(x, 2.0)))); }
static double normcdfOf(double x) { return 0.5 * erfc(x * -0.70710678118654752440); }
static double exp10Of(double x) { return pow(10.0, x); }

APPLY1(float, float, expf);
APPLY1(float, float, exp2f);
APPLY1(float, float, exp10f);
APPLY1(float, float, expm1f);
APPLY1(float, float, logf);
APPLY1(float, float, log2f);
APPLY1(float, float, log10f);
APPLY1(float, float, log1pf);
APPLY1(float, float, sinf);
APPLY1(float, float, cosf);
APPLY1(float, float, tanf);
APPLY1(float, float, asinf);
APPLY1(float, float, acosf);
APPLY1(float, float, atanf);
APPLY1(float, float, sinhf);
APPLY1(float, float, coshf);
APPLY1(float, float, tanhf);
APPLY1(float, float, asinhf);
APPLY1(float, float, acoshf);
APPLY1(float, float, atanhf);
APPLY1(float, float, cbrtf);
APPLY1(float, float, erff);
APPLY1(float, float, erfcf);
APPLY1(float, float, tgammaf);
APPLY1(float, float, lgammaf);
APPLY1(float, float, rsqrtf);
APPLY1(float, float, sqrtf);
APPLY1(float, float, j0f);
APPLY1(float, float, y0f);
APPLY1(float, float, sinpif);
APPLY1(float, float, cospif);
APPLY1(float, float, normcdff);
APPLY1(float, float, rcbrtf);

// A result that must be exact, by name.
std::string nameOf(float x) {
  if (x != x) return "nan";
  if (x == 0) return std::signbit(x) ? "-0" : "0";
  if (x == std::numeric_limits<float>::infinity()) return "inf";
  if (x == -std::numeric_limits<float>::infinity()) return "-inf";
  if (x == 1) return "1";
  if (x == -1) return "-1";
  return "finite";
}

// How many numbers lie between the two.
double distanceBetween(float a, float b) {
  if (a != a || b != b) return a != a && b != b ? 0 : 1e300;
  typedef int Bits;
  Bits x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  if (x < 0) x = std::numeric_limits<Bits>::min() - x;
  if (y < 0) y = std::numeric_limits<Bits>::min() - y;
  const double rough = fabs(static_cast<double>(x) - static_cast<double>(y));
  return rough > 1e9 ? rough : static_cast<double>(x < y ? y - x : x - y);
}

template <class F>
std::vector<float> resultsOf(const std::vector<float>& in) {
  DeviceArray<float> operands(in), results(in.size());
  const int count = static_cast<int>(in.size());
  applyToEach<F><<<(count + 127) / 128, 128>>>(operands.data(), results.data(), count);
  return results.read();
}

template <class F>
void observeFunction(const std::string& name, double (*exact)(double), double bound, double low,
                     double high) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> specials = {0, -float(0), infinity, -infinity,
                                       std::numeric_limits<float>::quiet_NaN()};
  std::string text;
  for (const float x : resultsOf<F>(specials)) text += (text.empty() ? "" : ",") + nameOf(x);
  OBSERVE(name + ".specials", text);
  std::vector<float> in;
  const double least = low > 0 ? low : 1e-30, most = high;
  for (int i = 0; i < 4000; ++i) {
    in.push_back(static_cast<float>(low + (high - low) * (i / 4000.0)));
    const float x = static_cast<float>(least * exp(log(most / least) * (i / 4000.0)));
    in.push_back(low < 0 && -x >= low && i % 2 ? -x : x);
  }
  const std::vector<float> out = resultsOf<F>(in);
  double worst = 0;
  for (size_t i = 0; i < in.size(); ++i)
    worst = fmax(worst, distanceBetween(out[i], static_cast<float>(exact(in[i]))));
  OBSERVE(name + ".within_bound", worst <= bound);
}

int main() {
  observeFunction<APPLIED(expf)>("expf", [](double x) -> double { return exp(x); }, 2, -104, 88.7);
  observeFunction<APPLIED(exp2f)>("exp2f", [](double x) -> double { return exp2(x); }, 2, -150, 128);
  observeFunction<APPLIED(exp10f)>("exp10f", [](double x) -> double { return exp10Of(x); }, 2, -45, 38.5);
  observeFunction<APPLIED(expm1f)>("expm1f", [](double x) -> double { return expm1(x); }, 1, -20, 88);
  observeFunction<APPLIED(logf)>("logf", [](double x) -> double { return log(x); }, 1, 1e-40, 3e+38);
  observeFunction<APPLIED(log2f)>("log2f", [](double x) -> double { return log2(x); }, 1, 1e-40, 3e+38);
  observeFunction<APPLIED(log10f)>("log10f", [](double x) -> double { return log10(x); }, 2, 1e-40, 3e+38);
  observeFunction<APPLIED(log1pf)>("log1pf", [](double x) -> double { return log1p(x); }, 1, -0.999, 3e+38);
  observeFunction<APPLIED(sinf)>("sinf", [](double x) -> double { return sin(x); }, 2, -1000000.0, 1000000.0);
  observeFunction<APPLIED(cosf)>("cosf", [](double x) -> double { return cos(x); }, 2, -1000000.0, 1000000.0);
  observeFunction<APPLIED(tanf)>("tanf", [](double x) -> double { return tan(x); }, 4, -1000000.0, 1000000.0);
  observeFunction<APPLIED(asinf)>("asinf", [](double x) -> double { return asin(x); }, 2, -1, 1);
  observeFunction<APPLIED(acosf)>("acosf", [](double x) -> double { return acos(x); }, 2, -1, 1);
  observeFunction<APPLIED(atanf)>(
      "atanf", [](double x) -> double { return atan(x); }, 2, -100000000.0, 100000000.0);
  observeFunction<APPLIED(sinhf)>("sinhf", [](double x) -> double { return sinh(x); }, 3, -88, 88);
  observeFunction<APPLIED(coshf)>("coshf", [](double x) -> double { return cosh(x); }, 2, -88, 88);
  observeFunction<APPLIED(tanhf)>("tanhf", [](double x) -> double { return tanh(x); }, 2, -10, 10);
  observeFunction<APPLIED(asinhf)>("asinhf", [](double x) -> double { return asinh(x); }, 3, -1e+30, 1e+30);
  observeFunction<APPLIED(acoshf)>("acoshf", [](double x) -> double { return acosh(x); }, 4, 1, 1e+30);
  observeFunction<APPLIED(atanhf)>("atanhf", [](double x) -> double { return atanh(x); }, 3, -1, 1);
  observeFunction<APPLIED(cbrtf)>("cbrtf", [](double x) -> double { return cbrt(x); }, 1, -1e+38, 1e+38);
  observeFunction<APPLIED(erff)>("erff", [](double x) -> double { return erf(x); }, 2, -4, 4);
  observeFunction<APPLIED(erfcf)>("erfcf", [](double x) -> double { return erfc(x); }, 4, -4, 9.5);
  observeFunction<APPLIED(tgammaf)>("tgammaf", [](double x) -> double { return tgamma(x); }, 5, 0.01, 34);
  observeFunction<APPLIED(lgammaf)>("lgammaf", [](double x) -> double { return lgamma(x); }, 6, 0.01, 1e+30);
  observeFunction<APPLIED(rsqrtf)>("rsqrtf", [](double x) -> double { return rsqrtOf(x); }, 2, 1e-38, 3e+38);
  observeFunction<APPLIED(sqrtf)>("sqrtf", [](double x) -> double { return sqrt(x); }, 0, 1e-38, 3e+38);
  observeFunction<APPLIED(j0f)>("j0f", [](double x) -> double { return j0(x); }, 9, -8, 8);
  observeFunction<APPLIED(y0f)>("y0f", [](double x) -> double { return y0(x); }, 9, 1e-10, 8);
  observeFunction<APPLIED(sinpif)>("sinpif", [](double x) -> double { return sinpiOf(x); }, 1, -100, 100);
  observeFunction<APPLIED(cospif)>("cospif", [](double x) -> double { return cospiOf(x); }, 1, -100, 100);
  observeFunction<APPLIED(normcdff)>("normcdff", [](double x) -> double { return normcdfOf(x); }, 5, -14, 9);
  observeFunction<APPLIED(rcbrtf)>("rcbrtf", [](double x) -> double { return rcbrtOf(x); }, 1, -1e+38, 1e+38);
}
