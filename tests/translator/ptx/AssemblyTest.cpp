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
  EXPECT_EQ(subjects("asm(\"{\\n .reg .pred p;\\n @p mov.u32 %0, %%gridid;\\n}\" : \"=r\"(x) : \"l\"(p));",
                     FindingKind::Unported),
            "mov.u32");
  EXPECT_EQ(subjects("asm volatile(R\"(ld.acquire.cluster.global.u32 %0, [%1];)\" : \"=r\"(x) : \"l\"(p));",
                     FindingKind::Unported),
            "ld.acquire.cluster.global.u32");
}

TEST(Assembly, DirectiveInsideTheStatement) {
  const std::string_view text = "asm(\"membar.gl;\"\n#ifdef X\n: : :\n#endif\n);";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "membar.gl");
  EXPECT_EQ(
      subjects("asm volatile(\n#if A\n\"wgmma.fence.sync.aligned;\"\n#else\n\"membar.sys;\"\n#endif\n::);",
               FindingKind::Unported),
      "wgmma.fence.sync.aligned");
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

TEST(Assembly, AnIfThatChoosesTextsStandsBetweenTheResults) {
  EXPECT_EQ(
      ported(
          "asm volatile(\n#if __CUDA_ARCH__ >= 800\n\"membar.sys;\"\n#else\n\"membar.gl;\"\n#endif\n::);\n"),
      "do {\n#if __MUSA_ARCH__ >= 220\n__threadfence_system()\n\n;\n#else\n__threadfence()\n\n;\n#endif\n} "
      "while (0);\n");
  const std::string text =
      "asm(\"add.u32 %0, %1, %2;\"\n#ifdef TWICE\n \" add.u32 %0, %0, %1;\"\n#endif\n : \"+r\"(m) : "
      "\"r\"(a), \"r\"(b));";
  const std::string after = ported(text);
  EXPECT_EQ(after.find("asm"), std::string::npos) << after;
  EXPECT_NE(after.find("#ifdef TWICE\n"), std::string::npos) << after;
  EXPECT_NE(after.find("#else\n"), std::string::npos) << after;
  EXPECT_EQ(ported(after), after);
  const std::string_view unknown =
      "asm(\n#if A\n\"membar.gl;\"\n#else\n\"wgmma.fence.sync.aligned;\"\n#endif\n);";
  EXPECT_EQ(ported(unknown), unknown);
  EXPECT_NE(subjects(unknown, FindingKind::Unported), "");
}

TEST(Assembly, MacrosOfTheFileStandForText) {
  const std::string defines =
      "#define OP \"ld.global.nc.u32\"\n#define ALIAS OP\n#define PTR \"l\"\n#define DIFFERS "
      "\"ld.global.u32\"\n"
      "#undef DIFFERS\n#define DIFFERS \"ld.global.cg.u32\"\n";
  EXPECT_EQ(ported(defines + "asm volatile(OP \" %0, [%1];\" : \"=r\"(v) : PTR(p));"),
            defines + "v = __ldg((unsigned int*)(p));");
  EXPECT_EQ(ported(defines + "asm(ALIAS\" %0, [%1];\" : \"=\" \"r\"(v) : PTR (p));"),
            defines + "v = __ldg((unsigned int*)(p));");
  const std::string differs = defines + "asm(DIFFERS \" %0, [%1];\" : \"=r\"(v) : \"l\"(p));";
  EXPECT_EQ(ported(differs), differs);
  EXPECT_EQ(subjects("asm(OP \".u32 %0, [%1];\" : \"=r\"(v) : \"l\"(p));", FindingKind::Unported),
            "macro.u32");
}

