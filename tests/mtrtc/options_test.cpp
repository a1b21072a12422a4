// Options: what they do, and what is said of wrong ones.
#include "mtrtc/options/options.h"

#include <filesystem>
#include <fstream>

#include "support.h"

namespace {

using namespace musashim::test;
namespace fs = std::filesystem;

constexpr const char* kN = "extern \"C\" __global__ void k(int* out) { *out = N; }";

int resultWith(const std::string& source, const Strings& options, const std::vector<Header>& headers = {}) {
  const Program program(source, headers);
  EXPECT_EQ(program.compile(options), MTRTC_SUCCESS) << program.log();
  return Device().result(program, "k");
}

TEST(MtrtcOptions, MacrosInAllSpellings) {
  for (const Strings& options : std::vector<Strings>{{"-DN=5"},
                                                     {"-D N=5"},
                                                     {"-D", "N=5"},
                                                     {"--define-macro=N=5"},
                                                     {"--define-macro", "N=5"},
                                                     {"-DN=4", "-UN", "-DN=5"}})
    EXPECT_EQ(resultWith(kN, options), 5) << options.front();
  EXPECT_EQ(resultWith(kN, {"-DN"}), 1);
}

TEST(MtrtcOptions, MacroThatTheHeadersAskFor) {
  // Then they cannot be the precompiled ones.
  EXPECT_EQ(
      resultWith(
          "extern \"C\" __global__ void k(int* out) {\n#ifdef NDEBUG\n*out = 1;\n#else\n*out = 2;\n#endif\n}",
          {"-DNDEBUG"}),
      1);
}

TEST(MtrtcOptions, Standard) {
  const std::string source = "extern \"C\" __global__ void k(int* out) { *out = __cplusplus / 100; }";
  EXPECT_EQ(resultWith(source, {"--std=c++11"}), 2011);
  EXPECT_EQ(resultWith(source, {"-std=c++14"}), 2014);
  EXPECT_EQ(resultWith(source, {}), 2017);
  EXPECT_EQ(resultWith(source, {"-std=c++20"}), 2020);
}

TEST(MtrtcOptions, ArchitectureIsWhatTheSourceSees) {
  const std::string source = "extern \"C\" __global__ void k(int* out) { *out = __MUSA_ARCH__; }";
  EXPECT_EQ(resultWith(source, {"--gpu-architecture=mp_31"}), 310);
  EXPECT_EQ(resultWith(source, {"-arch=compute_31"}), 310);
  EXPECT_EQ(resultWith(source, {"-arch", "sm_31"}), 310);
  EXPECT_EQ(resultWith(source, {"--offload-arch=mp_31"}), 310);
  EXPECT_EQ(resultWith(source, {}), 310);  // an image for each
}

TEST(MtrtcOptions, ImageForAnotherArchitectureIsRefused) {
  const Program program("extern \"C\" __global__ void k(int* out) { *out = 1; }");
  ASSERT_EQ(program.compile({"-arch=mp_21"}), MTRTC_SUCCESS) << program.log();
  const Device device;
  MUmodule module = nullptr;
  EXPECT_EQ(muModuleLoadData(&module, program.image().c_str()), MUSA_ERROR_NO_BINARY_FOR_GPU);
}

TEST(MtrtcOptions, DeviceByDefault) {
  const std::string source = R"(
    int counter = 5;
    namespace { int inner = 2; constexpr int four = 4; }
    int helper(int x) { return x * 2; }
    struct S { int v; int get() const { return v + counter; } };
    template <class T> T twice(T x) { return x + x; }
    extern "C" __global__ void k(int* out) {
      __shared__ int shared[2];
      shared[0] = inner;
      *out = S{helper(3)}.get() + twice(four) + shared[0];
    })";
  EXPECT_EQ(resultWith(source, {"-default-device"}), 21);
  EXPECT_EQ(resultWith(source, {"--device-as-default-execution-space"}), 21);
  EXPECT_EQ(Program(source).compile(), MTRTC_ERROR_COMPILATION);
}

