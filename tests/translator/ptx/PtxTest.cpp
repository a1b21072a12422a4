#include <gtest/gtest.h>

#include "../Port.h"
#include "translator/lib/ptx/ptx_logic.h"
#include "translator/lib/ptx/ptx_parser.h"
#include "translator/lib/ptx/ptx_types.h"

namespace musashim::translator {
namespace {

struct Case {
  const char* name;
  std::string_view before;
  std::string_view after;
};

class PtxCases : public testing::TestWithParam<Case> {};

TEST_P(PtxCases, BecomesCpp) {
  const Case& c = GetParam();
  EXPECT_EQ(ported(c.before), c.after);
  EXPECT_EQ(subjects(c.before, FindingKind::Unported), "");
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, PtxCases,
    testing::Values(
        Case{"SignedWraps", R"(asm("add.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(f()));)",
             "x = (unsigned int)(a) + (unsigned int)(f());"},
        Case{"SumOfDifferences",
             R"(asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(c));)",
             "x = __vsadu4((unsigned int)(a), (unsigned int)(b)) + (unsigned int)(c);"},
        Case{"Immediate", R"(asm("shl.b32 %0, %1, 3;" : "=r"(x) : "r"(a));)", "x = (unsigned int)(a) << 3u;"},
        Case{"Pointer", R"(asm volatile("ld.global.cg.u32 %0, [%1+8];" : "=r"(x) : "l"(p));)",
             "x = __ldcg((unsigned int*)((char*)(p) + 8));"},
        Case{"HintsAreDropped",
             R"(asm volatile("ld.global.nc.L1::no_allocate.L2::256B.f32 %0, [%1];" : "=f"(x) : "l"(p));)",
             "x = __ldg((float*)(p));"},
        Case{"PointerResult", R"(asm("cvta.to.global.u64 %0, %1;" : "=l"(q) : "l"(p));)",
             "q = (__typeof__(q))((unsigned long long)(p));"},
        Case{"NarrowResult", R"(asm("mul.lo.u16 %0, %1, %2;" : "=h"(x) : "h"(a), "h"(b));)",
             "x = (unsigned short)((unsigned short)(a) * (unsigned short)(b));"},
        Case{"SpecialRegister", R"(asm("mov.u32 %0, %%ctaid.y;" : "=r"(x));)", "x = blockIdx.y;"},
        Case{"Multiprocessor", R"(asm volatile("mov.u32 %0, %%smid;" : "=r"(x));)", "x = __musa_smid();"},
        Case{"BasicAsmHasOnePercent", R"(asm("bar.sync 0;");)", "__syncthreads();"},
        Case{"Barrier", R"(asm volatile("barrier.sync.aligned 0;" ::: "memory");)", "__syncthreads();"},
        Case{"NamedBarrier", R"(asm volatile("bar.sync %0, %1;" :: "r"(id), "n"(64));)",
             "__musa_bar_sync((unsigned int)(id), (unsigned int)(64));"},
        Case{"ArrivalAtBarrier", R"(asm volatile("barrier.cta.arrive 3, 96;" ::: "memory");)",
             "__musa_bar_arrive(3u, 96u);"},
        Case{"BarrierWithoutCount", R"(asm volatile("barrier.sync %0;" :: "r"(id));)",
             "__musa_bar_sync((unsigned int)(id), 0u);"},
        Case{"Exit", R"(asm("exit;");)", "__musa_exit_thread();"},
        Case{"OlderOrder", R"(asm("ld.global.relaxed.gpu.b32 %0, [%1];" : "=r"(x) : "l"(p));)",
             "x = *(const volatile unsigned int*)(unsigned int*)(p);"},
        Case{"TruePredicate", R"(asm("vote.sync.ballot.b32 %0, 1, %1;" : "=r"(x) : "r"(m));)",
             "x = __ballot_sync((unsigned int)(m), true);"},
        Case{"HexFloat", R"(asm("mul.rn.f32 %0, %1, 0f3F800000;" : "=f"(x) : "f"(a));)",
             "x = __fmul_rn((a), __uint_as_float(0x3F800000u));"},
        Case{"Lop3", R"(asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(x) : "r"(a), "r"(b), "r"(c));)",
             "x = (unsigned int)(a) ^ ((unsigned int)(b) ^ (unsigned int)(c));"},
        Case{"OperandsArePorted", R"(asm("mov.u32 %0, %1;" : "=r"(x) : "r"(cudaDevAttrWarpSize));)",
             "x = (unsigned int)(musaDevAttrWarpSize);"},
        Case{"Shuffle",
             R"(asm("shfl.sync.bfly.b32 %0, %1, %2, 0x181f, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(m));)",
             "x = __shfl_xor_sync((unsigned int)(m), (unsigned int)(a), (unsigned int)(b), 8);"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Blocks, PtxCases,
    testing::Values(
        Case{"TwiceUsedOperandIsEvaluatedOnce", R"(asm("bfind.s32 %0, %1;" : "=r"(x) : "r"(f()));)",
             "do { unsigned int ptx0; unsigned int ptx1 = (unsigned int)(f()); ptx0 = 31 - __clz((int)ptx1 < "
             "0 ? "
             "~(int)ptx1 : (int)ptx1); x = ptx0; } while (0);"},
        Case{"Predicate",
             R"(asm("{.reg .pred p; setp.ne.s32 p, %1, 0; @!p mov.u32 %0, 7;}" : "+r"(x) : "r"(a));)",
             "do { unsigned int ptx0 = (unsigned int)(x); unsigned int ptx1 = (unsigned int)(a); bool ptx_p; "
             "ptx_p = "
             "(int)ptx1 != 0; if (!ptx_p) { ptx0 = 7u; } x = ptx0; } while (0);"},
        Case{"Vector", R"(asm("st.global.v2.f32 [%0], {%1, %2};" :: "l"(p), "f"(a), "f"(b));)",
             "*(float2*)(p) = make_float2((a), (b));"},
        Case{"NumberInBraces",
             R"(asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(x) : "r"(s));)",
             "#if defined(__MUSACC__)  // of inline PTX, which needs none\n#include "
             "<musa_warp_matrix.h>\n#endif\n#line 1\n"
             "do { unsigned int ptx0; unsigned int ptx1 = (unsigned int)(s); unsigned int ptxt0 = "
             "__musa_warp_ldmatrix_x1((void*)__cvta_shared_to_generic((size_t)(ptx1))); ptx0 = ptxt0; x = "
             "ptx0; } "
             "while (0);"},
        Case{
            "EightNumbers",
            R"(asm("wmma.store.d.sync.aligned.row.m16n16k8.f32 [%0], {%1,%1,%1,%1,%1,%1,%1,%2};" :: "l"(p), "f"(a), "f"(b));)",
            "#if defined(__MUSACC__)  // of inline PTX, which needs none\n#include "
            "<musa_warp_matrix.h>\n#endif\n#line 1\n"
            "__musa_warp_wmma_store_d_m16n16k8_f32((void*)(p), __musa_floatx8{{(a), (a), (a), (a), (a), (a), "
            "(a), "
            "(b)}}, 0u, true);"},
        Case{"Halves", R"(asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(v));)",
             "do { unsigned int ptx0; unsigned int ptx1; unsigned long long ptx2 = (unsigned long long)(v); "
             "ptx0 = "
             "(unsigned int)ptx2; ptx1 = (unsigned int)(ptx2 >> 32); lo = ptx0; hi = ptx1; } while (0);"},
        Case{"CopyIsPlain",
             R"(asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "l"(s), "l"(g));)",
             "*(uint4*)__cvta_shared_to_generic((size_t)(s)) = *(uint4*)(g);"},
        Case{"LinesAreKept",
             "asm(\"add.u32 %0, %1, %2;\"\n    : \"=r\"(x)\n    : \"r\"(a), \"r\"(b));\nnext();\n",
             "x = (unsigned int)(a) + (unsigned int)(b)\n\n;\nnext();\n"},
        Case{"InAMacro", "#define F(x) asm(\"add.u32 %0, %0, 1;\" \\\n : \"+r\"(x))\n",
             "#define F(x) do { \\\n  unsigned int ptx0 = (unsigned int)(x); ptx0 = ptx0 + 1u; x = ptx0; } "
             "while (0)\n"}),
    [](const auto& info) { return info.param.name; });

