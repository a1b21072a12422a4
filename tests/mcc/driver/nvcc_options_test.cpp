#include "mcc/driver/options/nvcc_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcc/driver/options/options.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Strings translated(const Strings& arguments) {
  NvccTranslation result;
  std::string error;
  EXPECT_TRUE(translateNvccOptions(arguments, OptionDialect::kClang, result, error)) << error;
  return result.arguments;
}

Strings notes(const Strings& arguments) {
  NvccTranslation result;
  std::string error;
  EXPECT_TRUE(translateNvccOptions(arguments, OptionDialect::kClang, result, error)) << error;
  Strings texts;
  for (const OptionNote& note : result.notes) texts.push_back(note.text);
  return texts;
}

// Whether CUDA projects are told of it, which have nvcc's options by right.
bool isLost(const Strings& arguments) {
  NvccTranslation result;
  std::string error;
  EXPECT_TRUE(translateNvccOptions(arguments, OptionDialect::kClang, result, error)) << error;
  return result.notes.size() == 1 && result.notes[0].isLost;
}

std::string mistake(const Strings& arguments) {
  NvccTranslation result;
  std::string error;
  EXPECT_FALSE(translateNvccOptions(arguments, OptionDialect::kClang, result, error));
  return error;
}

TEST(NvccOptions, OthersStayInTheirOrder) {
  const Strings vendors{"-O2",  "-I", "arch", "--offload-arch=mp_22", "-std=c++17", "-t.o",
                        "a.mu", "-o", "lib"};
  EXPECT_EQ(translated(vendors), vendors);
  EXPECT_THAT(notes(vendors), IsEmpty());
}

TEST(NvccOptions, HostOptionsAreMccsOwn) {
  EXPECT_THAT(translated({"-Xcompiler", "-fPIC,-Wall"}), ElementsAre("-fPIC", "-Wall"));
  EXPECT_THAT(translated({"-Xcompiler", "-O3 -march=native"}), ElementsAre("-O3", "-march=native"));
  EXPECT_THAT(translated({"--compiler-options=-fopenmp"}), ElementsAre("-fopenmp"));
  EXPECT_THAT(translated({"-Xcompiler=\"-g,-O0\""}), ElementsAre("-g,-O0")) << "one word of the shell";
  EXPECT_THAT(translated({"-Xlinker", "-rpath,/opt/lib"}), ElementsAre("-Wl,-rpath,/opt/lib"));
  EXPECT_THAT(notes({"-Xlinker", "-lx"}), IsEmpty()) << "clang's own option";
}

TEST(NvccOptions, WhatOnlyGccHasIsLeftOut) {
  EXPECT_THAT(
      translated({"-Xcompiler", "-Wall,-Wlogical-op,-Wno-duplicated-cond,-Werror=logical-op,-Wshadow=local"}),
      ElementsAre("-Wall"));
  EXPECT_THAT(translated({"-Xcompiler", "-Werror,-Wno-error=unused,-Weverything,-W,-Wfatal-errors"}),
              ElementsAre("-Werror", "-Wno-error=unused", "-Weverything", "-W", "-Wfatal-errors"));
  EXPECT_THAT(
      translated({"-Xcompiler", "\"-Wl,-z,now\",-Wframe-larger-than=4096,-ftree-vectorize,-fsplit-stack"}),
      ElementsAre("-Wl,-z,now", "-Wframe-larger-than=4096", "-ftree-vectorize", "-fsplit-stack"));
  EXPECT_THAT(
      translated({"-Xcompiler", "-fno-tree-loop-vectorize,-fipa-pta,-fno-peephole2,-flifetime-dse=1"}),
      IsEmpty());
  EXPECT_THAT(translated({"-Xcompiler", "-fno-such-thing"}), ElementsAre("-fno-such-thing"))
      << "gcc refuses it, too";
  EXPECT_THAT(
      notes({"-Xcompiler", "-Wlogical-op"}),
      ElementsAre(
          "'-Xcompiler -Wlogical-op' is left out (clang compiles the host's code, and has nothing like it)"));
  EXPECT_THAT(translated({"-Wlogical-op"}), ElementsAre("-Wlogical-op"))
      << "clang warns of it, as the user asked clang";
}

