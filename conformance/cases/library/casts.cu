// Type casting intrinsics in all rounding modes.
#include <limits>

#include "../../framework/apply.h"

CONFORMANCE_CASE("library.casts");

APPLY1(int, float, __float2int_rn);
APPLY1(int, double, __double2int_rn);
APPLY1(float, int, __int2float_rn);
APPLY1(double, int, __int2double_rn);
APPLY1(unsigned, float, __float2uint_rn);
APPLY1(unsigned, double, __double2uint_rn);
APPLY1(float, unsigned, __uint2float_rn);
APPLY1(double, unsigned, __uint2double_rn);
APPLY1(long long, float, __float2ll_rn);
APPLY1(long long, double, __double2ll_rn);
APPLY1(float, long long, __ll2float_rn);
APPLY1(double, long long, __ll2double_rn);
APPLY1(unsigned long long, float, __float2ull_rn);
APPLY1(unsigned long long, double, __double2ull_rn);
APPLY1(float, unsigned long long, __ull2float_rn);
APPLY1(double, unsigned long long, __ull2double_rn);
APPLY1(float, double, __double2float_rn);
APPLY1(int, float, __float2int_rz);
APPLY1(int, double, __double2int_rz);
APPLY1(float, int, __int2float_rz);
APPLY1(unsigned, float, __float2uint_rz);
APPLY1(unsigned, double, __double2uint_rz);
APPLY1(float, unsigned, __uint2float_rz);
APPLY1(long long, float, __float2ll_rz);
APPLY1(long long, double, __double2ll_rz);
APPLY1(float, long long, __ll2float_rz);
APPLY1(double, long long, __ll2double_rz);
APPLY1(unsigned long long, float, __float2ull_rz);
APPLY1(unsigned long long, double, __double2ull_rz);
APPLY1(float, unsigned long long, __ull2float_rz);
APPLY1(double, unsigned long long, __ull2double_rz);
APPLY1(float, double, __double2float_rz);
APPLY1(int, float, __float2int_ru);
APPLY1(int, double, __double2int_ru);
APPLY1(float, int, __int2float_ru);
APPLY1(unsigned, float, __float2uint_ru);
APPLY1(unsigned, double, __double2uint_ru);
APPLY1(float, unsigned, __uint2float_ru);
APPLY1(long long, float, __float2ll_ru);
APPLY1(long long, double, __double2ll_ru);
APPLY1(float, long long, __ll2float_ru);
APPLY1(double, long long, __ll2double_ru);
APPLY1(unsigned long long, float, __float2ull_ru);
APPLY1(unsigned long long, double, __double2ull_ru);
APPLY1(float, unsigned long long, __ull2float_ru);
APPLY1(double, unsigned long long, __ull2double_ru);
APPLY1(float, double, __double2float_ru);
APPLY1(int, float, __float2int_rd);
APPLY1(int, double, __double2int_rd);
APPLY1(float, int, __int2float_rd);
APPLY1(unsigned, float, __float2uint_rd);
APPLY1(unsigned, double, __double2uint_rd);
APPLY1(float, unsigned, __uint2float_rd);
APPLY1(long long, float, __float2ll_rd);
APPLY1(long long, double, __double2ll_rd);
APPLY1(float, long long, __ll2float_rd);
APPLY1(double, long long, __ll2double_rd);
APPLY1(unsigned long long, float, __float2ull_rd);
APPLY1(unsigned long long, double, __double2ull_rd);
APPLY1(float, unsigned long long, __ull2float_rd);
APPLY1(double, unsigned long long, __ull2double_rd);
APPLY1(float, double, __double2float_rd);

