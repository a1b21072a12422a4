// Maxima and minima of three, of sums, with a floor of zero, with predicates.
#include "../../framework/apply.h"

CONFORMANCE_CASE("library.three_way");

APPLY2(int, int, __vimax_s32_relu);
APPLY2(unsigned, unsigned, __vimax_s16x2_relu);
APPLY3(int, int, __vimax3_s32);
APPLY3(int, int, __vimax3_s32_relu);
APPLY3(unsigned, unsigned, __vimax3_u32);
APPLY3(unsigned, unsigned, __vimax3_s16x2);
APPLY3(unsigned, unsigned, __vimax3_u16x2);
APPLY3(unsigned, unsigned, __vimax3_s16x2_relu);
APPLY3(int, int, __viaddmax_s32);
APPLY3(int, int, __viaddmax_s32_relu);
APPLY3(unsigned, unsigned, __viaddmax_u32);
APPLY3(unsigned, unsigned, __viaddmax_s16x2);
APPLY3(unsigned, unsigned, __viaddmax_u16x2);
APPLY3(unsigned, unsigned, __viaddmax_s16x2_relu);
struct APPLIED(max_s32) {
  typedef int Result;
  typedef int Operand;
  __device__ int operator()(int a, int b) const {
    bool first = false;
    const int result = __vibmax_s32(a, b, &first);
    return static_cast<int>(result) ^ (first ? 0x5a5a5a5a : 0);
  }
};
struct APPLIED(max_u32) {
  typedef int Result;
  typedef unsigned Operand;
  __device__ int operator()(unsigned a, unsigned b) const {
    bool first = false;
    const unsigned result = __vibmax_u32(a, b, &first);
    return static_cast<int>(result) ^ (first ? 0x5a5a5a5a : 0);
  }
};
struct APPLIED(max_s16x2) {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned a, unsigned b) const {
    bool high = false, low = false;
    const unsigned result = __vibmax_s16x2(a, b, &high, &low);
    return result ^ (high ? 0x5a5a0000u : 0u) ^ (low ? 0x00003c3cu : 0u);
  }
};
struct APPLIED(max_u16x2) {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned a, unsigned b) const {
    bool high = false, low = false;
    const unsigned result = __vibmax_u16x2(a, b, &high, &low);
    return result ^ (high ? 0x5a5a0000u : 0u) ^ (low ? 0x00003c3cu : 0u);
  }
};
APPLY2(int, int, __vimin_s32_relu);
APPLY2(unsigned, unsigned, __vimin_s16x2_relu);
APPLY3(int, int, __vimin3_s32);
APPLY3(int, int, __vimin3_s32_relu);
APPLY3(unsigned, unsigned, __vimin3_u32);
APPLY3(unsigned, unsigned, __vimin3_s16x2);
APPLY3(unsigned, unsigned, __vimin3_u16x2);
APPLY3(unsigned, unsigned, __vimin3_s16x2_relu);
APPLY3(int, int, __viaddmin_s32);
APPLY3(int, int, __viaddmin_s32_relu);
APPLY3(unsigned, unsigned, __viaddmin_u32);
APPLY3(unsigned, unsigned, __viaddmin_s16x2);
APPLY3(unsigned, unsigned, __viaddmin_u16x2);
APPLY3(unsigned, unsigned, __viaddmin_s16x2_relu);
struct APPLIED(min_s32) {
  typedef int Result;
  typedef int Operand;
  __device__ int operator()(int a, int b) const {
    bool first = false;
    const int result = __vibmin_s32(a, b, &first);
    return static_cast<int>(result) ^ (first ? 0x5a5a5a5a : 0);
  }
};
struct APPLIED(min_u32) {
  typedef int Result;
  typedef unsigned Operand;
  __device__ int operator()(unsigned a, unsigned b) const {
    bool first = false;
    const unsigned result = __vibmin_u32(a, b, &first);
    return static_cast<int>(result) ^ (first ? 0x5a5a5a5a : 0);
  }
};
struct APPLIED(min_s16x2) {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned a, unsigned b) const {
    bool high = false, low = false;
    const unsigned result = __vibmin_s16x2(a, b, &high, &low);
    return result ^ (high ? 0x5a5a0000u : 0u) ^ (low ? 0x00003c3cu : 0u);
  }
};
struct APPLIED(min_u16x2) {
  typedef unsigned Result;
  typedef unsigned Operand;
  __device__ unsigned operator()(unsigned a, unsigned b) const {
    bool high = false, low = false;
    const unsigned result = __vibmin_u16x2(a, b, &high, &low);
    return result ^ (high ? 0x5a5a0000u : 0u) ^ (low ? 0x00003c3cu : 0u);
  }
};

