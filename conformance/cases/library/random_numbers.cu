// The random numbers that kernels make themselves (curand_kernel.h): the bits of every generator, and what
// the distributions make of them.
#include <curand_kernel.h>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("library.random_numbers");

constexpr int kEach = 8;

struct Start {
  unsigned long long seed, sequence, offset;
};

template <typename State, typename Draw>
__global__ void draw(Start start, int count, typename Draw::Result* out) {
  State state;
  curand_init(start.seed, start.sequence, start.offset, &state);
  for (int i = 0; i < count; ++i) out[i] = Draw::next(&state);
}

// Bits are exact; what went through a logarithm or a sine is compared to four digits.
std::string text(unsigned value) { return std::to_string(value); }
std::string text(int value) { return std::to_string(value); }
std::string text(float value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.3e", static_cast<double>(value));
  return digits;
}
std::string text(double value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%.11e", value);
  return digits;
}

template <typename State, typename Draw>
void observe(const std::string& key, Start start, int count = kEach) {
  DeviceArray<typename Draw::Result> out(count);
  draw<State, Draw><<<1, 1>>>(start, count, out.data());
  std::string line;
  for (const typename Draw::Result value : out.read()) line += (line.empty() ? "" : " ") + text(value);
  OBSERVE(key, line);
}

__device__ unsigned bitsOf(float x) { return __float_as_uint(x); }
__device__ unsigned bitsOf(double x) {
  const long long bits = __double_as_longlong(x);
  return unsigned(bits) ^ unsigned(bits >> 32) * 31u;
}

#define DRAW(name, T, expression)        \
  struct name {                          \
    typedef T Result;                    \
    template <typename State>            \
    static __device__ T next(State* s) { \
      return expression;                 \
    }                                    \
  }
DRAW(Bits, unsigned, curand(s));
DRAW(Uniform, unsigned, bitsOf(curand_uniform(s)));
DRAW(UniformDouble, unsigned, bitsOf(curand_uniform_double(s)));
DRAW(Normal, float, curand_normal(s));
DRAW(NormalDouble, double, curand_normal_double(s));
DRAW(Normal2, float, curand_normal2(s).y);
DRAW(Normal2Double, double, curand_normal2_double(s).y);
DRAW(LogNormal, float, curand_log_normal(s, 0.5f, 0.25f));
DRAW(LogNormalDouble, double, curand_log_normal_double(s, 0.5, 0.25));
DRAW(Mixed, float, curand_normal(s) + curand_uniform(s) + float(curand_normal_double(s)));
DRAW(Skipping, unsigned, (skipahead(1000003, s), curand(s)));
DRAW(SkippingSequences, unsigned, (skipahead_sequence(12345, s), curand(s)));
DRAW(Bits4, unsigned, (curand(s), curand4(s).z));
DRAW(Uniform4, unsigned, bitsOf(curand_uniform4(s).y));
DRAW(Uniform2Double, unsigned, bitsOf(curand_uniform2_double(s).y));
DRAW(Normal4, float, curand_normal4(s).w);
DRAW(LogNormal4, float, curand_log_normal4(s, 0.f, 1.f).z);

template <typename State>
void observeGenerator(const std::string& name) {
  const Start plain{1234, 0, 0};
  int number = 0;
  for (const Start start :
       {plain, Start{0, 1, 0}, Start{1234, 5, 3}, Start{0x123456789abcdefull, 1000003, 12345},
        Start{42, 0x100000001ull, 0x100000007ull}, Start{42, ~0ull, 77}})
    observe<State, Bits>(name + ".bits" + std::to_string(number++), start);
  observe<State, Uniform>(name + ".uniform", plain);
  observe<State, UniformDouble>(name + ".uniform_double", plain);
  observe<State, Normal>(name + ".normal", plain);
  observe<State, NormalDouble>(name + ".normal_double", plain);
  observe<State, Normal2>(name + ".normal2", plain);
  observe<State, Normal2Double>(name + ".normal2_double", plain);
  observe<State, LogNormal>(name + ".log_normal", plain);
  observe<State, LogNormalDouble>(name + ".log_normal_double", plain);
  observe<State, Mixed>(name + ".mixed", plain);
  observe<State, Skipping>(name + ".skipahead", plain);
  observe<State, SkippingSequences>(name + ".skipahead_sequence", plain);
}

int main() {
  observeGenerator<curandState>("xorwow");
  observeGenerator<curandStatePhilox4_32_10_t>("philox");
  observeGenerator<curandStateMRG32k3a>("mrg");
  using Philox = curandStatePhilox4_32_10_t;
  const Start start{99, 7, 2};
  observe<Philox, Bits4>("philox4.bits", start);
  observe<Philox, Uniform4>("philox4.uniform", start);
  observe<Philox, Uniform2Double>("philox4.uniform2_double", start);
  observe<Philox, Normal4>("philox4.normal", start);
  observe<Philox, LogNormal4>("philox4.log_normal", start);
}
