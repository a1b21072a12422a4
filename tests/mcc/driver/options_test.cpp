#include "mcc/driver/options/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "mcc/driver/options/clang_options.h"
#include "mcc/driver/options/outputs.h"

namespace musashim::mcc {
namespace {

Options parsed(const std::vector<std::string>& arguments) {
  Options options;
  std::string error;
  EXPECT_TRUE(parseOptions(arguments, options, error)) << error;
  return options;
}

std::string mistake(const std::vector<std::string>& arguments) {
  Options options;
  std::string error;
  EXPECT_FALSE(parseOptions(arguments, options, error));
  return error;
}

TEST(MccOptions, VendorCommandLineLinks) {
  const Options options = parsed({"p2p.mu", "-o", "p2p", "-lmusart"});
  EXPECT_EQ(options.phase, Phase::kLink);
  EXPECT_EQ(options.output, "p2p");
  ASSERT_EQ(options.inputs.size(), 1u);
  EXPECT_TRUE(options.inputs[0].isMusa);
  EXPECT_TRUE(options.archs.empty()) << "no architecture named: all of them";
}

TEST(MccOptions, WordsForTheLinkerLeaveItToThem) {
  EXPECT_FALSE(instructsLinker(parsed({"a.mu", "-o", "a", "-Lb", "-lmusart", "-static-libgcc"})));
  EXPECT_TRUE(instructsLinker(parsed({"a.mu", "-fuse-ld=bfd"})));
  EXPECT_TRUE(instructsLinker(parsed({"a.mu", "--ld-path=/usr/bin/ld"})));
  EXPECT_TRUE(instructsLinker(parsed({"a.mu", "-Wl,-rpath,/opt"})));
  EXPECT_TRUE(instructsLinker(parsed({"a.mu", "-Xlinker", "-rpath=/opt"})));
  EXPECT_TRUE(instructsLinker(parsed({"a.mu", "-T", "sections.ld"})));
}

TEST(MccOptions, PhasesAreClangs) {
  EXPECT_EQ(parsed({"-c", "a.mu"}).phase, Phase::kCompile);
  EXPECT_EQ(parsed({"-E", "a.mu"}).phase, Phase::kPreprocess);
  EXPECT_EQ(parsed({"-S", "a.mu"}).phase, Phase::kAssemble);
  EXPECT_EQ(parsed({"-M", "a.mu"}).phase, Phase::kDependencies);
  EXPECT_EQ(parsed({"-fsyntax-only", "a.mu"}).phase, Phase::kSyntaxOnly);
  EXPECT_EQ(parsed({"-MD", "-c", "a.mu"}).phase, Phase::kCompile) << "-MD writes beside the object";
}

TEST(MccOptions, ArchitecturesAccumulateOnce) {
  const Options options = parsed({"--offload-arch=mp_22,mp_31", "--cuda-gpu-arch=mp_31", "-c", "a.mu"});
  EXPECT_EQ(options.archs, (std::vector<uint32_t>{220, 310}));
}

TEST(MccOptions, VendorsLacksAreNamedOnRequest) {
  EXPECT_FALSE(parsed({"a.mu"}).warnVendor);
  EXPECT_TRUE(parsed({"-Wvendor", "a.mu"}).warnVendor);
  EXPECT_FALSE(parsed({"-Wvendor", "-Wno-vendor", "a.mu"}).warnVendor);
  EXPECT_EQ(parsed({"-ccbin", "g++", "a.mu"}).words, (std::vector<std::string>{"-ccbin", "g++", "a.mu"}));
}

TEST(MccOptions, UnknownArchitectureNamesTheKnownOnes) {
  const std::string error = mistake({"--offload-arch=sm_80", "a.mu"});
  EXPECT_NE(error.find("sm_80"), std::string::npos);
  EXPECT_NE(error.find("mp_31"), std::string::npos);
}

TEST(MccOptions, ChecksAddUp) {
  EXPECT_EQ(parsed({"a.mu"}).checks, 0u);
  EXPECT_EQ(parsed({"-fmusa-check=memcheck", "-fmusa-check=synccheck", "a.mu"}).checks, 1u | 8u);
  EXPECT_EQ(parsed({"-fmusa-check=racecheck,initcheck", "a.mu"}).checks, 2u | 4u);
  EXPECT_EQ(parsed({"-fmusa-check", "a.mu"}).checks, 15u);
  EXPECT_EQ(parsed({"-fmusa-check=all", "-fno-musa-check", "a.mu"}).checks, 0u);
  EXPECT_NE(mistake({"-fmusa-check=memchek", "a.mu"}).find("'memchek'"), std::string::npos);
}

TEST(MccOptions, CodeCacheIsUsedUnlessTheLastWordIsNo) {
  EXPECT_TRUE(parsed({"a.mu"}).usesCodeCache);
  EXPECT_FALSE(parsed({"-fmusa-code-cache", "-fno-musa-code-cache", "a.mu"}).usesCodeCache);
  EXPECT_TRUE(parsed({"-fno-musa-code-cache", "-fmusa-code-cache", "a.mu"}).usesCodeCache);
}

TEST(MccOptions, Processors) {
  EXPECT_TRUE(parsed({"a.mu"}).processors.empty());
  EXPECT_EQ(parsed({"-fmusa-cpu=x86-64-v4,x86-64", "-fmusa-cpu=x86-64", "a.mu"}).processors,
            (std::vector<std::string>{"x86-64-v4", "x86-64"}));
  EXPECT_NE(mistake({"-fmusa-cpu=znver3", "a.mu"}).find("x86-64-v3"), std::string::npos);
  EXPECT_NE(mistake({"-dc", "-fmusa-cpu=x86-64,x86-64-v3", "a.mu"}).find("-fmusa-cpu="), std::string::npos);
}

TEST(MccOptions, DefaultStreamByOptionOrMacro) {
  EXPECT_FALSE(parsed({"a.mu"}).perThreadDefaultStream);
  EXPECT_TRUE(parsed({"-fdefault-stream=per-thread", "a.mu"}).perThreadDefaultStream);
  EXPECT_TRUE(parsed({"-fgpu-default-stream=per-thread", "a.mu"}).perThreadDefaultStream);
  EXPECT_FALSE(
      parsed({"-fdefault-stream=per-thread", "-fdefault-stream=legacy", "a.mu"}).perThreadDefaultStream);
  EXPECT_TRUE(parsed({"-DMUSA_API_PER_THREAD_DEFAULT_STREAM", "a.mu"}).perThreadDefaultStream);
  EXPECT_TRUE(parsed({"-D", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1", "a.mu"}).perThreadDefaultStream);
  EXPECT_FALSE(parsed({"-DMUSA_API_PER_THREAD_DEFAULT_STREAMS", "a.mu"}).perThreadDefaultStream);
  EXPECT_NE(mistake({"-fdefault-stream=mine", "a.mu"}).find("'mine'"), std::string::npos);
  EXPECT_TRUE(parsed({"--default-stream", "per-thread", "a.mu"}).perThreadDefaultStream);
}

TEST(MccOptions, LanguageHoldsForTheFilesThatFollow) {
  const Options options = parsed({"-c", "first.cpp", "-x", "musa", "second.cpp", "third.cu"});
  ASSERT_EQ(options.inputs.size(), 3u);
  EXPECT_FALSE(options.inputs[0].isMusa);
  EXPECT_TRUE(options.inputs[1].isMusa);
  EXPECT_TRUE(options.inputs[2].isMusa);
  for (const std::string& argument : options.clangArguments)
    EXPECT_NE(argument, "musa") << "clang does not know it";
  EXPECT_EQ(options.clangArguments[options.inputs[1].argument], "second.cpp");
}

TEST(MccOptions, OtherLanguageWinsOverTheSuffix) {
  EXPECT_FALSE(parsed({"-x", "c++", "-c", "a.mu"}).inputs[0].isMusa);
}

TEST(MccOptions, ValuesAreNotInputs) {
  const Options options =
      parsed({"-I", "include.mu", "-D", "X=1", "-isystem", "b.mu", "-Xlinker", "c.mu", "-c", "a.mu"});
  ASSERT_EQ(options.inputs.size(), 1u);
  EXPECT_EQ(options.inputs[0].path, "a.mu");
}

TEST(MccOptions, CudaSourceIsRefusedWithTheRemedy) {
  const std::string source = testing::TempDir() + "vectorAdd.cu";
  std::ofstream(source) << "cudaError_t error;\n";
  const std::string error = mistake({source});
  EXPECT_NE(error.find("musaport"), std::string::npos);
  EXPECT_NE(error.find("-x musa"), std::string::npos);
}

TEST(MccOptions, CudaSourceIsPortedOnRequest) {
  const Options options = parsed({"-x", "cuda", "a.cu", "-x", "musa", "b.mu", "-o", "x"});
  ASSERT_EQ(options.inputs.size(), 2u);
  EXPECT_TRUE(options.inputs[0].isCuda);
  EXPECT_TRUE(options.inputs[0].isMusa);
  EXPECT_FALSE(options.inputs[1].isCuda);
  EXPECT_TRUE(options.inputs[1].isMusa);
  EXPECT_EQ(options.clangArguments, (std::vector<std::string>{"a.cu", "b.mu", "-o", "x"}));
}

TEST(MccOptions, CFilesAreC) {
  const auto inputsOf = [](const std::vector<std::string>& arguments) { return parsed(arguments).inputs; };
  EXPECT_TRUE(inputsOf({"a.c", "b.cpp", "-o", "x"})[0].isC);
  EXPECT_FALSE(inputsOf({"a.c", "b.cpp", "-o", "x"})[1].isC);
  EXPECT_FALSE(inputsOf({"-x", "c++", "a.c"})[0].isC);
  EXPECT_FALSE(inputsOf({"-x", "musa", "a.c"})[0].isC);
  EXPECT_TRUE(inputsOf({"-x", "musa", "a.mu", "-x", "none", "b.c"})[1].isC);
}

TEST(MccOptions, HostFilesOfACudaProjectArePortedButAreTheHosts) {
  for (const Input& input :
       parsed({"-x", "cuda", "a.c", "b.cpp", "c.cu", "d.cc", "e.cxx", "-o", "x"}).inputs) {
    EXPECT_TRUE(input.isCuda) << input.path;
    EXPECT_EQ(input.isC, input.path == "a.c") << input.path;
    EXPECT_EQ(input.isMusa, input.path == "c.cu") << input.path;
    EXPECT_EQ(input.isCxx, !input.isC && !input.isMusa) << input.path;
  }
  for (const char* file : {"a.c", "b.cpp"}) {
    const Input forced = parsed({"-x", "cu", file}).inputs[0];
    EXPECT_TRUE(forced.isMusa && forced.isCuda && !forced.isHost()) << "nvcc's own option means every file";
  }
  EXPECT_FALSE(parsed({"a.cpp"}).inputs[0].isOurs()) << "clang's driver compiles it";
}

TEST(MccOptions, SeparateDeviceCompilationInAllSpellings) {
  using Arguments = std::vector<std::string>;
  for (const Arguments& arguments : {Arguments{"-rdc=true"},
                                     {"-rdc", "true"},
                                     {"--relocatable-device-code=true"},
                                     {"--relocatable-device-code", "true"},
                                     {"--rdc=true"},
                                     {"-relocatable-device-code", "true"},
                                     {"-fgpu-rdc"},
                                     {"-rdc=false", "-rdc=true"}}) {
    Arguments all = arguments;
    all.push_back("a.mu");
    const Options options = parsed(all);
    EXPECT_TRUE(options.relocatable) << arguments.front();
    EXPECT_EQ(options.phase, Phase::kLink) << arguments.front();
  }
  for (const char* option : {"-rdc=false", "-fno-gpu-rdc", "--relocatable-device-code=false"})
    EXPECT_FALSE(parsed({"-rdc=true", option, "a.mu"}).relocatable) << option;
  for (const char* option : {"-dc", "--dc", "--device-c"}) {
    const Options options = parsed({option, "a.mu", "-o", "a.o"});
    EXPECT_TRUE(options.relocatable) << option;
    EXPECT_EQ(options.phase, Phase::kCompile) << option;
  }
  EXPECT_FALSE(parsed({"-dw", "a.mu"}).relocatable);
  EXPECT_NE(mistake({"-rdc=yes", "a.mu"}).find("true or false"), std::string::npos);
}

TEST(MccOptions, DeviceLinkTakesThePlaceOfTheLink) {
  for (const char* option : {"-dlink", "--device-link"}) {
    const Options options = parsed({option, "a.o", "b.o", "-o", "link.o"});
    EXPECT_EQ(options.phase, Phase::kDeviceLink) << option;
    EXPECT_EQ(options.inputs.size(), 2u) << option;
  }
  EXPECT_EQ(parsed({"-lib", "a.o", "b.o", "-o", "libx.a"}).phase, Phase::kArchive);
  EXPECT_EQ(parsed({"a.mu", "-libverbs"}).phase, Phase::kLink) << "a library, not -lib";
}

TEST(MccOptions, MissingValueAndMissingInput) {
  EXPECT_NE(mistake({"a.mu", "-o"}).find("needs a value"), std::string::npos);
  EXPECT_NE(mistake({"-c"}).find("no input files"), std::string::npos);
}

TEST(MccOptions, OneOutputForSeveralObjectsIsRefused) {
  EXPECT_NE(mistake({"-c", "a.mu", "b.mu", "-o", "x.o"}).find("cannot write 2 inputs"), std::string::npos);
  parsed({"a.mu", "b.mu", "-o", "x"});
}

TEST(MccOptions, OtherFilesOfACudaProject) {
  EXPECT_FALSE(parsed({"-x", "cuda", "-c", "a.S"}).inputs[0].isOurs()) << "clang's driver assembles it";
  for (const char* file : {"a.ptx", "a.cubin", "a.fatbin"})
    EXPECT_NE(mistake({"-x", "cuda", "-dlink", file}).find("is device code"), std::string::npos) << file;
}

TEST(MccOptions, WhatIsKept) {
  EXPECT_FALSE(parsed({"-c", "a.mu"}).saveTemps);
  for (const char* option :
       {"--save-temps", "-save-temps", "-save-temps=obj", "--save-temps=cwd", "-keep", "--keep"})
    EXPECT_TRUE(parsed({option, "-c", "a.mu"}).saveTemps) << option;
  EXPECT_EQ(parsed({"-save-temps=obj", "-c", "a.mu"}).savedFolder, "");
  EXPECT_EQ(parsed({"-save-temps=cwd", "-c", "a.mu"}).savedFolder, ".");
  EXPECT_EQ(parsed({"-keep", "-keep-dir", "d", "-c", "a.mu"}).savedFolder, "d");
}

TEST(MccOptions, ResultsThatMccDoesNotMakeAreRefused) {
  for (const char* option : {"--analyze", "-emit-ast", "--precompile", "-extract-api", "-m32"}) {
    EXPECT_NE(mistake({option, "a.mu"}).find("is not supported"), std::string::npos) << option;
  }
  parsed({"--analyze", "a.cpp"});
}

TEST(MccOptions, ModulesAreOfDeviceCodeAlone) {
  const Options options = parsed({"-fatbin", "-rdc=true", "a.mu", "-o", "a.fatbin"});
  EXPECT_EQ(options.passes, Passes::kDeviceOnly);
  EXPECT_FALSE(options.relocatable) << "there is no link that it could wait for";
  EXPECT_EQ(defaultOutput(options, options.inputs[0]), "a.fatbin");
  EXPECT_EQ(defaultOutput(parsed({"-cubin", "a.mu"}), options.inputs[0]), "a.cubin");
  EXPECT_EQ(deviceLinkOutput(parsed({"-dlink", "-fatbin", "a.o"})), "a_dlink.fatbin");
  EXPECT_NE(mistake({"-fatbin", "a.mu", "b.cpp"}).find("'b.cpp' has no device code"), std::string::npos);
  EXPECT_NE(mistake({"-cubin", "a.o"}).find("'a.o' has no device code"), std::string::npos);
  EXPECT_NE(mistake({"-fatbin", "a.mu", "b.mu", "-o", "x"}).find("cannot write 2 inputs"), std::string::npos);
}

TEST(MccOptions, AnOutputFolderGivesEachInputItsOutput) {
  const Options options = parsed({"-odir", "out", "-c", "sub/a.mu", "-I", "x", "b.cpp", "c.c"});
  const std::vector<Options> all = withOutputFolder(options);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0].clangArguments, testing::ElementsAre("-c", "sub/a.mu", "-I", "x", "-o", "out/a.o"));
  EXPECT_THAT(all[1].clangArguments, testing::ElementsAre("-c", "-I", "x", "b.cpp", "-o", "out/b.o"));
  EXPECT_EQ(all[2].output, "out/c.o");
  for (const Options& one : all) {
    ASSERT_EQ(one.inputs.size(), 1u);
    EXPECT_EQ(one.clangArguments[one.inputs[0].argument], one.inputs[0].path);
  }
  EXPECT_EQ(withOutputFolder(parsed({"-odir=out", "a.mu", "b.o"}))[0].output, "out/a.out");
  EXPECT_EQ(withOutputFolder(parsed({"--output-directory=out", "-fatbin", "a.mu"}))[0].output,
            "out/a.fatbin");
  EXPECT_EQ(withOutputFolder(parsed({"-odir=out", "-dlink", "-cubin", "a.o"}))[0].output,
            "out/a_dlink.cubin");
  EXPECT_THAT(withOutputFolder(parsed({"-odir", "out", "-M", "a.mu"}))[0].clangArguments,
              testing::ElementsAre("-M", "a.mu", "-MT", "out/a.o"));
  EXPECT_EQ(withOutputFolder(parsed({"-c", "a.mu", "b.mu"})).size(), 1u);
  EXPECT_NE(mistake({"-odir", "out", "-c", "a.mu", "-o", "b.o"}).find("pass '-o'"), std::string::npos);
}

TEST(MccOptions, FlagsThatMccOwnsDoNotReachClang) {
  const Options options =
      parsed({"-mtgpu", "--dryrun", "-fmusa-flush-denormals-to-zero", "--musa-path=/sdk", "-c", "a.mu"});
  EXPECT_TRUE(options.dryRun);
  EXPECT_TRUE(options.flushDenormals);
  EXPECT_EQ(options.sdkPath, "/sdk");
  EXPECT_EQ(options.clangArguments, (std::vector<std::string>{"-c", "a.mu"}));
}

TEST(MccOptions, OptionsOfTheVendorsCodeGeneratorAreLeftOut) {
  const Options options =
      parsed({"-mllvm", "-mtgpu-if-convert=1", "-mllvm", "-misched=mtgpu-max-ilp", "-mathx-disable-fp64",
              "-mllvm", "-enable-ldma-index", "-mllvm", "-misched-recompute-slotindex=1", "-c", "a.mu"});
  EXPECT_EQ(options.clangArguments, (std::vector<std::string>{"-c", "a.mu"}));
  ASSERT_EQ(options.inputs.size(), 1u);
  EXPECT_EQ(options.inputs[0].argument, 1u);
  EXPECT_THAT(parsed({"-mllvm", "-misched=linearize", "-c", "a.mu"}).clangArguments,
              testing::ElementsAre("-mllvm", "-misched=linearize", "-c", "a.mu"))
      << "LLVM's own go to LLVM";
  EXPECT_THAT(parsed({"-mllvm", "-enable-ldma-indexes", "-c", "a.mu"}).clangArguments,
              testing::Contains("-mllvm"));
  for (const char* option : {"-mllvm -mtgpu-...", "-misched=mtgpu-...", "-mathx-disable-fp64"})
    EXPECT_THAT(helpText(), testing::HasSubstr(option));
}

TEST(MccOptions, DeviceOptimizationIsItsOwn) {
  EXPECT_EQ(parsed({"-O0", "-Od3", "-c", "a.mu"}).deviceOptimization, "-O3");
  EXPECT_EQ(parsed({"-Od3", "-Ods", "-c", "a.mu"}).deviceOptimization, "-Os");
  EXPECT_EQ(parsed({"-O2", "-c", "a.mu"}).deviceOptimization, "");
  EXPECT_THAT(parsed({"-Od4", "-c", "a.mu"}).clangArguments, testing::Contains("-Od4")) << "clang tells";
}

}  // namespace
}  // namespace musashim::mcc
