#include <gtest/gtest.h>

#include "../Port.h"

namespace musashim::translator {
namespace {

struct Case {
  const char* name;
  std::string_view before;
  std::string_view after;  // empty: unchanged and reported
};

class GuardCases : public testing::TestWithParam<Case> {};

TEST_P(GuardCases, NumberGoesWithName) {
  const Case& c = GetParam();
  const std::string before = "#if " + std::string(c.before) + "\n#endif\n";
  const std::string after = c.after.empty() ? before : "#if " + std::string(c.after) + "\n#endif\n";
  EXPECT_EQ(ported(before), after);
  EXPECT_EQ(ported(after), after);
  EXPECT_EQ(subjects(before, FindingKind::Unported).empty(), !c.after.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Guards, GuardCases,
    testing::Values(Case{"Ampere", "__CUDA_ARCH__ >= 800", "__MUSA_ARCH__ >= 220"},
                    Case{"Hopper", "(__CUDA_ARCH__ >= 900)", "(__MUSA_ARCH__ >= 310)"},
                    Case{"Volta", "__CUDA_ARCH__ >= 700", "__MUSA_ARCH__ >= 210"},
                    Case{"Below", "__CUDA_ARCH__ < 800", "__MUSA_ARCH__ < 220"},
                    Case{"Above", "__CUDA_ARCH__ > 800", "__MUSA_ARCH__ >= 220"},
                    Case{"AboveAda", "__CUDA_ARCH__ > 899", "__MUSA_ARCH__ >= 310"},
                    Case{"AtMost", "__CUDA_ARCH__ <= 750", "__MUSA_ARCH__ < 210"},
                    Case{"Mirrored", "800 <= __CUDA_ARCH__", "220 <= __MUSA_ARCH__"},
                    Case{"MirroredBelow", "900 > __CUDA_ARCH__", "310 > __MUSA_ARCH__"},
                    Case{"MirroredAbove", "899 < __CUDA_ARCH__", "310 <= __MUSA_ARCH__"},
                    Case{"DevicePass", "__CUDA_ARCH__ > 0", "__MUSA_ARCH__ > 0"},
                    Case{"Truth", "__CUDA_ARCH__", "__MUSA_ARCH__"},
                    Case{"Defined", "defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600",
                         "defined(__MUSA_ARCH__) && __MUSA_ARCH__ >= 210"},
                    Case{"NotDefined", "!defined __CUDA_ARCH__", "!defined __MUSA_ARCH__"},
                    Case{"Separator", "__CUDA_ARCH__ >= 8'00", "__MUSA_ARCH__ >= 220"},
                    Case{"Suffix", "CUDART_VERSION >= 11030L", "MUSART_VERSION >= 30100"},
                    Case{"Runtime", "CUDART_VERSION >= 11030", "MUSART_VERSION >= 30100"},
                    Case{"Driver", "CUDA_VERSION < 12000", "MUSA_VERSION < 40000"},
                    Case{"Brackets", "(__CUDA_ARCH__) >= (800)", "(__MUSA_ARCH__) >= (220)"},
                    Case{"DeepBrackets", "((__CUDA_ARCH__)) >= 800 && (((800)) > ((__CUDA_ARCH__)))",
                         "((__MUSA_ARCH__)) >= 220 && (((220)) > ((__MUSA_ARCH__)))"},
                    Case{"BracketsAndTruth", "(__CUDA_ARCH__) && !(__CUDA_ARCH__) || (__CUDA_ARCH__ < 600)",
                         "(__MUSA_ARCH__) && !(__MUSA_ARCH__) || (__MUSA_ARCH__ < 210)"},
                    Case{"Choice", "__CUDA_ARCH__ ? __CUDA_ARCH__ : 1", "__MUSA_ARCH__ ? __MUSA_ARCH__ : 1"},
                    Case{"Hexadecimal", "CUDA_VERSION >= 0x2AF8", "MUSA_VERSION >= 30100"},
                    Case{"Argument", "AT_LEAST(__CUDA_ARCH__, 800)", ""},
                    Case{"OnlyArgument", "LEVEL_OF(__CUDA_ARCH__) >= 800", ""},
                    Case{"Bits", "__CUDA_ARCH__ & 512", ""}, Case{"Shift", "(CUDA_VERSION >> 3) > 1000", ""},
                    Case{"SumInBrackets", "(__CUDA_ARCH__ + 0) >= 800", ""},
                    Case{"OpaqueInBrackets", "(__CUDA_ARCH__) >= (SM)", ""},
                    Case{"SumOnTheRight", "(__CUDA_ARCH__) >= (800 + 60)", ""},
                    Case{"ProductOnTheRight", "__CUDA_ARCH__ >= (8) * 100", ""},
                    Case{"Cast", "static_cast<int>(__CUDA_ARCH__) >= 800", ""},
                    Case{"Blackwell", "__CUDA_ARCH__ >= 1000", ""}, Case{"Exact", "__CUDA_ARCH__ == 700", ""},
                    Case{"Opaque", "__CUDA_ARCH__ >= SM", ""}, Case{"Sum", "CUDA_VERSION >= 11000 + 30", ""},
                    Case{"Arithmetic", "CUDART_VERSION / 1000 >= 11", ""},
                    Case{"Cuda13", "CUDART_VERSION >= 13000", ""},
                    Case{"Release", "__CUDACC_VER_MAJOR__ >= 9", "MUSART_VERSION >= 30100"},
                    Case{"ReleaseBelow", "__CUDACC_VER_MAJOR__ < 12", "MUSART_VERSION < 40000"},
                    Case{"ReleaseAbove", "__CUDACC_VER_MAJOR__ > 8", "MUSART_VERSION >= 30100"},
                    Case{"ReleaseAtMost", "11 >= __CUDACC_VER_MAJOR__", "40000 > MUSART_VERSION"},
                    Case{"ReleaseBeyond", "__CUDACC_VER_MAJOR__ >= 13", ""},
                    Case{"ReleaseExact", "__CUDACC_VER_MAJOR__ == 9 && __CUDACC_VER_MINOR__ >= 1", ""},
                    Case{"ReleaseDefined", "defined(__CUDACC_VER_MAJOR__)", "defined(__MUSACC__)"},
                    Case{"MixedDefined", "defined(CUDART_VERSION) && CUDART_VERSION < NEEDED", ""},
                    Case{"MixedOr", "!defined CUDART_VERSION || (CUDART_VERSION < NEEDED)", ""},
                    Case{"MixedRange", "CUDA_VERSION >= 11000 && NEEDED > CUDA_VERSION", ""},
                    Case{"MixedNames", "__CUDA_ARCH__ >= 800 && CUDART_VERSION / 1000 < 12", ""},
                    Case{"MixedExact", "defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 700", ""},
                    Case{"MixedCompiler",
                         "defined(__CUDACC__) && __CUDACC_VER_MINOR__ < 4 && CUDA_VERSION < X", ""},
                    Case{"MixedLibrary", "defined(__CUDACC__) && CUBLAS_VERSION < 11000", ""},
                    Case{"MixedHeader", "__has_include(<cuda_fp8.h>) && CUDART_VERSION < NEEDED", ""},
                    Case{"MixedChoice", "CUDA_VERSION ? CUDA_VERSION < NEEDED : 1", ""},
                    Case{"MixedLines", "defined(CUDART_VERSION) && \\\n CUDART_VERSION < NEEDED", ""},
                    Case{"ReleaseCombined", "__CUDACC_VER_MAJOR__ * 100 >= 1100", ""}),
    [](const auto& info) { return info.param.name; });

// They read as 0, so they say of MUSA what is right, and the rest of the condition is translated.
TEST(Guards, ComparisonsWithWhatNoMusaReachesStayAlone) {
  const auto expectBeyond = [](const std::string& before, const std::string& after,
                               std::string_view subject) {
    EXPECT_EQ(ported("#if " + before + "\n#endif\n"), "#if " + after + "\n#endif\n");
    EXPECT_EQ(subjects("#if " + before + "\n#endif\n", FindingKind::Unported), subject);
  };
  expectBeyond("CUDA_VERSION >= 11000 && CUDA_VERSION < 13000",
               "MUSA_VERSION >= 30100 && CUDA_VERSION < 13000", "CUDA_VERSION");
  expectBeyond("(CUDART_VERSION >= 13000) || defined(__CUDACC__)",
               "(CUDART_VERSION >= 13000) || defined(__MUSACC__)", "CUDART_VERSION");
  expectBeyond("defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000",
               "defined(__MUSA_ARCH__) && __CUDA_ARCH__ >= 1000", "__CUDA_ARCH__");
  expectBeyond("!defined(__CUDA_ARCH__) || 1000 > __CUDA_ARCH__",
               "!defined(__MUSA_ARCH__) || 1000 > __CUDA_ARCH__", "__CUDA_ARCH__");
  expectBeyond("__CUDACC_VER_MAJOR__ >= 11 && __CUDACC_VER_MAJOR__ <= 12",
               "MUSART_VERSION >= 30100 && __CUDACC_VER_MAJOR__ <= 12", "__CUDACC_VER_MAJOR__");
  const std::string whole =
      "#if CUDA_VERSION < 13000 && CUDA_VERSION != 12010 && defined(__CUDACC__)\n#endif\n";
  EXPECT_EQ(ported(whole), whole);
}

TEST(Guards, EachConditionIsAWholeOfItsOwn) {
  const std::string_view text =
      "#if defined(CUDART_VERSION) && CUDART_VERSION < NEEDED\n#elif CUDART_VERSION >= 11000 && "
      "defined(__CUDACC__)\n#endif\n#ifdef CUDART_VERSION\n#endif\n";
  EXPECT_EQ(ported(text),
            "#if defined(CUDART_VERSION) && CUDART_VERSION < NEEDED\n#elif MUSART_VERSION >= 30100 && "
            "defined(__MUSACC__)\n#endif\n#ifdef MUSART_VERSION\n#endif\n");
  EXPECT_EQ(subjects(text, FindingKind::Unported), "CUDART_VERSION");
  EXPECT_EQ(subjects("#if CUDA_VERSION < OLD && defined(__CUDACC__) && defined(__CUDA_ARCH__)\n#endif\n",
                     FindingKind::Unported),
            "CUDA_VERSION __CUDACC__ __CUDA_ARCH__");
}

TEST(Guards, MacrosThatStandForConditionsAreWholes) {
  const std::string_view text =
      "#define OLD (defined(CUDART_VERSION) && CUDART_VERSION < NEEDED)\n"
      "#define BELOW(n) (CUDART_VERSION < (n))\n"
      "#if defined(CUDART_VERSION) && BELOW(12000)\n#endif\n#if OLD && defined(__CUDA_ARCH__)\n#endif\n";
  EXPECT_EQ(
      ported(text),
      "#define OLD (defined(CUDART_VERSION) && CUDART_VERSION < NEEDED)\n"
      "#define BELOW(n) (0/*CUDART_VERSION*/ < (n))\n"
      "#if defined(CUDART_VERSION) && BELOW(12000)\n#endif\n#if OLD && defined(__CUDA_ARCH__)\n#endif\n");
  EXPECT_EQ(
      ported(
          "#define NEW (defined(CUDA_VERSION) && CUDA_VERSION >= 11000)\n#if NEW && __CUDA_ARCH__ >= 800\n"),
      "#define NEW (defined(MUSA_VERSION) && MUSA_VERSION >= 30100)\n#if NEW && __MUSA_ARCH__ >= 220\n");
  EXPECT_EQ(ported("#define RUN(x) do { if (CUDA_VERSION < N) cudaFree(x); } while (0)\n"),
            "#define RUN(x) do { if (0/*CUDA_VERSION*/ < N) musaFree(x); } while (0)\n");
}

PortOptions reversed() {
  static const Lexicon toCuda(Direction::ToCuda, nullptr);
  static const Prefilter prefilter(toCuda);
  PortOptions options;
  options.lexicon = &toCuda;
  options.prefilter = &prefilter;
  return options;
}

/// `before` becomes `after`, once and for all, and comes back.
void expectCode(const std::string& before, const std::string& after) {
  EXPECT_EQ(ported(before), after);
  EXPECT_EQ(ported(after), after);
  EXPECT_EQ(ported(after, reversed()), before);
}

TEST(GuardsInCode, WhatTheProgramAskedForMeetsMusasNumber) {
  expectCode("bool f(int v) { return v == CUDART_VERSION; }",
             "bool f(int v) { return v == MUSART_VERSION; }");
  expectCode("if (driver < CUDART_VERSION) warn();", "if (driver < MUSART_VERSION) warn();");
  expectCode("if (CUDA_VERSION > of(device).driver) warn();",
             "if (MUSA_VERSION > of(device).driver) warn();");
  expectCode("same = (v == CUFFT_VERSION) && v != CUSPARSE_VERSION;",
             "same = (v == MUFFT_VERSION) && v != MUSPARSE_VERSION;");
  expectCode("same = CUBLAS_VER_MAJOR == version.major;", "same = MUBLAS_VER_MAJOR == version.major;");
  expectCode("return v / 1000 == CUDART_VERSION / 1000;", "return v / 1000 == MUSART_VERSION / 1000;");
  expectCode("static_assert(CUDA_VERSION == CUDART_VERSION, \"\");",
             "static_assert(MUSA_VERSION == MUSART_VERSION, \"\");");
  expectCode("static_assert(CUFFT_VERSION == CUFFT_VER_MAJOR * 1000, \"\");",
             "static_assert(MUFFT_VERSION == MUFFT_VER_MAJOR * 1000, \"\");");
  EXPECT_EQ(subjects("if (v == CUDART_VERSION) f();", FindingKind::Unported), "");
}

TEST(GuardsInCode, NumbersOfNvidiasGoThroughTheTables) {
  EXPECT_EQ(ported("constexpr int m = CUDART_VERSION >= 12000 ? 1 : 0;"),
            "constexpr int m = MUSART_VERSION >= 40000 ? 1 : 0;");
  EXPECT_EQ(ported("int a[CUDART_VERSION > 3 ? 1 : 2];"), "int a[MUSART_VERSION >= 30100 ? 1 : 2];");
  EXPECT_EQ(ported("if (11000 <= CUDA_VERSION) f();"), "if (30100 <= MUSA_VERSION) f();");
  EXPECT_EQ(ported("bool b = is<(CUDA_VERSION >= 12000)>() && is<CUDA_VERSION < 12000>();"),
            "bool b = is<(MUSA_VERSION >= 40000)>() && is<MUSA_VERSION < 40000>();");
}

TEST(GuardsInCode, WhatNoNumberIsRightForReadsAsZero) {
  expectCode("if (CUDART_VERSION >= 13000) f();", "if (0/*CUDART_VERSION*/ >= 13000) f();");
  expectCode("if (CUDART_VERSION == 11040) f();", "if (0/*CUDART_VERSION*/ == 11040) f();");
  expectCode("if (CUBLAS_VERSION < 11000) f();", "if (0/*CUBLAS_VERSION*/ < 11000) f();");
  expectCode("if (NEEDED > CUDA_VERSION) f();", "if (NEEDED > 0/*CUDA_VERSION*/) f();");
  expectCode("if (CUDART_VERSION / 1000 >= 11) f();", "if (0/*CUDART_VERSION*/ / 1000 >= 11) f();");
  expectCode("if ((CUDART_VERSION % 1000) / 10 < kMinor) f();",
             "if ((0/*CUDART_VERSION*/ % 1000) / 10 < kMinor) f();");
  expectCode("if (CUDA_VERSION >= 11000 && CUDA_VERSION < NEEDED) f();",
             "if (0/*CUDA_VERSION*/ >= 11000 && 0/*CUDA_VERSION*/ < NEEDED) f();");
  EXPECT_EQ(subjects("if (CUDART_VERSION >= 13000) f();", FindingKind::Unported), "CUDART_VERSION");
  // Beyond all of MUSA: right as it stands.
  EXPECT_EQ(ported("if (CUDA_VERSION >= 11000 && CUDA_VERSION < 13000) f();"),
            "if (MUSA_VERSION >= 30100 && 0/*CUDA_VERSION*/ < 13000) f();");
}

TEST(GuardsInCode, OtherSignsAreNoComparisons) {
  expectCode("X<CUDART_VERSION> x; enum { E = CUDART_VERSION };",
             "X<MUSART_VERSION> x; enum { E = MUSART_VERSION };");
  expectCode("f<int, CUDART_VERSION>(3);", "f<int, MUSART_VERSION>(3);");
  expectCode("X<Y<CUDART_VERSION>> x; A<CUDA_VERSION, 3> y;",
             "X<Y<MUSART_VERSION>> x; A<MUSA_VERSION, 3> y;");
  expectCode("template <int V = CUDART_VERSION> API void f();",
             "template <int V = MUSART_VERSION> API void f();");
  expectCode("std::cout << CUDA_VERSION << ' ' << 3;", "std::cout << MUSA_VERSION << ' ' << 3;");
  expectCode("std::cout << 3 << CUFFT_VERSION << END;", "std::cout << 3 << MUFFT_VERSION << END;");
  expectCode("x = p->CUDA_VERSION_; y = 1 << CUDART_VERSION >> 2;",
             "x = p->CUDA_VERSION_; y = 1 << MUSART_VERSION >> 2;");
  expectCode("auto o = v <=> CUDART_VERSION;", "auto o = v <=> MUSART_VERSION;");
}

TEST(GuardsInCode, MacrosByWhatIsGivenToThem) {
  expectCode("#define SAME(v) ((v) == CUDART_VERSION)\nbool b = SAME(driver);\n",
             "#define SAME(v) ((v) == MUSART_VERSION)\nbool b = SAME(driver);\n");
  expectCode("#define SAME(v) ((v) == CUDART_VERSION)\n#if SAME(11000)\n#endif\nbool b = SAME(x);\n",
             "#define SAME(v) ((v) == 0/*CUDART_VERSION*/)\n#if SAME(11000)\n#endif\nbool b = SAME(x);\n");
  expectCode(
      "#define AT_LEAST(n) (CUDART_VERSION >= (n) && CUBLAS_VERSION >= (n))\nbool b = AT_LEAST(11000);\n",
      "#define AT_LEAST(n) (0/*CUDART_VERSION*/ >= (n) && 0/*CUBLAS_VERSION*/ >= (n))\nbool b = "
      "AT_LEAST(11000);\n");
}

TEST(Guards, ConditionOfPtxStaysWhole) {
  const std::string_view text =
      "#if CUDART_VERSION >= 11000 && !(__CUDA_ARCH__ >= 900)\nasm(\"wgmma.fence.sync.aligned;\");\n#endif\n";
  EXPECT_EQ(ported(text), text);
}

TEST(Guards, NcclNumbersAreMccl) {
  EXPECT_EQ(ported("#if NCCL_VERSION_CODE >= NCCL_VERSION(2,28,0)\n"),
            "#if MCCL_VERSION_CODE >= MCCL_VERSION(2,28,0)\n");
}

TEST(Guards, LibrariesCountTheirOwnVersions) {
  const std::string_view text = "#if CUBLAS_VERSION >= 11000 || CUSPARSE_VER_MAJOR == 12\n#endif\n";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "CUBLAS_VERSION CUSPARSE_VER_MAJOR");
  EXPECT_EQ(ported("#ifdef CUBLAS_VERSION\n#endif\nint v = CUBLAS_VERSION;"),
            "#ifdef MUBLAS_VERSION\n#endif\nint v = MUBLAS_VERSION;");
}

TEST(Guards, ValueInCodeIsRenamedAndNoted) {
  EXPECT_EQ(ported("int v = CUDART_VERSION / 1000;"), "int v = MUSART_VERSION / 1000;");
  EXPECT_EQ(subjects("int v = CUDART_VERSION / 1000;", FindingKind::Note), "CUDART_VERSION");
}

TEST(Guards, ReleaseInCodeStaysAndIsReported) {
  const std::string_view text = "int v = __CUDACC_VER_MAJOR__;";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "__CUDACC_VER_MAJOR__");
}

TEST(Guards, BranchWithPtxStaysClosed) {
  const std::string_view text =
      "#if __CUDA_ARCH__ >= 900\n  asm volatile(\"multimem.st.global.f32 [%0], %1;\" :: \"l\"(a), "
      "\"f\"(v));\n#else\n  store(a, v);\n#endif\n"
      "#if __CUDA_ARCH__ >= 900\n#endif\n";
  const std::string_view after =
      "#if __CUDA_ARCH__ >= 900\n  asm volatile(\"multimem.st.global.f32 [%0], %1;\" :: \"l\"(a), "
      "\"f\"(v));\n#else\n  store(a, v);\n#endif\n"
      "#if __MUSA_ARCH__ >= 310\n#endif\n";
  EXPECT_EQ(ported(text), after);
  EXPECT_EQ(ported(after), after);
  EXPECT_EQ(subjects(text, FindingKind::Note), "__CUDA_ARCH__");
}

TEST(Guards, OnlyTheInnermostGuardOfPtxStays) {
  EXPECT_EQ(ported("#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__ >= "
                   "800\nasm(\"wgmma.fence.sync.aligned;\");\n#endif\n#endif\n"),
            "#ifdef __MUSA_ARCH__\n#if __CUDA_ARCH__ >= "
            "800\nasm(\"wgmma.fence.sync.aligned;\");\n#endif\n#endif\n");
}

TEST(Guards, PortedPtxOpensItsBranch) {
  EXPECT_EQ(ported("#if __CUDA_ARCH__ >= 800\nasm volatile(\"membar.gl;\");\n#endif\n"),
            "#if __MUSA_ARCH__ >= 220\n__threadfence();\n#endif\n");
}

}  // namespace
}  // namespace musashim::translator