TEST(NvccOptions, ArchitecturesOfNvidiaNameNoImage) {
  for (const Strings& given : {Strings{"-arch=sm_80"},
                               {"-arch", "sm_80"},
                               {"-gencode", "arch=compute_90,code=sm_90"},
                               {"-gencode=arch=compute_90,code=\"sm_90,compute_90\""},
                               {"--generate-code=arch=compute_90,code=[compute_90,sm_90]"},
                               {"--gpu-architecture=native", "-code=sm_80"}}) {
    EXPECT_THAT(translated(given), IsEmpty()) << given.front();
    EXPECT_THAT(notes(given).front(), HasSubstr("--offload-arch")) << given.front();
  }
  EXPECT_THAT(translated({"-arch=mp_22"}), ElementsAre("--offload-arch=mp_22"));
  EXPECT_THAT(translated({"-gencode", "arch=mp_31,code=mp_31"}), ElementsAre("--offload-arch=mp_31"));
}

TEST(NvccOptions, WhatNeedsNoOptionIsLeftOutWithItsValue) {
  EXPECT_THAT(translated({"-Xptxas",
                          "-v",
                          "--ptxas-options=-O3",
                          "-ccbin",
                          "g++-12",
                          "-maxrregcount=64",
                          "--expt-relaxed-constexpr",
                          "-expt-extended-lambda",
                          "--extended-lambda",
                          "--threads",
                          "4",
                          "-t=2",
                          "-t0",
                          "-t12",
                          "-t",
                          "3",
                          "-cudart",
                          "shared",
                          "--cudart=static",
                          "-allow-unsupported-compiler",
                          "-Xcudafe",
                          "--diag_suppress=20012",
                          "-diag-suppress",
                          "177",
                          "-prec-div=true",
                          "a.mu"}),
              ElementsAre("a.mu"));
}

TEST(NvccOptions, OptionsWithAMeaningHereKeepIt) {
  EXPECT_THAT(translated({"-lineinfo"}), ElementsAre("-gline-tables-only"));
  EXPECT_THAT(translated({"-G"}), ElementsAre("-g")) << "to clang, -G has a value";
  EXPECT_THAT(translated({"--use_fast_math"}), ElementsAre("-fmusa-flush-denormals-to-zero"));
  EXPECT_THAT(translated({"-ftz=true", "-ftz=false"}), ElementsAre("-fmusa-flush-denormals-to-zero"));
  EXPECT_THAT(translated({"--fmad=false", "-fmad=true"}), ElementsAre("-ffp-contract=off"));
  EXPECT_THAT(translated({"-std", "c++14", "--std", "c++17"}), ElementsAre("-std=c++14", "-std=c++17"));
  EXPECT_THAT(translated({"-fatbin", "--cubin"}), ElementsAre("--musa-module=fatbin", "--musa-module=cubin"));
  EXPECT_THAT(translated({"--output-file", "a", "--library=m"}), ElementsAre("-oa", "-lm"));
  EXPECT_THAT(translated({"--pre-include", "a.h", "--pre-include=b.h"}),
              ElementsAre("-includea.h", "-includeb.h"));
  EXPECT_THAT(translated({"-odir", "out", "--output-directory=out"}),
              ElementsAre("--musa-output-directory=out", "--musa-output-directory=out"));
}

TEST(NvccOptions, WarningKindsAreNoFiles) {
  EXPECT_THAT(translated({"-Werror", "all-warnings", "-Werror", "reorder", "-Werror", "a.mu"}),
              ElementsAre("-Werror", "-Werror=reorder", "-Werror", "a.mu"));
  EXPECT_THAT(translated({"--Werror=all-warnings,reorder"}), ElementsAre("-Werror", "-Werror=reorder"));
  EXPECT_THAT(translated({"-Werror", "default-stream-launch,reorder"}), ElementsAre("-Werror=reorder"));
}

TEST(NvccOptions, Architectures) {
  for (const char* option : {"--list-gpu-arch", "-arch-ls", "--list-gpu-code", "-code-ls"}) {
    Options options;
    std::string error;
    EXPECT_TRUE(parseOptions({option}, options, error)) << error;
    EXPECT_TRUE(options.listArchs) << option;
  }
}

TEST(NvccOptions, WarningKindsThatClangLacksAreNoErrors) {
  EXPECT_THAT(translated({"-Werror=cross-execution-space-call"}), IsEmpty());
  EXPECT_THAT(translated({"-Werror=cross-execution-space-call,reorder"}), ElementsAre("-Werror=reorder"));
  EXPECT_THAT(translated({"-Werror=all-warnings"}), ElementsAre("-Werror"));
  EXPECT_THAT(notes({"-Werror=default-stream-launch"}).front(), HasSubstr("clang's warnings"));
  EXPECT_THAT(translated({"-Werror=return-type"}), ElementsAre("-Werror=return-type")) << "clang's own";
  EXPECT_THAT(notes({"-Werror=return-type"}), IsEmpty());
}

