// Double mathematical functions: special values exactly, and everywhere within the distance from the
// correctly rounded result that CUDA documents (C++ Programming Guide, "Mathematical Functions Appendix").
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <limits>

#include "../../framework/apply.h"

CONFORMANCE_CASE("library.math_double");

APPLY1(double, double, exp);
APPLY1(double, double, exp2);
APPLY1(double, double, exp10);
APPLY1(double, double, expm1);
APPLY1(double, double, log);
APPLY1(double, double, log2);
APPLY1(double, double, log10);
APPLY1(double, double, log1p);
APPLY1(double, double, sin);
APPLY1(double, double, cos);
APPLY1(double, double, tan);
APPLY1(double, double, asin);
APPLY1(double, double, acos);
APPLY1(double, double, atan);
APPLY1(double, double, sinh);
APPLY1(double, double, cosh);
APPLY1(double, double, tanh);
APPLY1(double, double, asinh);
APPLY1(double, double, acosh);
APPLY1(double, double, atanh);
APPLY1(double, double, cbrt);
APPLY1(double, double, erf);
APPLY1(double, double, erfc);
APPLY1(double, double, tgamma);
APPLY1(double, double, lgamma);
APPLY1(double, double, sqrt);

// A result that must be exact, by name.
std::string nameOf(double x) {
  if (x != x) return "nan";
  if (x == 0) return std::signbit(x) ? "-0" : "0";
  if (x == std::numeric_limits<double>::infinity()) return "inf";
  if (x == -std::numeric_limits<double>::infinity()) return "-inf";
  if (x == 1) return "1";
  if (x == -1) return "-1";
  return "finite";
}

// How many numbers lie between the two.
double distanceBetween(double a, double b) {
  if (a != a || b != b) return a != a && b != b ? 0 : 1e300;
  typedef long long Bits;
  Bits x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  if (x < 0) x = std::numeric_limits<Bits>::min() - x;
  if (y < 0) y = std::numeric_limits<Bits>::min() - y;
  const double rough = fabs(static_cast<double>(x) - static_cast<double>(y));
  return rough > 1e9 ? rough : static_cast<double>(x < y ? y - x : x - y);
}

template <class F>
std::vector<double> resultsOf(const std::vector<double>& in) {
  DeviceArray<double> operands(in), results(in.size());
  const int count = static_cast<int>(in.size());
  applyToEach<F><<<(count + 127) / 128, 128>>>(operands.data(), results.data(), count);
  return results.read();
}

template <class F>
void observeFunction(const std::string& name, long double (*exact)(long double), double bound, double low,
                     double high) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> specials = {0, -double(0), infinity, -infinity,
                                        std::numeric_limits<double>::quiet_NaN()};
  std::string text;
  for (const double x : resultsOf<F>(specials)) text += (text.empty() ? "" : ",") + nameOf(x);
  OBSERVE(name + ".specials", text);
  std::vector<double> in;
  const double least = low > 0 ? low : 1e-30, most = high;
  for (int i = 0; i < 4000; ++i) {
    in.push_back(static_cast<double>(low + (high - low) * (i / 4000.0)));
    const double x = static_cast<double>(least * exp(log(most / least) * (i / 4000.0)));
    in.push_back(low < 0 && -x >= low && i % 2 ? -x : x);
  }
  const std::vector<double> out = resultsOf<F>(in);
  double worst = 0;
  for (size_t i = 0; i < in.size(); ++i)
    worst = fmax(worst, distanceBetween(out[i], static_cast<double>(exact(in[i]))));
  OBSERVE(name + ".within_bound", worst <= bound);
}

int main() {
  observeFunction<APPLIED(exp)>("exp", [](long double x) -> long double { return expl(x); }, 1, -745, 709);
  observeFunction<APPLIED(exp2)>(
      "exp2", [](long double x) -> long double { return exp2l(x); }, 1, -1074, 1023);
  observeFunction<APPLIED(exp10)>(
      "exp10", [](long double x) -> long double { return powl(10.0L, x); }, 1, -320, 308);
  observeFunction<APPLIED(expm1)>(
      "expm1", [](long double x) -> long double { return expm1l(x); }, 1, -30, 709);
  observeFunction<APPLIED(log)>(
      "log", [](long double x) -> long double { return logl(x); }, 1, 1e-310, 1e+308);
  observeFunction<APPLIED(log2)>(
      "log2", [](long double x) -> long double { return log2l(x); }, 1, 1e-310, 1e+308);
  observeFunction<APPLIED(log10)>(
      "log10", [](long double x) -> long double { return log10l(x); }, 1, 1e-310, 1e+308);
  observeFunction<APPLIED(log1p)>(
      "log1p", [](long double x) -> long double { return log1pl(x); }, 1, -0.999, 1e+308);
  observeFunction<APPLIED(sin)>(
      "sin", [](long double x) -> long double { return sinl(x); }, 2, -100000000.0, 100000000.0);
  observeFunction<APPLIED(cos)>(
      "cos", [](long double x) -> long double { return cosl(x); }, 2, -100000000.0, 100000000.0);
  observeFunction<APPLIED(tan)>(
      "tan", [](long double x) -> long double { return tanl(x); }, 2, -100000000.0, 100000000.0);
  observeFunction<APPLIED(asin)>("asin", [](long double x) -> long double { return asinl(x); }, 2, -1, 1);
  observeFunction<APPLIED(acos)>("acos", [](long double x) -> long double { return acosl(x); }, 2, -1, 1);
  observeFunction<APPLIED(atan)>(
      "atan", [](long double x) -> long double { return atanl(x); }, 2, -1e+100, 1e+100);
  observeFunction<APPLIED(sinh)>("sinh", [](long double x) -> long double { return sinhl(x); }, 2, -709, 709);
  observeFunction<APPLIED(cosh)>("cosh", [](long double x) -> long double { return coshl(x); }, 1, -709, 709);
  observeFunction<APPLIED(tanh)>("tanh", [](long double x) -> long double { return tanhl(x); }, 1, -20, 20);
  observeFunction<APPLIED(asinh)>(
      "asinh", [](long double x) -> long double { return asinhl(x); }, 3, -1e+300, 1e+300);
  observeFunction<APPLIED(acosh)>(
      "acosh", [](long double x) -> long double { return acoshl(x); }, 3, 1, 1e+300);
  observeFunction<APPLIED(atanh)>("atanh", [](long double x) -> long double { return atanhl(x); }, 2, -1, 1);
  observeFunction<APPLIED(cbrt)>(
      "cbrt", [](long double x) -> long double { return cbrtl(x); }, 1, -1e+300, 1e+300);
  observeFunction<APPLIED(erf)>("erf", [](long double x) -> long double { return erfl(x); }, 2, -6, 6);
  observeFunction<APPLIED(erfc)>("erfc", [](long double x) -> long double { return erfcl(x); }, 5, -6, 26);
  observeFunction<APPLIED(tgamma)>(
      "tgamma", [](long double x) -> long double { return tgammal(x); }, 10, 0.01, 170);
  observeFunction<APPLIED(lgamma)>(
      "lgamma", [](long double x) -> long double { return lgammal(x); }, 4, 0.01, 1e+300);
  observeFunction<APPLIED(sqrt)>(
      "sqrt", [](long double x) -> long double { return sqrt(static_cast<double>(x)); }, 0, 1e-300, 1e+300);
}