int main() {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> floats = {0.0f,
                                     -0.0f,
                                     0.5f,
                                     -0.5f,
                                     1.5f,
                                     2.5f,
                                     -2.5f,
                                     0.49999997f,
                                     8388609.0f,
                                     16777218.0f,
                                     2147483520.0f,
                                     2147483648.0f,
                                     -2147483648.0f,
                                     4294967040.0f,
                                     4294967296.0f,
                                     -1.0f,
                                     -0.9f,
                                     9.2233715e18f,
                                     9.223372e18f,
                                     -9.223372e18f,
                                     1.8446743e19f,
                                     1.8446744e19f,
                                     1e30f,
                                     -1e30f,
                                     infinity,
                                     -infinity,
                                     1e-45f,
                                     -1e-45f,
                                     std::numeric_limits<float>::quiet_NaN()};
  const std::vector<double> doubles = {0.0,
                                       -0.0,
                                       0.5,
                                       -0.5,
                                       1.5,
                                       2.5,
                                       -2.5,
                                       0.49999999999999994,
                                       2147483647.0,
                                       2147483647.5,
                                       -2147483648.5,
                                       -2147483649.0,
                                       4294967295.0,
                                       4294967295.5,
                                       4294967296.0,
                                       -0.75,
                                       4503599627370497.5,
                                       9.2233720368547748e18,
                                       9.2233720368547758e18,
                                       -9.2233720368547758e18,
                                       1.8446744073709550e19,
                                       1.8446744073709552e19,
                                       1e300,
                                       -1e300,
                                       1e-320,
                                       1e-45,
                                       7e-46,
                                       -1e-46,
                                       3.4028235e38,
                                       3.4028235677973366e38,
                                       -3.5e38,
                                       1.0000000596046448,
                                       1.1754943e-38,
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};
  const std::vector<int> ints = {0,         1,        -1,         16777217,        16777219,
                                 -16777217, 33554435, 2147483647, -2147483647 - 1, 2147483583};
  const std::vector<unsigned> uints = {0u,          16777217u,   16777219u,  33554435u,
                                       4294967295u, 4294967167u, 2147483648u};
  const std::vector<long long> longs = {0ll,
                                        -1ll,
                                        9007199254740993ll,
                                        -9007199254740993ll,
                                        9007199254740995ll,
                                        9223372036854775807ll,
                                        -9223372036854775807ll - 1,
                                        16777217ll,
                                        1099511693313ll};
  const std::vector<unsigned long long> ulongs = {0ull,
                                                  9007199254740993ull,
                                                  18446744073709551615ull,
                                                  18446744073709549569ull,
                                                  9223372036854776833ull,
                                                  16777217ull,
                                                  18446742974197923841ull};
  OBSERVE("__float2int_rn", appliedToEach<APPLIED(__float2int_rn)>(floats));
  OBSERVE("__double2int_rn", appliedToEach<APPLIED(__double2int_rn)>(doubles));
  OBSERVE("__int2float_rn", appliedToEach<APPLIED(__int2float_rn)>(ints));
  OBSERVE("__int2double_rn", appliedToEach<APPLIED(__int2double_rn)>(ints));
  OBSERVE("__float2uint_rn", appliedToEach<APPLIED(__float2uint_rn)>(floats));
  OBSERVE("__double2uint_rn", appliedToEach<APPLIED(__double2uint_rn)>(doubles));
  OBSERVE("__uint2float_rn", appliedToEach<APPLIED(__uint2float_rn)>(uints));
  OBSERVE("__uint2double_rn", appliedToEach<APPLIED(__uint2double_rn)>(uints));
  OBSERVE("__float2ll_rn", appliedToEach<APPLIED(__float2ll_rn)>(floats));
  OBSERVE("__double2ll_rn", appliedToEach<APPLIED(__double2ll_rn)>(doubles));
  OBSERVE("__ll2float_rn", appliedToEach<APPLIED(__ll2float_rn)>(longs));
  OBSERVE("__ll2double_rn", appliedToEach<APPLIED(__ll2double_rn)>(longs));
  OBSERVE("__float2ull_rn", appliedToEach<APPLIED(__float2ull_rn)>(floats));
  OBSERVE("__double2ull_rn", appliedToEach<APPLIED(__double2ull_rn)>(doubles));
  OBSERVE("__ull2float_rn", appliedToEach<APPLIED(__ull2float_rn)>(ulongs));
  OBSERVE("__ull2double_rn", appliedToEach<APPLIED(__ull2double_rn)>(ulongs));
  OBSERVE("__double2float_rn", appliedToEach<APPLIED(__double2float_rn)>(doubles));
  OBSERVE("__float2int_rz", appliedToEach<APPLIED(__float2int_rz)>(floats));
  OBSERVE("__double2int_rz", appliedToEach<APPLIED(__double2int_rz)>(doubles));
  OBSERVE("__int2float_rz", appliedToEach<APPLIED(__int2float_rz)>(ints));
  OBSERVE("__float2uint_rz", appliedToEach<APPLIED(__float2uint_rz)>(floats));
  OBSERVE("__double2uint_rz", appliedToEach<APPLIED(__double2uint_rz)>(doubles));
  OBSERVE("__uint2float_rz", appliedToEach<APPLIED(__uint2float_rz)>(uints));
  OBSERVE("__float2ll_rz", appliedToEach<APPLIED(__float2ll_rz)>(floats));
  OBSERVE("__double2ll_rz", appliedToEach<APPLIED(__double2ll_rz)>(doubles));
  OBSERVE("__ll2float_rz", appliedToEach<APPLIED(__ll2float_rz)>(longs));
  OBSERVE("__ll2double_rz", appliedToEach<APPLIED(__ll2double_rz)>(longs));
  OBSERVE("__float2ull_rz", appliedToEach<APPLIED(__float2ull_rz)>(floats));
  OBSERVE("__double2ull_rz", appliedToEach<APPLIED(__double2ull_rz)>(doubles));
  OBSERVE("__ull2float_rz", appliedToEach<APPLIED(__ull2float_rz)>(ulongs));
  OBSERVE("__ull2double_rz", appliedToEach<APPLIED(__ull2double_rz)>(ulongs));
  OBSERVE("__double2float_rz", appliedToEach<APPLIED(__double2float_rz)>(doubles));
  OBSERVE("__float2int_ru", appliedToEach<APPLIED(__float2int_ru)>(floats));
  OBSERVE("__double2int_ru", appliedToEach<APPLIED(__double2int_ru)>(doubles));
  OBSERVE("__int2float_ru", appliedToEach<APPLIED(__int2float_ru)>(ints));
  OBSERVE("__float2uint_ru", appliedToEach<APPLIED(__float2uint_ru)>(floats));
  OBSERVE("__double2uint_ru", appliedToEach<APPLIED(__double2uint_ru)>(doubles));
  OBSERVE("__uint2float_ru", appliedToEach<APPLIED(__uint2float_ru)>(uints));
  OBSERVE("__float2ll_ru", appliedToEach<APPLIED(__float2ll_ru)>(floats));
  OBSERVE("__double2ll_ru", appliedToEach<APPLIED(__double2ll_ru)>(doubles));
  OBSERVE("__ll2float_ru", appliedToEach<APPLIED(__ll2float_ru)>(longs));
  OBSERVE("__ll2double_ru", appliedToEach<APPLIED(__ll2double_ru)>(longs));
  OBSERVE("__float2ull_ru", appliedToEach<APPLIED(__float2ull_ru)>(floats));
  OBSERVE("__double2ull_ru", appliedToEach<APPLIED(__double2ull_ru)>(doubles));
  OBSERVE("__ull2float_ru", appliedToEach<APPLIED(__ull2float_ru)>(ulongs));
  OBSERVE("__ull2double_ru", appliedToEach<APPLIED(__ull2double_ru)>(ulongs));
  OBSERVE("__double2float_ru", appliedToEach<APPLIED(__double2float_ru)>(doubles));
  OBSERVE("__float2int_rd", appliedToEach<APPLIED(__float2int_rd)>(floats));
  OBSERVE("__double2int_rd", appliedToEach<APPLIED(__double2int_rd)>(doubles));
  OBSERVE("__int2float_rd", appliedToEach<APPLIED(__int2float_rd)>(ints));
  OBSERVE("__float2uint_rd", appliedToEach<APPLIED(__float2uint_rd)>(floats));
  OBSERVE("__double2uint_rd", appliedToEach<APPLIED(__double2uint_rd)>(doubles));
  OBSERVE("__uint2float_rd", appliedToEach<APPLIED(__uint2float_rd)>(uints));
  OBSERVE("__float2ll_rd", appliedToEach<APPLIED(__float2ll_rd)>(floats));
  OBSERVE("__double2ll_rd", appliedToEach<APPLIED(__double2ll_rd)>(doubles));
  OBSERVE("__ll2float_rd", appliedToEach<APPLIED(__ll2float_rd)>(longs));
  OBSERVE("__ll2double_rd", appliedToEach<APPLIED(__ll2double_rd)>(longs));
  OBSERVE("__float2ull_rd", appliedToEach<APPLIED(__float2ull_rd)>(floats));
  OBSERVE("__double2ull_rd", appliedToEach<APPLIED(__double2ull_rd)>(doubles));
  OBSERVE("__ull2float_rd", appliedToEach<APPLIED(__ull2float_rd)>(ulongs));
  OBSERVE("__ull2double_rd", appliedToEach<APPLIED(__ull2double_rd)>(ulongs));
  OBSERVE("__double2float_rd", appliedToEach<APPLIED(__double2float_rd)>(doubles));
}
