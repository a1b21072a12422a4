// Integer instructions of inline PTX, each over pairs or triples of awkward operands.
#include "../../framework/apply.h"

CONFORMANCE_CASE("language.ptx_integer");

__device__ inline unsigned mulHi(unsigned a, unsigned b) {
  unsigned r;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline int mulHiSigned(int a, int b) {
  int r;
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned long long mulWide(unsigned a, unsigned b) {
  unsigned long long r;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline long long mulWideSigned(int a, int b) {
  long long r;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned madLo(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned madHi(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned long long mulHiLong(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}

__device__ inline int minimum(int a, int b) {
  int r;
  asm("min.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned long long maximumLong(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("max.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}

__device__ inline int absolute(int a) {
  int r;
  asm("abs.s32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline int negated(int a) {
  int r;
  asm("neg.s32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned difference(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline int differenceSigned(int a, int b, int c) {
  int r;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned population(unsigned a) {
  unsigned r;
  asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned populationLong(unsigned long long a) {
  unsigned r;
  asm("popc.b64 %0, %1;" : "=r"(r) : "l"(a));
  return r;
}

__device__ inline unsigned leading(unsigned a) {
  unsigned r;
  asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned leadingLong(unsigned long long a) {
  unsigned r;
  asm("clz.b64 %0, %1;" : "=r"(r) : "l"(a));
  return r;
}

__device__ inline unsigned reversed(unsigned a) {
  unsigned r;
  asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned highest(unsigned a) {
  unsigned r;
  asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned highestSigned(int a) {
  unsigned r;
  asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned highestLong(unsigned long long a) {
  unsigned r;
  asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(a));
  return r;
}

__device__ inline unsigned shiftAmount(unsigned a) {
  unsigned r;
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned field(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline int fieldSigned(int a, int b, int c) {
  int r;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned fieldConstant(unsigned a, unsigned b) {
  unsigned r;
  asm("{\n\t.reg .u32 t;\n\tbfe.u32 t, %1, 4, 12;\n\tadd.u32 %0, t, %2;\n\t}" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned insert(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("bfi.b32 %0, %1, %2, %3, 7;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned permuted(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned permutedConstant(unsigned a, unsigned b) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned parity(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned majority(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned choice(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned oddLogic(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0x1B;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned shiftLeft(unsigned a, unsigned b) {
  unsigned r;
  asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned shiftRight(unsigned a, unsigned b) {
  unsigned r;
  asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline int shiftRightSigned(int a, int b) {
  int r;
  asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned funnelWrap(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned funnelClamp(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned dotUnsigned(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline int dotSigned(int a, int b, int c) {
  int r;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}

__device__ inline unsigned carries(unsigned a, unsigned b) {
  unsigned r;
  asm("{\n\t.reg .u32 t;\n\tadd.cc.u32 t, %1, %2;\n\taddc.u32 %0, %1, 0;\n\txor.b32 %0, %0, t;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}

__device__ inline unsigned long long borrows(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("{\n\t.reg .u64 t;\n\tsub.cc.u64 t, %1, %2;\n\tsubc.u64 %0, %2, 0;\n\txor.b64 %0, %0, t;\n\t}"
      : "=l"(r)
      : "l"(a), "l"(b));
  return r;
}

__device__ inline int selected(int a, int b) {
  int r;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %1, %2;\n\tselp.s32 %0, %1, 7, p;\n\t@p add.s32 %0, %0, "
      "1;\n\t@!p sub.s32 %0, %0, %2;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}

__device__ inline int signByte(unsigned a) {
  int r;
  asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned lowHalf(unsigned a) {
  unsigned r;
  asm("cvt.u32.u16 %0, %1;" : "=r"(r) : "r"(a));
  return r;
}

__device__ inline unsigned long long halves(unsigned long long a) {
  unsigned long long r;
  asm("{\n\t.reg .b32 lo, hi;\n\tmov.b64 {lo, hi}, %1;\n\tmov.b64 %0, {hi, lo};\n\t}" : "=l"(r) : "l"(a));
  return r;
}

APPLY2(unsigned, unsigned, mulHi);
APPLY2(int, int, mulHiSigned);
APPLY2(unsigned long long, unsigned, mulWide);
APPLY2(long long, int, mulWideSigned);
APPLY3(unsigned, unsigned, madLo);
APPLY3(unsigned, unsigned, madHi);
APPLY2(unsigned long long, unsigned long long, mulHiLong);
APPLY2(int, int, minimum);
APPLY2(unsigned long long, unsigned long long, maximumLong);
APPLY1(int, int, absolute);
APPLY1(int, int, negated);
APPLY3(unsigned, unsigned, difference);
APPLY3(int, int, differenceSigned);
APPLY1(unsigned, unsigned, population);
APPLY1(unsigned, unsigned long long, populationLong);
APPLY1(unsigned, unsigned, leading);
APPLY1(unsigned, unsigned long long, leadingLong);
APPLY1(unsigned, unsigned, reversed);
APPLY1(unsigned, unsigned, highest);
APPLY1(unsigned, int, highestSigned);
APPLY1(unsigned, unsigned long long, highestLong);
APPLY1(unsigned, unsigned, shiftAmount);
APPLY3(unsigned, unsigned, field);
APPLY3(int, int, fieldSigned);
APPLY2(unsigned, unsigned, fieldConstant);
APPLY3(unsigned, unsigned, insert);
APPLY3(unsigned, unsigned, permuted);
APPLY2(unsigned, unsigned, permutedConstant);
APPLY3(unsigned, unsigned, parity);
APPLY3(unsigned, unsigned, majority);
APPLY3(unsigned, unsigned, choice);
APPLY3(unsigned, unsigned, oddLogic);
APPLY2(unsigned, unsigned, shiftLeft);
APPLY2(unsigned, unsigned, shiftRight);
APPLY2(int, int, shiftRightSigned);
APPLY3(unsigned, unsigned, funnelWrap);
APPLY3(unsigned, unsigned, funnelClamp);
APPLY3(unsigned, unsigned, dotUnsigned);
APPLY3(int, int, dotSigned);
APPLY2(unsigned, unsigned, carries);
APPLY2(unsigned long long, unsigned long long, borrows);
APPLY2(int, int, selected);
APPLY1(int, unsigned, signByte);
APPLY1(unsigned, unsigned, lowHalf);
APPLY1(unsigned long long, unsigned long long, halves);

int main() {
  const std::vector<unsigned> words = {
      0u,   1u,      2u,      5u,      31u,         32u,         33u,         63u,         255u,
      256u, 0x8000u, 0x7654u, 0xfedcu, 0x12345678u, 0x7fffffffu, 0x80000000u, 0xdeadbeefu, 0xffffffffu};
  const std::vector<int> numbers(words.begin(), words.end());
  const std::vector<unsigned long long> longs = {0u,
                                                 1u,
                                                 255u,
                                                 0x80000000u,
                                                 0xffffffffu,
                                                 0x100000000u,
                                                 0x123456789abcdef0u,
                                                 0x8000000000000000u,
                                                 0xffffffffffffffffu};
  OBSERVE("mulHi", appliedToPairs<APPLIED(mulHi)>(words));
  OBSERVE("mulHiSigned", appliedToPairs<APPLIED(mulHiSigned)>(numbers));
  OBSERVE("mulWide", appliedToPairs<APPLIED(mulWide)>(words));
  OBSERVE("mulWideSigned", appliedToPairs<APPLIED(mulWideSigned)>(numbers));
  OBSERVE("madLo", appliedToTriples<APPLIED(madLo)>(words));
  OBSERVE("madHi", appliedToTriples<APPLIED(madHi)>(words));
  OBSERVE("mulHiLong", appliedToPairs<APPLIED(mulHiLong)>(longs));
  OBSERVE("minimum", appliedToPairs<APPLIED(minimum)>(numbers));
  OBSERVE("maximumLong", appliedToPairs<APPLIED(maximumLong)>(longs));
  OBSERVE("absolute", appliedToEach<APPLIED(absolute)>(numbers));
  OBSERVE("negated", appliedToEach<APPLIED(negated)>(numbers));
  OBSERVE("difference", appliedToTriples<APPLIED(difference)>(words));
  OBSERVE("differenceSigned", appliedToTriples<APPLIED(differenceSigned)>(numbers));
  OBSERVE("population", appliedToEach<APPLIED(population)>(words));
  OBSERVE("populationLong", appliedToEach<APPLIED(populationLong)>(longs));
  OBSERVE("leading", appliedToEach<APPLIED(leading)>(words));
  OBSERVE("leadingLong", appliedToEach<APPLIED(leadingLong)>(longs));
  OBSERVE("reversed", appliedToEach<APPLIED(reversed)>(words));
  OBSERVE("highest", appliedToEach<APPLIED(highest)>(words));
  OBSERVE("highestSigned", appliedToEach<APPLIED(highestSigned)>(numbers));
  OBSERVE("highestLong", appliedToEach<APPLIED(highestLong)>(longs));
  OBSERVE("shiftAmount", appliedToEach<APPLIED(shiftAmount)>(words));
  OBSERVE("field", appliedToTriples<APPLIED(field)>(words));
  OBSERVE("fieldSigned", appliedToTriples<APPLIED(fieldSigned)>(numbers));
  OBSERVE("fieldConstant", appliedToPairs<APPLIED(fieldConstant)>(words));
  OBSERVE("insert", appliedToTriples<APPLIED(insert)>(words));
  OBSERVE("permuted", appliedToTriples<APPLIED(permuted)>(words));
  OBSERVE("permutedConstant", appliedToPairs<APPLIED(permutedConstant)>(words));
  OBSERVE("parity", appliedToTriples<APPLIED(parity)>(words));
  OBSERVE("majority", appliedToTriples<APPLIED(majority)>(words));
  OBSERVE("choice", appliedToTriples<APPLIED(choice)>(words));
  OBSERVE("oddLogic", appliedToTriples<APPLIED(oddLogic)>(words));
  OBSERVE("shiftLeft", appliedToPairs<APPLIED(shiftLeft)>(words));
  OBSERVE("shiftRight", appliedToPairs<APPLIED(shiftRight)>(words));
  OBSERVE("shiftRightSigned", appliedToPairs<APPLIED(shiftRightSigned)>(numbers));
  OBSERVE("funnelWrap", appliedToTriples<APPLIED(funnelWrap)>(words));
  OBSERVE("funnelClamp", appliedToTriples<APPLIED(funnelClamp)>(words));
  OBSERVE("dotUnsigned", appliedToTriples<APPLIED(dotUnsigned)>(words));
  OBSERVE("dotSigned", appliedToTriples<APPLIED(dotSigned)>(numbers));
  OBSERVE("carries", appliedToPairs<APPLIED(carries)>(words));
  OBSERVE("borrows", appliedToPairs<APPLIED(borrows)>(longs));
  OBSERVE("selected", appliedToPairs<APPLIED(selected)>(numbers));
  OBSERVE("signByte", appliedToEach<APPLIED(signByte)>(words));
  OBSERVE("lowHalf", appliedToEach<APPLIED(lowHalf)>(words));
  OBSERVE("halves", appliedToEach<APPLIED(halves)>(longs));
}
