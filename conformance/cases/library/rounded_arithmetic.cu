// Arithmetic in the four rounding directions, with subnormal numbers, overflow and NaN.
#include <limits>

#include "../../framework/apply.h"

CONFORMANCE_CASE("library.rounded_arithmetic");

APPLY2(float, float, __fadd_rn);
APPLY2(float, float, __fsub_rn);
APPLY2(float, float, __fmul_rn);
APPLY2(float, float, __fdiv_rn);
APPLY1(float, float, __frcp_rn);
APPLY1(float, float, __fsqrt_rn);
APPLY3(float, float, __fmaf_rn);
APPLY2(double, double, __dadd_rn);
APPLY2(double, double, __dsub_rn);
APPLY2(double, double, __dmul_rn);
APPLY2(double, double, __ddiv_rn);
APPLY1(double, double, __drcp_rn);
APPLY1(double, double, __dsqrt_rn);
APPLY3(double, double, __fma_rn);
APPLY3(float, float, __fmaf_ieee_rn);
APPLY2(float, float, __fadd_rz);
APPLY2(float, float, __fsub_rz);
APPLY2(float, float, __fmul_rz);
APPLY2(float, float, __fdiv_rz);
APPLY1(float, float, __frcp_rz);
APPLY1(float, float, __fsqrt_rz);
APPLY3(float, float, __fmaf_rz);
APPLY2(double, double, __dadd_rz);
APPLY2(double, double, __dsub_rz);
APPLY2(double, double, __dmul_rz);
APPLY2(double, double, __ddiv_rz);
APPLY1(double, double, __drcp_rz);
APPLY1(double, double, __dsqrt_rz);
APPLY3(double, double, __fma_rz);
APPLY3(float, float, __fmaf_ieee_rz);
APPLY2(float, float, __fadd_ru);
APPLY2(float, float, __fsub_ru);
APPLY2(float, float, __fmul_ru);
APPLY2(float, float, __fdiv_ru);
APPLY1(float, float, __frcp_ru);
APPLY1(float, float, __fsqrt_ru);
APPLY3(float, float, __fmaf_ru);
APPLY2(double, double, __dadd_ru);
APPLY2(double, double, __dsub_ru);
APPLY2(double, double, __dmul_ru);
APPLY2(double, double, __ddiv_ru);
APPLY1(double, double, __drcp_ru);
APPLY1(double, double, __dsqrt_ru);
APPLY3(double, double, __fma_ru);
APPLY3(float, float, __fmaf_ieee_ru);
APPLY2(float, float, __fadd_rd);
APPLY2(float, float, __fsub_rd);
APPLY2(float, float, __fmul_rd);
APPLY2(float, float, __fdiv_rd);
APPLY1(float, float, __frcp_rd);
APPLY1(float, float, __fsqrt_rd);
APPLY3(float, float, __fmaf_rd);
APPLY2(double, double, __dadd_rd);
APPLY2(double, double, __dsub_rd);
APPLY2(double, double, __dmul_rd);
APPLY2(double, double, __ddiv_rd);
APPLY1(double, double, __drcp_rd);
APPLY1(double, double, __dsqrt_rd);
APPLY3(double, double, __fma_rd);
APPLY3(float, float, __fmaf_ieee_rd);
APPLY1(float, float, __frsqrt_rn);
APPLY1(float, float, __saturatef);

