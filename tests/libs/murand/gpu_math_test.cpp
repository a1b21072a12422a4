// The GPU's float functions, against what an H200 gave: checksums of every so-many-th float of a range.
#include <crt/gpu_math.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace {

float sine(float x) {
  float s, c;
  __musa_gpu_sincosf(x, &s, &c);
  return s;
}
float cosine(float x) {
  float s, c;
  __musa_gpu_sincosf(x, &s, &c);
  return c;
}
float logarithm(float x) { return __musa_gpu_logf(x); }
float exponential(float x) { return __musa_gpu_expf(x); }
float inverseErfc(float x) { return __musa_gpu_erfcinvf(x); }
float power(float x) { return static_cast<float>(__musa_gpu_exp2(x)); }
float binaryLogarithm(float x) { return __musa_gpu_log2f(x); }
float reciprocal(float x) { return __musa_gpu_rcpf(x); }
float reciprocalRoot(float x) { return __musa_gpu_rsqrtf(x); }

struct Range {
  const char* name;
  float (*function)(float);
  std::uint32_t first, step, count;  // bits of the first float, and how many floats further the next is
  std::uint64_t hash;                // FNV-1a of the recorded results' bytes
};
constexpr Range kRanges[] = {
    {"sin", sine, 0x3f800000u, 61, 353532, 0xb17af9eb70684635u},
    {"sin_small", sine, 0x2f000000u, 427, 648300, 0x36c28ea4015840dcu},
    {"cos", cosine, 0x40000000u, 61, 216014, 0xa5236816ccbc4f0du},
    {"cos_small", cosine, 0x2f000000u, 427, 667946, 0x300f51871fb7b09du},
    {"log", logarithm, 0x3f28f5c3u, 31, 276013, 0x3501f6ac174d2c10u},
    {"log_wide", logarithm, 0x2e800000u, 427, 654587, 0xa6fa14379e84d2c1u},
    {"exp_wide", exponential, 0x32800000u, 251, 1081997, 0xc9fccc57366bda07u},
    {"exp_negwide", exponential, 0xb2800000u, 251, 1088264, 0x9e5e52cb8ca35525u},
    {"exp", exponential, 0x3e800000u, 21, 1198373, 0x16d3fcf056796a3du},
    {"erfcinv", inverseErfc, 0x3e800000u, 31, 541201, 0xf63107847638fa1bu},
    {"erfcinv_small", inverseErfc, 0x2f000000u, 217, 1198373, 0xb58e01960d7bd32au},
    {"ex2", power, 0x3f000000u, 61, 275037, 0xa1afe48c62cad159u},
    {"ex2_neg", power, 0xbf000000u, 49, 342393, 0x30ad4c2db00a0490u},
    {"lg2", binaryLogarithm, 0x3f400000u, 61, 206278, 0x2424458e49526c6du},
    {"lg2_wide", binaryLogarithm, 0x2b800000u, 1021, 657286, 0xda72d6a262c95dd1u},
    {"rcp", reciprocal, 0x3f800000u, 31, 270601, 0x53fa53ae0ee1d9abu},
    {"rsqrt", reciprocalRoot, 0x3f800000u, 61, 275037, 0x6786d7ea9a13c4ebu},
};

TEST(RandGpuMath, FunctionsGiveWhatWasRecorded) {
  for (const Range& range : kRanges) {
    std::uint64_t hash = 14695981039346656037u;
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const std::uint32_t bits =
          __musa_gpu_bits(range.function(__musa_gpu_float(range.first + i * range.step)));
      for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (bits >> (8 * byte) & 255)) * 1099511628211u;
    }
    EXPECT_EQ(hash, range.hash) << range.name;
  }
}

}  // namespace