TEST(MtrtcOptions, IncludeFolders) {
  const fs::path folder = fs::temp_directory_path() / ("mtrtc_include_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "here.h") << "#define N 23\n";
  const std::string source = std::string("#include \"here.h\"\n") + kN;
  EXPECT_EQ(resultWith(source, {"-I" + folder.string()}), 23);
  EXPECT_EQ(resultWith(source, {"--include-path=" + folder.string()}), 23);
  EXPECT_EQ(resultWith(source, {"-I", folder.string()}), 23);
  EXPECT_EQ(resultWith(kN, {"--pre-include=here.h", "-I" + folder.string()}), 23);
  // What was read is looked at, not only the source.
  std::ofstream(folder / "here.h") << "#define N 1024\n";
  EXPECT_EQ(resultWith(source, {"-I" + folder.string()}), 1024);
  fs::remove_all(folder);
}

TEST(MtrtcOptions, NumbersOfFloats) {
  const std::string source =
      "extern \"C\" __global__ void k(int* out) { float x = 1e-40f; asm volatile(\"\" : \"+x\"(x)); *out = x "
      "* 1.0f != 0; }";
  EXPECT_EQ(resultWith(source, {}), 1);
  EXPECT_EQ(resultWith(source, {"--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"}), 1);
}

TEST(MtrtcOptions, WhatChangesNothingHere) {
  const Strings options{"-lineinfo",
                        "--maxrregcount=32",
                        "-rdc=true",
                        "--extra-device-vectorization",
                        "-Xptxas",
                        "-v",
                        "--ptxas-options=-v",
                        "--device-int128",
                        "--restrict",
                        "-dopt=on",
                        "--split-compile=4",
                        "-ewp",
                        "--diag-suppress=177",
                        "--extended-lambda",
                        "--minimal",
                        "--no-cache"};
  EXPECT_EQ(resultWith("extern \"C\" __global__ void k(int* out) { *out = 6; }", options), 6);
}

TEST(MtrtcOptions, Debugging) {
  EXPECT_EQ(resultWith("extern \"C\" __global__ void k(int* out) { *out = 6; }", {"-G", "-O0"}), 6);
  EXPECT_EQ(resultWith("extern \"C\" __global__ void k(int* out) { *out = 6; }", {"--device-debug"}), 6);
}

TEST(MtrtcOptions, WrongOnes) {
  const Program program("extern \"C\" __global__ void k(int* out) { *out = 1; }");
  const std::pair<Strings, const char*> wrong[] = {
      {{"--bogus"}, "option '--bogus': there is no such option"},
      {{"-fno-such"}, "option '-fno-such': there is no such option"},
      {{"plain"}, "option 'plain': there is no such option"},
      {{"-arch=mp_99"}, "mp_21, mp_22 and mp_31 are known"},
      {{"-arch=compute_80"}, "mp_21, mp_22 and mp_31 are known"},
      {{"-arch"}, "its value is missing"},
      {{"-std=c++98"}, "c++03, c++11, c++14, c++17, c++20 and c++23 are known"},
      {{"--ftz=maybe"}, "true or false is expected"},
      {{"-D"}, "its value is missing"},
      {{"--optix-ir"}, "there is no OptiX"},
      {{"-G=1"}, "it takes no value"}};
  for (const auto& [options, words] : wrong) {
    EXPECT_EQ(program.compile(options), MTRTC_ERROR_INVALID_OPTION) << options.front();
    EXPECT_NE(program.log().find(words), std::string::npos) << program.log();
  }
  EXPECT_EQ(program.compile({"--one", "--two"}), MTRTC_ERROR_INVALID_OPTION);
  EXPECT_NE(program.log().find("--two"), std::string::npos) << "each is named: " << program.log();
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS);
}

TEST(MtrtcOptions, NvidiasArchitecturesInCudasFace) {
  musashim::mtrtc::CompileOptions options;
  std::string log;
  EXPECT_TRUE(musashim::mtrtc::parseOptions({"-arch=sm_90a"}, /*isCuda=*/true, options, log)) << log;
  EXPECT_TRUE(options.archs.empty());
  EXPECT_TRUE(musashim::mtrtc::parseOptions({"-arch=sm_31"}, /*isCuda=*/true, options, log)) << log;
  EXPECT_EQ(options.archs, std::vector<uint32_t>{310});
  EXPECT_FALSE(musashim::mtrtc::parseOptions({"-arch=sm_4"}, /*isCuda=*/true, options, log));
}

}  // namespace