TEST(NvccOptions, LibrariesThatTheSdkHas) {
  EXPECT_THAT(translated({"-lcudart", "-lcuda", "-lnccl", "-lcudadevrt", "-lcublas"}),
              ElementsAre("-lmusart", "-lmusa", "-lmccl", "-lmublas"));
  EXPECT_THAT(translated({"-l", "cudart", "--library=cuda,m", "-l=nccl", "-Xcompiler", "-lcudart"}),
              ElementsAre("-lmusart", "-lmusa", "-lm", "-lmccl", "-lmusart"));
}

TEST(NvccOptions, EveryChangeIsNoted) {
  EXPECT_THAT(notes({"-arch=sm_80", "-Xcompiler", "-Wall", "-lcudart"}),
              ElementsAre("'-arch=sm_80' is left out (images are made for the architectures that "
                          "--offload-arch names)",
                          "'-Xcompiler -Wall' is taken as '-Wall'", "'-lcudart' is taken as '-lmusart'"));
}

TEST(NvccOptions, FoldersInAllSpellings) {
  for (const Strings& given : {Strings{"-isystem=a"}, {"--system-include", "a"}, {"--system-include=a"}})
    EXPECT_THAT(translated(given), ElementsAre("-isystema")) << given.front();
  EXPECT_THAT(translated({"-isystem=a,b\\,c"}), ElementsAre("-isystema", "-isystemb,c"));
  EXPECT_THAT(translated({"-I=a", "-L=b", "-D=C", "-U=D", "-include=e.h", "-o=f", "-MF=g", "-MT=h"}),
              ElementsAre("-Ia", "-Lb", "-DC", "-UD", "-includee.h", "-of", "-MFg", "-MTh"));
  EXPECT_THAT(translated({"--include-path=a,b", "--include-path", "c"}), ElementsAre("-Ia", "-Ib", "-Ic"));
  const Strings clangs{"-isystem", "a", "-isystemb", "-I", "c", "-I/d", "-o", "e", "-DX=1,2"};
  EXPECT_EQ(translated(clangs), clangs);
  EXPECT_THAT(notes(clangs), IsEmpty());
  const Strings inSysroot{"--sysroot=/s", "-isystem=/a", "-I=/b"};
  EXPECT_EQ(translated(inSysroot), inSysroot) << "gcc's and clang's own meaning";
}

TEST(NvccOptions, LevelsLanguagesAndMachines) {
  EXPECT_THAT(translated({"-O", "2", "a.mu"}), ElementsAre("-O2", "a.mu"));
  EXPECT_THAT(translated({"-O=3"}), ElementsAre("-O3"));
  EXPECT_THAT(translated({"--optimize", "1", "-optimize=0"}), ElementsAre("-O1", "-O0"));
  EXPECT_THAT(translated({"-O", "a.mu"}), ElementsAre("-O", "a.mu")) << "clang's own";
  EXPECT_THAT(translated({"--x", "cu", "-x=c++", "-x", "cu"}), ElementsAre("-xcu", "-xc++", "-x", "cu"));
  for (const Strings& given : {Strings{"-m", "64"}, {"--machine=64"}, {"-m=64"}, {"--m64"}})
    EXPECT_THAT(translated(given), IsEmpty()) << given.front();
  EXPECT_THAT(mistake({"-m", "32"}), HasSubstr("64 bits"));
  EXPECT_THAT(translated({"-ftemplate-depth", "9", "--ftemplate-depth=8", "-ftemplate-depth=7"}),
              ElementsAre("-ftemplate-depth=9", "-ftemplate-depth=8", "-ftemplate-depth=7"));
}

TEST(NvccOptions, TheNumberOfDashesDoesNotMatter) {
  EXPECT_THAT(
      translated({"--arch=mp_22", "--gencode=arch=compute_80,code=sm_80", "-gpu-architecture=mp_31",
                  "-ptxas-options=-v", "-compiler-options", "-Wall", "--lineinfo", "--Xcompiler=-g"}),
      ElementsAre("--offload-arch=mp_22", "--offload-arch=mp_31", "-Wall", "-gline-tables-only", "-g"));
}