TEST(Ptx, WhatHasNoCounterpartIsReportedWithItsMeaning) {
  const auto findings =
      portSource(
          R"(asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1}, {%2}, {%3}, {%0,%1}, %4, 0x0;" : "+f"(a), "+f"(b) : "r"(c), "r"(d), "r"(e));)",
          {}, noProject())
          .findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].subject, "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  EXPECT_NE(findings[0].reason.find("sparse matrices"), std::string::npos);
  EXPECT_NE(findings[0].remedy.find("musa_warp_matrix.h"), std::string::npos);
}

// What stands before it, to the line that keeps the file's numbers.
std::string behindTheCarry(const std::string& text) {
  constexpr std::string_view kEnd = "#line 1\n";
  const std::size_t end = text.find(kEnd);
  return end == std::string::npos ? text : text.substr(end + kEnd.size());
}

TEST(Ptx, CarryGoesFromStatementToStatement) {
  const std::string both = ported(
      R"(asm("add.cc.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b)); asm("addc.u32 %0, %1, 0;" : "=r"(y) : "r"(c));)");
  EXPECT_TRUE(both.starts_with("#if defined(__MUSACC__) && !defined(MUSAPORT_CARRY)")) << both;
  EXPECT_NE(both.find("static inline __device__ bool& musaportCarry() {"), std::string::npos);
  EXPECT_EQ(behindTheCarry(both),
            "do { unsigned int ptx0; unsigned int ptx1 = (unsigned int)(a); unsigned int ptx2 = (unsigned "
            "int)(b); bool& ptxc = musaportCarry(); unsigned int ptxt0; ptxt0 = ptx1 + ptx2; ptxc = ptxt0 < "
            "ptx1; ptx0 = ptxt0; x = ptx0; } while (0); y = (unsigned int)(c) + 0u + musaportCarry();");
  EXPECT_EQ(ported(both), both);
}

