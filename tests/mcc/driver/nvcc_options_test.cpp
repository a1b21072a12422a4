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
  EXPECT_TRUE(translateNvccOptions(arguments, result, error)) << error;
  return result.arguments;
}

Strings notes(const Strings& arguments) {
  NvccTranslation result;
  std::string error;
  EXPECT_TRUE(translateNvccOptions(arguments, result, error)) << error;
  return result.notes;
}

std::string mistake(const Strings& arguments) {
  NvccTranslation result;
  std::string error;
  EXPECT_FALSE(translateNvccOptions(arguments, result, error));
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
  EXPECT_THAT(translated({"-Xcompiler=\"-g,-O0\""}), ElementsAre("-g", "-O0"));
  EXPECT_THAT(translated({"-Xlinker", "-rpath,/opt/lib"}), ElementsAre("-Wl,-rpath,/opt/lib"));
  EXPECT_THAT(notes({"-Xlinker", "-lx"}), IsEmpty()) << "clang's own option";
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
  EXPECT_THAT(translated({"-fatbin", "--ptx"}), ElementsAre("--musa-device-only", "--musa-device-only"));
  EXPECT_THAT(translated({"--output-file", "a", "--library=m"}), ElementsAre("-oa", "-lm"));
  EXPECT_THAT(translated({"--pre-include", "a.h", "--pre-include=b.h"}),
              ElementsAre("-includea.h", "-includeb.h"));
  EXPECT_THAT(translated({"-odir", "out", "--output-directory=out"}),
              ElementsAre("--musa-output-directory=out", "--musa-output-directory=out"));
}

TEST(NvccOptions, WarningKindsAreNoFiles) {
  EXPECT_THAT(translated({"-Werror", "all-warnings", "-Werror", "reorder", "-Werror", "a.mu"}),
              ElementsAre("-Werror", "-Werror", "a.mu"));
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
              ElementsAre("-lmusart", "-lmusa", "-lmccl", "-lcublas"));
}

TEST(NvccOptions, EveryChangeIsNoted) {
  EXPECT_THAT(notes({"-arch=sm_80", "-Xcompiler", "-Wall", "-lcudart"}),
              ElementsAre("'-arch=sm_80' is left out (images are made for the architectures that "
                          "--offload-arch names)",
                          "'-Xcompiler -Wall' is taken as '-Wall'", "'-lcudart' is taken as '-lmusart'"));
}

TEST(NvccOptions, MistakesSayTheRemedy) {
  EXPECT_THAT(mistake({"--lib", "a.o"}), HasSubstr("ar rcs"));
  EXPECT_THAT(mistake({"a.mu", "-Xcompiler"}), HasSubstr("'-Xcompiler' needs a value"));
}

TEST(NvccOptions, ReachTheirMeaningInMcc) {
  Options options;
  std::string error;
  ASSERT_TRUE(parseOptions({"-default-stream", "per-thread", "-use_fast_math", "-arch=mp_22", "-ptx", "a.mu"},
                           options, error))
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