int main() {
  const std::vector<int> numbers = {0, 1, -1, 2147483647, -2147483647 - 1, 7, -5, 1000000000};
  const std::vector<unsigned> words = {0u,          0xffffffffu, 0x80007fffu, 0x7fff8000u,
                                       0x00010002u, 0xfffe0003u, 0x12348765u};
  OBSERVE("__vimax_s32_relu", appliedToPairs<APPLIED(__vimax_s32_relu)>(numbers));
  OBSERVE("__vimax_s16x2_relu", appliedToPairs<APPLIED(__vimax_s16x2_relu)>(words));
  OBSERVE("__vimax3_s32", appliedToTriples<APPLIED(__vimax3_s32)>(numbers));
  OBSERVE("__vimax3_s32_relu", appliedToTriples<APPLIED(__vimax3_s32_relu)>(numbers));
  OBSERVE("__vimax3_u32", appliedToTriples<APPLIED(__vimax3_u32)>(words));
  OBSERVE("__vimax3_s16x2", appliedToTriples<APPLIED(__vimax3_s16x2)>(words));
  OBSERVE("__vimax3_u16x2", appliedToTriples<APPLIED(__vimax3_u16x2)>(words));
  OBSERVE("__vimax3_s16x2_relu", appliedToTriples<APPLIED(__vimax3_s16x2_relu)>(words));
  OBSERVE("__viaddmax_s32", appliedToTriples<APPLIED(__viaddmax_s32)>(numbers));
  OBSERVE("__viaddmax_s32_relu", appliedToTriples<APPLIED(__viaddmax_s32_relu)>(numbers));
  OBSERVE("__viaddmax_u32", appliedToTriples<APPLIED(__viaddmax_u32)>(words));
  OBSERVE("__viaddmax_s16x2", appliedToTriples<APPLIED(__viaddmax_s16x2)>(words));
  OBSERVE("__viaddmax_u16x2", appliedToTriples<APPLIED(__viaddmax_u16x2)>(words));
  OBSERVE("__viaddmax_s16x2_relu", appliedToTriples<APPLIED(__viaddmax_s16x2_relu)>(words));
  OBSERVE("__vibmax_s32", appliedToPairs<APPLIED(max_s32)>(numbers));
  OBSERVE("__vibmax_u32", appliedToPairs<APPLIED(max_u32)>(words));
  OBSERVE("__vibmax_s16x2", appliedToPairs<APPLIED(max_s16x2)>(words));
  OBSERVE("__vibmax_u16x2", appliedToPairs<APPLIED(max_u16x2)>(words));
  OBSERVE("__vimin_s32_relu", appliedToPairs<APPLIED(__vimin_s32_relu)>(numbers));
  OBSERVE("__vimin_s16x2_relu", appliedToPairs<APPLIED(__vimin_s16x2_relu)>(words));
  OBSERVE("__vimin3_s32", appliedToTriples<APPLIED(__vimin3_s32)>(numbers));
  OBSERVE("__vimin3_s32_relu", appliedToTriples<APPLIED(__vimin3_s32_relu)>(numbers));
  OBSERVE("__vimin3_u32", appliedToTriples<APPLIED(__vimin3_u32)>(words));
  OBSERVE("__vimin3_s16x2", appliedToTriples<APPLIED(__vimin3_s16x2)>(words));
  OBSERVE("__vimin3_u16x2", appliedToTriples<APPLIED(__vimin3_u16x2)>(words));
  OBSERVE("__vimin3_s16x2_relu", appliedToTriples<APPLIED(__vimin3_s16x2_relu)>(words));
  OBSERVE("__viaddmin_s32", appliedToTriples<APPLIED(__viaddmin_s32)>(numbers));
  OBSERVE("__viaddmin_s32_relu", appliedToTriples<APPLIED(__viaddmin_s32_relu)>(numbers));
  OBSERVE("__viaddmin_u32", appliedToTriples<APPLIED(__viaddmin_u32)>(words));
  OBSERVE("__viaddmin_s16x2", appliedToTriples<APPLIED(__viaddmin_s16x2)>(words));
  OBSERVE("__viaddmin_u16x2", appliedToTriples<APPLIED(__viaddmin_u16x2)>(words));
  OBSERVE("__viaddmin_s16x2_relu", appliedToTriples<APPLIED(__viaddmin_s16x2_relu)>(words));
  OBSERVE("__vibmin_s32", appliedToPairs<APPLIED(min_s32)>(numbers));
  OBSERVE("__vibmin_u32", appliedToPairs<APPLIED(min_u32)>(words));
  OBSERVE("__vibmin_s16x2", appliedToPairs<APPLIED(min_s16x2)>(words));
  OBSERVE("__vibmin_u16x2", appliedToPairs<APPLIED(min_u16x2)>(words));
}