TEST(Ptx, CarryOfOneStatementIsItsOwn) {
  const std::string sum = ported(
      R"(asm("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;" : "=r"(x), "=r"(y) : "r"(a), "r"(b), "r"(c), "r"(d));)");
  EXPECT_EQ(sum.find("musaportCarry"), std::string::npos) << sum;
  EXPECT_NE(sum.find("bool ptxc = false;"), std::string::npos) << sum;
}

TEST(Ptx, WhatNeedsAHeaderBringsIt) {
  const std::string_view half = R"(asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x) : "f"(a));)";
  const std::string with = ported(half);
  EXPECT_TRUE(
      with.starts_with("#if defined(__MUSACC__)  // of inline PTX, which needs none\n#include <musa_fp16.h>\n"
                       "#endif\n#line 1\nx = "))
      << with;
  EXPECT_EQ(ported(with), with);
  EXPECT_EQ(ported(R"(asm("fma.rn.bf16 %0, %1, %1, %1;" : "=h"(x) : "h"(a));)").find("musa_fp16.h"),
            std::string::npos);
  const std::string both = ported(
      std::string(half) +
      R"(asm("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "l"(b)); asm("addc.u32 %0, %1, 0;" : "=r"(y) : "r"(c));)");
  EXPECT_NE(both.find("musa_fp16.h>\n#include <musa_awbarrier_primitives.h>"), std::string::npos) << both;
  EXPECT_NE(both.find("#endif\n#if defined(__MUSACC__) && !defined(MUSAPORT_CARRY)"), std::string::npos)
      << both;
}

TEST(Ptx, FilesThatHaveTheHeaderStayAsTheyAre) {
  const std::string half = R"(asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x) : "f"(a));)";
  for (const std::string before : {"#include <cuda_fp16.h>\n", "__half f();\n"})
    EXPECT_EQ(ported(before + half).find("of inline PTX"), std::string::npos) << before;
}

