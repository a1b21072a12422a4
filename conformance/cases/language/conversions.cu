// Conversions between numbers: rounding, saturation, NaN.
#include <limits>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.conversions");

__global__ void toInt(const float* in, int* out) {
  const float value = in[threadIdx.x];
  int* row = out + threadIdx.x * 8;
  row[0] = static_cast<int>(value);
  row[1] = static_cast<int>(static_cast<unsigned>(value));
  row[2] = __float2int_rn(value);
  row[3] = __float2int_rz(value);
  row[4] = __float2int_ru(value);
  row[5] = __float2int_rd(value);
  row[6] = static_cast<int>(__float2uint_rn(value));
  row[7] = __float_as_int(value);
}

__global__ void toLong(const float* in, long long* out) {
  const double value = in[threadIdx.x];
  long long* row = out + threadIdx.x * 4;
  row[0] = static_cast<long long>(value);
  row[1] = static_cast<long long>(static_cast<unsigned long long>(value));
  row[2] = __double2ll_rn(value);
  row[3] = __double2int_rn(value);
}

__global__ void toFloat(double* out, int number, double precise) {
  out[0] = __int2float_rn(number);
  out[1] = __int2float_rz(number);
  out[2] = __int2float_ru(number);
  out[3] = __int2float_rd(number);
  out[4] = static_cast<float>(precise);
  out[5] = __double2float_ru(precise);
  out[6] = __double2float_rd(precise);
  out[7] = __int_as_float(0x40490fdb);
  out[8] = __longlong_as_double(0x400921fb54442d18ll);
  out[9] = __uint2float_rn(0xffffffffu);
  out[10] = __hiloint2double(0x40091eb8, 0x51eb851f);
  out[11] = __double2hiint(3.14);
}

int main() {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> in = {0.5f,   1.5f,     2.5f,      -0.5f,
                                 -1.5f,  1e10f,    -1e10f,    1e20f,
                                 -1e20f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
  const char* const names[12] = {
      "half",       "one_and_half", "two_and_half", "minus_half", "minus_one_and_half", "1e10",
      "minus_1e10", "1e20",         "minus_1e20",   "infinity",   "minus_infinity",     "not_a_number"};
  DeviceArray<float> deviceIn(in);
  DeviceArray<int> ints(in.size() * 8);
  toInt<<<1, 12>>>(deviceIn.data(), ints.data());
  const std::vector<int> intRows = ints.read();
  DeviceArray<long long> longs(in.size() * 4);
  toLong<<<1, 12>>>(deviceIn.data(), longs.data());
  const std::vector<long long> longRows = longs.read();
  for (size_t i = 0; i < in.size(); ++i) {
    const std::string name = names[i];
    const std::vector<int> row(intRows.begin() + static_cast<long>(i * 8),
                               intRows.begin() + static_cast<long>(i * 8 + 7));
    const std::vector<long long> longRow(longRows.begin() + static_cast<long>(i * 4),
                                         longRows.begin() + static_cast<long>(i * 4 + 4));
    OBSERVE("int32." + name, joined(row));
    OBSERVE("int64." + name, joined(longRow));
  }
  DeviceArray<double> floats(12);
  toFloat<<<1, 1>>>(floats.data(), 16777217, 0.1);
  OBSERVE("to_float", joined(floats.read()));
}