int main() {
  const float infinity = std::numeric_limits<float>::infinity(),
              nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> floats = {0.0f,          -0.0f,    1.0f,           -1.0f,       3.0f,
                                     0.1f,          -0.7f,    1.1754944e-38f, 1e-45f,      -3e-39f,
                                     3.4028235e38f, -2e38f,   1.0000001f,     16777215.0f, 1e-20f,
                                     7e19f,         infinity, -infinity,      nan};
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> doubles = {0.0,
                                       -0.0,
                                       1.0,
                                       -1.0,
                                       3.0,
                                       0.1,
                                       -0.7,
                                       2.2250738585072014e-308,
                                       4.9406564584124654e-324,
                                       -3e-310,
                                       1.7976931348623157e308,
                                       -9e307,
                                       1.0000000000000002,
                                       9007199254740991.0,
                                       1e-170,
                                       7e160,
                                       infinite,
                                       -infinite,
                                       static_cast<double>(nan)};
  OBSERVE("__fadd_rn", appliedToPairs<APPLIED(__fadd_rn)>(floats));
  OBSERVE("__fsub_rn", appliedToPairs<APPLIED(__fsub_rn)>(floats));
  OBSERVE("__fmul_rn", appliedToPairs<APPLIED(__fmul_rn)>(floats));
  OBSERVE("__fdiv_rn", appliedToPairs<APPLIED(__fdiv_rn)>(floats));
  OBSERVE("__frcp_rn", appliedToEach<APPLIED(__frcp_rn)>(floats));
  OBSERVE("__fsqrt_rn", appliedToEach<APPLIED(__fsqrt_rn)>(floats));
  OBSERVE("__fmaf_rn", appliedToTriples<APPLIED(__fmaf_rn)>(floats));
  OBSERVE("__dadd_rn", appliedToPairs<APPLIED(__dadd_rn)>(doubles));
  OBSERVE("__dsub_rn", appliedToPairs<APPLIED(__dsub_rn)>(doubles));
  OBSERVE("__dmul_rn", appliedToPairs<APPLIED(__dmul_rn)>(doubles));
  OBSERVE("__ddiv_rn", appliedToPairs<APPLIED(__ddiv_rn)>(doubles));
  OBSERVE("__drcp_rn", appliedToEach<APPLIED(__drcp_rn)>(doubles));
  OBSERVE("__dsqrt_rn", appliedToEach<APPLIED(__dsqrt_rn)>(doubles));
  OBSERVE("__fma_rn", appliedToTriples<APPLIED(__fma_rn)>(doubles));
  OBSERVE("__fmaf_ieee_rn", appliedToTriples<APPLIED(__fmaf_ieee_rn)>(floats));
  OBSERVE("__fadd_rz", appliedToPairs<APPLIED(__fadd_rz)>(floats));
  OBSERVE("__fsub_rz", appliedToPairs<APPLIED(__fsub_rz)>(floats));
  OBSERVE("__fmul_rz", appliedToPairs<APPLIED(__fmul_rz)>(floats));
  OBSERVE("__fdiv_rz", appliedToPairs<APPLIED(__fdiv_rz)>(floats));
  OBSERVE("__frcp_rz", appliedToEach<APPLIED(__frcp_rz)>(floats));
  OBSERVE("__fsqrt_rz", appliedToEach<APPLIED(__fsqrt_rz)>(floats));
  OBSERVE("__fmaf_rz", appliedToTriples<APPLIED(__fmaf_rz)>(floats));
  OBSERVE("__dadd_rz", appliedToPairs<APPLIED(__dadd_rz)>(doubles));
  OBSERVE("__dsub_rz", appliedToPairs<APPLIED(__dsub_rz)>(doubles));
  OBSERVE("__dmul_rz", appliedToPairs<APPLIED(__dmul_rz)>(doubles));
  OBSERVE("__ddiv_rz", appliedToPairs<APPLIED(__ddiv_rz)>(doubles));
  OBSERVE("__drcp_rz", appliedToEach<APPLIED(__drcp_rz)>(doubles));
  OBSERVE("__dsqrt_rz", appliedToEach<APPLIED(__dsqrt_rz)>(doubles));
  OBSERVE("__fma_rz", appliedToTriples<APPLIED(__fma_rz)>(doubles));
  OBSERVE("__fmaf_ieee_rz", appliedToTriples<APPLIED(__fmaf_ieee_rz)>(floats));
  OBSERVE("__fadd_ru", appliedToPairs<APPLIED(__fadd_ru)>(floats));
  OBSERVE("__fsub_ru", appliedToPairs<APPLIED(__fsub_ru)>(floats));
  OBSERVE("__fmul_ru", appliedToPairs<APPLIED(__fmul_ru)>(floats));
  OBSERVE("__fdiv_ru", appliedToPairs<APPLIED(__fdiv_ru)>(floats));
  OBSERVE("__frcp_ru", appliedToEach<APPLIED(__frcp_ru)>(floats));
  OBSERVE("__fsqrt_ru", appliedToEach<APPLIED(__fsqrt_ru)>(floats));
  OBSERVE("__fmaf_ru", appliedToTriples<APPLIED(__fmaf_ru)>(floats));
  OBSERVE("__dadd_ru", appliedToPairs<APPLIED(__dadd_ru)>(doubles));
  OBSERVE("__dsub_ru", appliedToPairs<APPLIED(__dsub_ru)>(doubles));
  OBSERVE("__dmul_ru", appliedToPairs<APPLIED(__dmul_ru)>(doubles));
  OBSERVE("__ddiv_ru", appliedToPairs<APPLIED(__ddiv_ru)>(doubles));
  OBSERVE("__drcp_ru", appliedToEach<APPLIED(__drcp_ru)>(doubles));
  OBSERVE("__dsqrt_ru", appliedToEach<APPLIED(__dsqrt_ru)>(doubles));
  OBSERVE("__fma_ru", appliedToTriples<APPLIED(__fma_ru)>(doubles));
  OBSERVE("__fmaf_ieee_ru", appliedToTriples<APPLIED(__fmaf_ieee_ru)>(floats));
  OBSERVE("__fadd_rd", appliedToPairs<APPLIED(__fadd_rd)>(floats));
  OBSERVE("__fsub_rd", appliedToPairs<APPLIED(__fsub_rd)>(floats));
  OBSERVE("__fmul_rd", appliedToPairs<APPLIED(__fmul_rd)>(floats));
  OBSERVE("__fdiv_rd", appliedToPairs<APPLIED(__fdiv_rd)>(floats));
  OBSERVE("__frcp_rd", appliedToEach<APPLIED(__frcp_rd)>(floats));
  OBSERVE("__fsqrt_rd", appliedToEach<APPLIED(__fsqrt_rd)>(floats));
  OBSERVE("__fmaf_rd", appliedToTriples<APPLIED(__fmaf_rd)>(floats));
  OBSERVE("__dadd_rd", appliedToPairs<APPLIED(__dadd_rd)>(doubles));
  OBSERVE("__dsub_rd", appliedToPairs<APPLIED(__dsub_rd)>(doubles));
  OBSERVE("__dmul_rd", appliedToPairs<APPLIED(__dmul_rd)>(doubles));
  OBSERVE("__ddiv_rd", appliedToPairs<APPLIED(__ddiv_rd)>(doubles));
  OBSERVE("__drcp_rd", appliedToEach<APPLIED(__drcp_rd)>(doubles));
  OBSERVE("__dsqrt_rd", appliedToEach<APPLIED(__dsqrt_rd)>(doubles));
  OBSERVE("__fma_rd", appliedToTriples<APPLIED(__fma_rd)>(doubles));
  OBSERVE("__fmaf_ieee_rd", appliedToTriples<APPLIED(__fmaf_ieee_rd)>(floats));
  OBSERVE("__frsqrt_rn", appliedToEach<APPLIED(__frsqrt_rn)>(floats));
  OBSERVE("__saturatef", appliedToEach<APPLIED(__saturatef)>(floats));
}