TEST(Ptx, WithoutCcTheCarryStays) {
  const std::string sums = ported(
      R"(asm("sub.cc.u32 %0, %0, %2; subc.u32 %1, %1, 0; addc.u32 %0, %0, 1;" : "+r"(x), "+r"(y) : "r"(a));)");
  EXPECT_EQ(sums.find("ptxc = ", sums.find("ptxc = ptx0 <") + 1), std::string::npos) << sums;
}

TEST(Ptx, CarryInWindowsFilesAndBehindAByteOrderMark) {
  const std::string text =
      ported("\xEF\xBB\xBF//\r\nasm(\"addc.u32 %0, %1, 0;\" : \"=r\"(x) : \"r\"(a));\r\n");
  EXPECT_TRUE(text.starts_with("\xEF\xBB\xBF#if defined(__MUSACC__)")) << text;
  EXPECT_NE(text.find("#line 1\r\n//\r\nx = "), std::string::npos) << text;
}

TEST(Ptx, WarpOperationsOfBeforeMasks) {
  const std::string vote =
      ported(R"(asm("{.reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p;}" : "=r"(x) : "r"(a));)");
  EXPECT_NE(vote.find("ptx0 = __ballot_sync(__activemask(), ptx_p);"), std::string::npos) << vote;
  EXPECT_EQ(ported(R"(asm("shfl.up.b32 %0, %1, 1, 0;" : "=r"(x) : "r"(a));)"),
            "x = __shfl_up_sync(__activemask(), (unsigned int)(a), 1u, 32);");
}

TEST(Ptx, InputThatServesAsARegister) {
  EXPECT_EQ(ported(R"(asm("and.b32 %2, %1, %2; or.b32 %0, %2, 1;" : "=r"(x) : "r"(a), "r"(b));)"),
            "do { unsigned int ptx0; unsigned int ptx1 = (unsigned int)(a); unsigned int ptx2 = (unsigned "
            "int)(b); ptx2 = ptx1 & ptx2; ptx0 = ptx2 | 1u; x = ptx0; } while (0);");
}

TEST(Ptx, OneUnknownInstructionKeepsTheWholeStatement) {
  for (
      const std::string_view text :
      {R"(asm("{.reg .u32 t; add.u32 t, %1, 1; wgmma.fence.sync.aligned; mov.u32 %0, t;}" : "=r"(x) : "r"(a));)",
       R"(asm("add.u32 %0, %1, 1; bra L;" : "=r"(x) : "r"(a));)",     // jumps out of the statement
       R"(asm("add.u32 %0, %1, 1;" : : "r"(x), "r"(a));)",            // writes to an input
       R"(asm("add.u32 %[out], %1, 1;" : [out] "=r"(x) : "r"(a));)",  // named operands
       R"(asm("add.f32 %0, %1, %1;" : "=r"(x) : "d"(a));)",           // types that do not meet
       R"(asm("ld.global.u32 %0, [%1];" : "=r"(x) : "r"(a));)",       // an address of 32 bits
       "#define M(d, t) asm(\"shfl.sync.\" #d \".b32 %0, %1, 1, 31, -1;\" : \"=r\"(t) : \"r\"(t))\n",
       R"(asm("mov.u32 %0, %%gridid;" : "=r"(x));)", R"(asm("wgmma.fence.sync.aligned;");)"}) {
    EXPECT_EQ(ported(text), text);
    EXPECT_NE(subjects(text, FindingKind::Unported), "") << text;
  }
}

TEST(Ptx, JumpsStayInTheBlock) {
  const std::string text =
      ported(R"(asm("{.reg .pred p; L: add.u32 %0, %0, 1; setp.lt.u32 p, %0, 10; @p bra L;}" : "+r"(x));)");
  EXPECT_EQ(
      text,
      "do { __label__ ptxl_L; unsigned int ptx0 = (unsigned int)(x); bool ptx_p; ptxl_L:; ptx0 = ptx0 + 1u; "
      "ptx_p = ptx0 < 10u; if (ptx_p) goto ptxl_L; x = ptx0; } while (0);");
}

