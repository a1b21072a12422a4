#include <gtest/gtest.h>

#include "../Port.h"

namespace musashim::translator {
namespace {

TEST(Assembly, ReductionOfNcclTests) {
  EXPECT_EQ(
      ported(
          "  asm volatile(\"red.global.add.u64 [%0],%1;\" :: \"l\"(bad_elt_n), \"l\"(bad) : \"memory\");\n"),
      "  atomicAdd((unsigned long long*)(bad_elt_n), (unsigned long long)(bad));\n");
}

TEST(Assembly, OutputOperandAndSplitText) {
  EXPECT_EQ(ported("asm(\"bfind\" \".u32 \\t%0, %1;\\n\" : \"=r\"(result) : \"r\"(f(a, b)));"),
            "result = 31 - __clz((int)(f(a, b)));");
}

TEST(Assembly, OtherConstraintsAreNotTheSameInstruction) {
  const std::string_view text = "asm volatile(\"red.global.add.u64 [%0],%1;\" :: \"r\"(p), \"l\"(v));";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "red.global.add.u64");
}

TEST(Assembly, UnknownPtxIsReportedWithItsInstruction) {
  EXPECT_EQ(subjects("asm(\"mov.u32 %0, %%gridid;\" : \"=r\"(x));", FindingKind::Unported), "mov.u32");
  EXPECT_EQ(subjects("asm(\"{\\n .reg .pred p;\\n @p ld.param.u32 %0, [%1];\\n}\" : \"=r\"(x) : \"l\"(p));",
                     FindingKind::Unported),
            "ld.param.u32");
  EXPECT_EQ(subjects("asm volatile(R\"(ld.acquire.cluster.global.u32 %0, [%1];)\" : \"=r\"(x) : \"l\"(p));",
                     FindingKind::Unported),
            "ld.acquire.cluster.global.u32");
}

TEST(Assembly, DirectiveInsideTheStatement) {
  const std::string_view text = "asm(\"membar.gl;\"\n#ifdef X\n: : :\n#endif\n);";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "membar.gl");
  EXPECT_EQ(subjects("asm volatile(\n#if A\n\"bar.arrive 1, 64;\"\n#else\n\"membar.sys;\"\n#endif\n::);",
                     FindingKind::Unported),
            "bar.arrive");
  EXPECT_EQ(
      subjects("asm volatile(\n#if A\n\"\"; asm(\"membar.gl;\" ::: \"memory\");", FindingKind::Unported), "");
  EXPECT_EQ(
      subjects("asm volatile(\n#include <x>\nasm(\"membar.gl;\" ::: \"memory\");", FindingKind::Unported),
      "");
  EXPECT_EQ(subjects("asm(\n#if A\n\"pause\"\n#endif\n);\nasm(\n#if A\nx\n#endif\n); f(\"membar.gl;\");",
                     FindingKind::Unported),
            "");
}

TEST(Assembly, AMissingBracketTakesNothingIn) {
  const std::string_view text = "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane;\n); f(lane);\n";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(ported("asm(\"mov.u32 %0, %1;\" : \"=r\"(x) : \"r\"([] { int y = 1; return y; }()));"),
            "x = (unsigned int)([] { int y = 1; return y; }());");
}

TEST(Assembly, HostAssemblyIsNoneOfOurs) {
  for (const std::string_view text :
       {"asm volatile(\"pause\" ::: \"memory\");", "__asm__ __volatile__(\"mfence\");", "asm(\"\");",
        "asm volatile(\"rep; nop\");", "asm(\"lock; cmpxchgl %2, %1\" : \"=a\"(r), \"+m\"(*p) : \"r\"(n));",
        "asm volatile(CODE : : \"r\"(x));", "asm(", "int asm_count;",
        "asm volatile(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi));", "asm(\"1: b.ne 1b\\n\");",
        "extern int x asm(\"y\");"}) {
    EXPECT_EQ(ported(text), text);
    EXPECT_EQ(subjects(text, FindingKind::Unported), "") << text;
  }
}

}  // namespace
}  // namespace musashim::translator