// The macro's text is as many instructions as it is used with, also by way of other macros.
TEST(Assembly, ArgumentsOfMacrosStandForText) {
  const std::string use = "LOAD(load_cg, cg)\nLOAD(load_cs, cs)\n";
  const std::string head =
      "#define LOAD(name, mod) __device__ unsigned name(const unsigned* p) { unsigned r; ";
  const std::string text =
      head + "asm volatile(\"ld.\"#mod\".u32 %0, [%1];\" : \"=r\"(r) : \"l\"(p)); return r; }\n";
  const std::string each =
      head +
      "do { if (__builtin_strcmp(#mod, \"cg\") == 0) { r = __ldcg((unsigned int*)(p)); } else "
      "if (__builtin_strcmp(#mod, \"cs\") == 0) { r = __ldcs((unsigned int*)(p)); } else "
      "__trap(); } while (0); return r; }\n";
  EXPECT_EQ(ported(text + use), each + use);
  const std::string through = "#define BOTH(n, kind) LOAD(a##n, kind) LOAD(b##n, cs)\nBOTH(1, cg)\n";
  EXPECT_EQ(ported(text + through), each + through);
  // Never used, used with what is no instruction, or defined twice: it stays.
  for (const std::string& other : {std::string(), std::string("LOAD(a, what)\n"), use + text}) {
    EXPECT_EQ(ported(text + other), text + other);
    EXPECT_NE(subjects(text + other, FindingKind::Unported), "");
  }
}

TEST(Assembly, MasksAndShufflesAreOf32Lanes) {
  EXPECT_NE(ported("asm(\"mov.u32 %0, %%lanemask_lt;\" : \"=r\"(m));").find("% 32)) - 1u"),
            std::string::npos);
  EXPECT_NE(ported("asm(\"shfl.sync.idx.b32 %0, %1, %2, %3, 0xffffffff;\" : \"=r\"(r) : \"r\"(x), \"r\"(3), "
                   "\"r\"(c));")
                .find("inside ? from : (int)lane, 32)"),
            std::string::npos);
}

TEST(Assembly, HintsAreDropped) {
  for (const std::string_view code : {"prefetch.global.L2", "prefetch.global.L2::evict_last", "prefetch.L1",
                                      "prefetchu.L1", "prefetch.local.L1", "prefetch.param.tensormap"})
    EXPECT_EQ(ported("asm volatile(\"" + std::string(code) + " [%0];\" :: \"l\"(p));"), "(void)(void*)(p);")
        << code;
}

TEST(Assembly, OtherProcessorsArePtxsNamesakes) {
  for (const std::string_view code :
       {"flw %0, 0(%1)",
        "fadd.s %0, %1, %2",
        "fence.i",
        "fence.tso",
        "vle32.v v0, (%0)",
        "vadd.vv v0, v1, v2",
        "vsetvli t0, %0, e32, m8, ta, ma\\n vle8.v v1, (%1)\\n vfmacc.vf v0, %2, v1",
        "amoadd.w %0, %1, (%2)",
        "lr.d.aq %0, (%1)",
        "vadd.f32 q0, q1, q2",
        "vmax.s32 q0, q1, q2",
        "ld1 {v0.4s}, [%0]",
        "add v0.4s, v1.4s, v2.4s",
        "b.ne 1f",
        "add.s %0, %1, %2",
        "cvt.s.w %0, %1",
        "mul.d %0, %1, %2",
        "ld.d %0, %1, 0",
        "ld.bu %0, %1, 0",
        "mov.l %1, %0",
        "and. %0, %1, %2",
        "xvld $xr0, %0, 0",
        "xvfadd.s $xr0, $xr1, $xr2",
        "ldr.w r0, [%0]",
        ".p2align 4",
        "move.l %0, %1"}) {
    const std::string text = "__asm__ volatile(\"" + std::string(code) + "\" : \"=r\"(x) : \"r\"(y));";
    EXPECT_EQ(ported(text), text);
    EXPECT_EQ(subjects(text, FindingKind::Unported), "") << text;
  }
  for (const std::string_view code :
       {"ld.global.v4.f32", "shf.r.clamp.b32", "vadd.u32.u32.u32.add", "vote.sync.any.pred",
        "tcgen05.alloc.cta_group::1.sync", "fence.mbarrier_init.release.cluster"})
    EXPECT_NE(subjects("asm(\"" + std::string(code) + " %0, x_y;\" : \"=r\"(x));", FindingKind::Unported), "")
        << code;
}

}  // namespace
}  // namespace musashim::translator