TEST(Ptx, HintsTakeTheirOperandAlong) {
  EXPECT_EQ(
      ported(R"(asm("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(x) : "l"(p), "l"(hint));)"),
      "do { unsigned int ptx0; unsigned long long ptx1 = (unsigned long long)(p); ptx0 = *(const unsigned "
      "int*)(unsigned int*)ptx1; x = ptx0; } while (0);");
}

TEST(Ptx, DenormalsAreWorthANote) {
  const auto result =
      portSource(R"(asm("fma.rn.ftz.f32 %0, %1, %1, %1;" : "=f"(x) : "f"(a));)", {}, noProject());
  EXPECT_EQ(result.text, "x = __fmaf_rn((a), (a), (a));");
  EXPECT_NE(subjects(R"(asm("fma.rn.ftz.f32 %0, %1, %1, %1;" : "=f"(x) : "f"(a));)", FindingKind::Note), "");
}

TEST(Ptx, LogicOfEveryTable) {
  // Evaluates the text for a = 0xF0, b = 0xCC, c = 0xAA, for which the table itself is the result.
  struct Evaluator {
    std::string_view text;
    std::size_t at = 0;
    unsigned expression() {
      unsigned value = term();
      while (at < text.size() && text[at] != ')') {
        const char sign = text[at + 1];
        at += 3;
        const unsigned right = term();
        value = sign == '&' ? value & right : sign == '|' ? value | right : value ^ right;
      }
      return value;
    }
    unsigned term() {
      if (text[at] == '~') return ++at, ~term();
      if (text[at] == '(') {
        ++at;
        const unsigned value = expression();
        return ++at, value;
      }
      if (text[at] == '0') return at += 2, 0U;
      const char which = text[at + 1];
      at += 2;
      return which == '1' ? 0xF0U : which == '2' ? 0xCCU : 0xAAU;
    }
  };
  for (unsigned table = 0; table < 256; ++table) {
    const std::string text = logicOf(table);
    EXPECT_EQ(Evaluator{text}.expression() & 0xFFU, table) << text;
  }
}

TEST(Ptx, Literals) {
  EXPECT_EQ(integerOf("0x1F"), 31U);
  EXPECT_EQ(integerOf("017U"), 15U);
  EXPECT_EQ(integerOf("0b101"), 5U);
  EXPECT_EQ(integerOf("-1"), ~0ULL);
  EXPECT_FALSE(integerOf("12x"));
  EXPECT_FALSE(integerOf(""));
  EXPECT_EQ(literalOf("-5", "s32"), "(-5)");
  EXPECT_EQ(literalOf("1.5", "f32"), "1.5f");
  EXPECT_EQ(literalOf("-1.5e-3", "f64"), "(-1.5e-3)");
  EXPECT_EQ(literalOf("5", "f32"), "");
  EXPECT_EQ(literalOf("51$i.u32.f3233", "f32"), "");
  EXPECT_EQ(literalOf("1.5x", "f32"), "");
  EXPECT_EQ(literalOf("0x10U", "u64"), "0x10ull");
}

TEST(Ptx, NumbersMayHaveASignedExponent) {
  PtxProgram program;
  std::string problem;
  ASSERT_TRUE(parsePtx("mul.f64 a, 1.5e-3, 2.0E+4;", true, program, problem)) << problem;
  EXPECT_EQ(program.instructions[0].operands[1].text, "1.5e-3");
  EXPECT_EQ(program.instructions[0].operands[2].text, "2.0E+4");
  ASSERT_TRUE(parsePtx("ld.u32 a, [b+4]; ld.u32 a, [b-0x1e];", true, program, problem)) << problem;
}

TEST(Ptx, ParserRefusesInWords) {
  for (const std::string_view text : {"add.u32 %0 %1;", "ld.u32 %0, [%1;", ".shared .b8 x[4];", "add.u32 ,;",
                                      "{", "@p", "mov.u32 %0, {{{{{{{{{{a;"}) {
    PtxProgram program;
    std::string problem;
    if (!parsePtx(text, true, program, problem)) EXPECT_FALSE(problem.empty()) << text;
  }
}

}  // namespace
}  // namespace musashim::translator