TEST(NvccOptions, OnesWithoutEffectAreNoted) {
  for (const Strings& given : {Strings{"--compress-mode=size"},
                               {"-compress-mode", "none"},
                               {"-keep-device-functions"},
                               {"-jtd", "50"},
                               {"--jump-table-density=50"},
                               {"-nvlink-opt", "x"},
                               {"-maxrregcount=32"},
                               {"-Xptxas", "-v"},
                               {"--resource-usage"},
                               {"-diag-suppress=20012"}}) {
    EXPECT_THAT(translated(given), IsEmpty()) << given.front();
    EXPECT_TRUE(isLost(given)) << given.front();
  }
  for (const Strings& given : {Strings{"-no-compress"},
                               {"-static-global-template-stub=false"},
                               {"--static-global-template-stub", "true"},
                               {"--forward-unknown-to-host-compiler"},
                               {"-cudadevrt", "none"},
                               {"--cudadevrt=static"},
                               {"-ewp"},
                               {"--extensible-whole-program"},
                               {"-m", "64"},
                               {"-arch=sm_80"}}) {
    EXPECT_THAT(translated(given), IsEmpty()) << given.front();
    EXPECT_FALSE(isLost(given)) << given.front() << ": that is so anyway";
    EXPECT_EQ(notes(given).size(), 1u) << given.front();
  }
}

TEST(NvccOptions, OthersThatMccHasUnderAnotherName) {
  EXPECT_THAT(translated({"-noeh", "--no-exceptions"}), ElementsAre("-fno-exceptions", "-fno-exceptions"));
  EXPECT_THAT(translated({"-nodlink", "--no-device-link"}),
              ElementsAre("--musa-no-device-link", "--musa-no-device-link"));
  EXPECT_THAT(translated({"-sanitize", "memcheck", "--sanitize=memcheck"}),
              ElementsAre("-fmusa-check=memcheck", "-fmusa-check=memcheck"));
  EXPECT_THAT(translated({"--generate-dependencies-with-compile", "--dependency-output=a.d"}),
              ElementsAre("-MD", "-MFa.d"));
  Options options;
  std::string error;
  ASSERT_TRUE(parseOptions({"-x", "cuda", "-nodlink", "-default-stream", "null", "a.o"}, options, error))
      << error;
  EXPECT_FALSE(options.linksDeviceCode);
  EXPECT_FALSE(options.perThreadDefaultStream);
}

TEST(NvccOptions, WhatCannotBeMadeIsRefused) {
  for (const char* option : {"-ptx", "--ptx"}) EXPECT_THAT(mistake({option, "a.cu"}), HasSubstr("'-fatbin'"));
  for (const char* option : {"-cuda", "--cuda"}) EXPECT_THAT(mistake({option, "a.cu"}), HasSubstr("'-c'"));
  EXPECT_THAT(mistake({"-ltoir", "a.cu"}), HasSubstr("'-dc'"));
  EXPECT_THAT(mistake({"--optix-ir", "a.cu"}), HasSubstr("OptiX"));
}

TEST(NvccOptions, MistakesSayTheRemedy) {
  EXPECT_THAT(mistake({"-hls", "gen-lcs", "a.o"}), HasSubstr("linker script"));
  EXPECT_THAT(mistake({"a.mu", "-Xcompiler"}), HasSubstr("'-Xcompiler' needs a value"));
}

TEST(NvccOptions, ReachTheirMeaningInMcc) {
  Options options;
  std::string error;
  ASSERT_TRUE(parseOptions(
      {"-default-stream", "per-thread", "-use_fast_math", "-arch=mp_22", "-fatbin", "a.mu"}, options, error))
      << error;
  EXPECT_TRUE(options.perThreadDefaultStream);
  EXPECT_TRUE(options.flushDenormals);
  EXPECT_THAT(options.archs, ElementsAre(220u));
  EXPECT_EQ(options.passes, Passes::kDeviceOnly);
  EXPECT_EQ(options.nvccNotes.size(), 4u);
}

TEST(NvccOptions, ObjectsAreLinkedWhateverTheLanguage) {
  Options options;
  std::string error;
  ASSERT_TRUE(parseOptions({"-x", "cu", "a.cu", "b.o", "lib/libc.so.1", "d.a", "-o", "x"}, options, error))
      << error;
  ASSERT_EQ(options.inputs.size(), 4u);
  EXPECT_TRUE(options.inputs[0].isCuda);
  for (size_t i = 1; i < 4; ++i) EXPECT_FALSE(options.inputs[i].isMusa) << options.inputs[i].path;
}

}  // namespace
}  // namespace musashim::mcc
