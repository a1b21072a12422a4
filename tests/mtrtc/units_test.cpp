// Programs that are linked with others: -rdc=true, -dc and -dlto, and muLink*.
#include <cstdlib>
#include <fstream>

#include "support.h"

namespace {

using namespace musashim::test;

constexpr const char* kLibrary = R"(
  __device__ int base = 40;
  __constant__ int factors[2] = {2, 3};
  __device__ int scaled(int value) { return factors[0] * value; }
  __device__ int reversed(const int* values) {
    __shared__ int shared[64];
    shared[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    return shared[blockDim.x - 1 - threadIdx.x];
  })";
constexpr const char* kUser = R"(
  extern __device__ int base;
  __device__ int scaled(int value);
  __device__ int reversed(const int* values);
  extern "C" __global__ void sum(int* out) { *out = base + scaled(1); }
  extern "C" __global__ void turn(int* out) {
    out[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int value = reversed(out);
    __syncthreads();
    out[threadIdx.x] = value;
  })";

// A linker that ends with the test, and what it says.
class Linker {
 public:
  Linker() { EXPECT_EQ(muLinkCreate(2, options_, values_, &state_), MUSA_SUCCESS); }
  ~Linker() { EXPECT_EQ(muLinkDestroy(state_), MUSA_SUCCESS); }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;

  operator MUlinkState() const { return state_; }

  MUresult add(const std::string& image, const char* name, MUjitInputType type = MU_JIT_INPUT_FATBINARY) {
    return muLinkAddData(state_, type, const_cast<char*>(image.data()), image.size(), name, 0, nullptr,
                         nullptr);
  }
  void addSource(const std::string& source, const char* name, const Strings& options = {"-rdc=true"},
                 bool isCuda = false) {
    const Program program(source, {}, isCuda, name);
    ASSERT_EQ(program.compile(options), MTRTC_SUCCESS) << program.log();
    EXPECT_EQ(add(program.image(), name), MUSA_SUCCESS) << errors_;
  }
  MUresult complete(void*& module) {
    size_t size = 0;
    return muLinkComplete(state_, &module, &size);
  }
  MUmodule load(Device& device) {
    void* module = nullptr;
    EXPECT_EQ(complete(module), MUSA_SUCCESS) << errors_;
    return module == nullptr ? nullptr : device.load(module);
  }
  std::string errors() const { return errors_; }

 private:
  char errors_[1000] = "";
  MUjit_option options_[2] = {MU_JIT_ERROR_LOG_BUFFER, MU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values_[2] = {errors_, reinterpret_cast<void*>(sizeof errors_)};
  MUlinkState state_ = nullptr;
};

TEST(MtrtcUnits, FunctionsAndVariablesAreShared) {
  Device device;
  Linker linker;
  linker.addSource(kUser, "user.mu");
  linker.addSource(kLibrary, "library.mu");
  const MUmodule module = linker.load(device);
  EXPECT_EQ(device.run(module, "sum", 1).front(), 42);
  MUdeviceptr base = 0;
  size_t bytes = 0;
  ASSERT_EQ(muModuleGetGlobal(&base, &bytes, module, "base"), MUSA_SUCCESS);
  EXPECT_EQ(bytes, sizeof(int));
  const int five = 5;
  ASSERT_EQ(muMemcpyHtoD(base, &five, sizeof five), MUSA_SUCCESS);
  EXPECT_EQ(device.run(module, "sum", 1).front(), 7);
}

TEST(MtrtcUnits, ThreadsWaitForEachOtherInAnotherUnit) {
  Device device;
  Linker linker;
  linker.addSource(kLibrary, "library.mu", {"--relocatable-device-code=true"});
  linker.addSource(kUser, "user.mu", {"--device-c"});
  const std::vector<int> values = device.run(linker.load(device), "turn", 48);
  for (int i = 0; i < 48; ++i) EXPECT_EQ(values[static_cast<size_t>(i)], 47 - i);
}

TEST(MtrtcUnits, OneIsLoadedByItself) {
  const Program program("extern \"C\" __global__ void k(int* out) { *out = 3; }");
  ASSERT_EQ(program.compile({"-rdc=true"}), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(Device().result(program, "k"), 3);
}

TEST(MtrtcUnits, LaterOptionsCount) {
  const Program program(
      "__device__ int missing(); extern \"C\" __global__ void k(int* out) { *out = missing(); }");
  EXPECT_EQ(program.compile({"-rdc=true", "-rdc=false"}), MTRTC_ERROR_COMPILATION);
  EXPECT_NE(program.log().find("missing()"), std::string::npos) << program.log();
  EXPECT_EQ(program.compile({"-rdc=maybe"}), MTRTC_ERROR_INVALID_OPTION);
  EXPECT_EQ(program.compile({"-rdc", "true"}), MTRTC_SUCCESS) << program.log();
}

TEST(MtrtcUnits, WhatIsMissingIsInTheLog) {
  Device device;
  Linker linker;
  linker.addSource(kUser, "user.mu");
  void* module = nullptr;
  EXPECT_EQ(linker.complete(module), MUSA_ERROR_INVALID_IMAGE);
  EXPECT_NE(linker.errors().find("undefined reference to device symbol 'scaled(int)' in 'user.mu"),
            std::string::npos)
      << linker.errors();
  EXPECT_EQ(linker.errors().find("/tmp"), std::string::npos) << linker.errors();
  const Program program(kUser);
  ASSERT_EQ(program.compile({"-rdc=true"}), MTRTC_SUCCESS);
  MUmodule loaded = nullptr;
  EXPECT_EQ(muModuleLoadData(&loaded, program.image().c_str()), MUSA_ERROR_INVALID_IMAGE);
}

TEST(MtrtcUnits, WhatIsThereTwiceIsInTheLog) {
  Device device;
  Linker linker;
  linker.addSource("__device__ int once() { return 1; }", "first.mu");
  linker.addSource("__device__ int once() { return 2; }", "second.mu");
  void* module = nullptr;
  EXPECT_EQ(linker.complete(module), MUSA_ERROR_INVALID_IMAGE);
  EXPECT_NE(linker.errors().find("multiple definition of 'once()' in 'second.mu"), std::string::npos)
      << linker.errors();
}

TEST(MtrtcUnits, StaticNamesBelongToTheirUnits) {
  Device device;
  Linker linker;
  for (const char* name : {"one", "two"}) {
    const std::string text = name;
    linker.addSource("static __device__ int own = " + std::to_string(text.size() + (text == "one" ? 0 : 1)) +
                         "; static __device__ int mine() { return own; }\n"
                         "extern \"C\" __global__ void " +
                         text + "(int* out) { *out = mine(); }",
                     name);
  }
  const MUmodule module = linker.load(device);
  EXPECT_EQ(device.run(module, "one", 1).front(), 3);
  EXPECT_EQ(device.run(module, "two", 1).front(), 4);
}

TEST(MtrtcUnits, NameExpressionsNameWhatTheLinkHas) {
  Device device;
  Linker linker;
  const Program program(
      "__device__ int scaled(int value);\n"
      "template <int N> __global__ void k(int* out) { *out = scaled(N); }");
  ASSERT_EQ(mtrtcAddNameExpression(program, "k<21>"), MTRTC_SUCCESS);
  ASSERT_EQ(program.compile({"-rdc=true"}), MTRTC_SUCCESS) << program.log();
  EXPECT_EQ(linker.add(program.image(), "templates"), MUSA_SUCCESS);
  linker.addSource(kLibrary, "library.mu");
  EXPECT_EQ(device.run(linker.load(device), program.lowered("k<21>"), 1).front(), 42);
}

TEST(MtrtcUnits, WholeProgramsBesideThem) {
  Device device;
  Linker linker;
  linker.addSource("extern \"C\" __global__ void whole(int* out) { *out = 7; }", "whole.mu", {});
  linker.addSource(kLibrary, "library.mu");
  linker.addSource(kUser, "user.mu");
  const MUmodule module = linker.load(device);
  EXPECT_EQ(device.run(module, "whole", 1).front(), 7);
  EXPECT_EQ(device.run(module, "sum", 1).front(), 42);
}

// As programs for CUDA do it: NVRTC's text or code, then cuLink*.
TEST(MtrtcUnits, CudasPrograms) {
  Device device;
  Linker linker;
  const Program user(kUser, {}, /*isCuda=*/true, "user.cu");
  ASSERT_EQ(user.compile({"-arch=compute_80", "--relocatable-device-code=true", "--dlink-time-opt"}),
            MTRTC_SUCCESS)
      << user.log();
  size_t size = 0;
  const Program whole("", {}, /*isCuda=*/true);
  ASSERT_EQ(whole.compile(), MTRTC_SUCCESS);
  EXPECT_EQ(nvrtcGetLTOIRSize(whole, &size), MTRTC_SUCCESS);
  EXPECT_EQ(size, 0u);
  ASSERT_EQ(nvrtcGetLTOIRSize(user, &size), MTRTC_SUCCESS);
  std::string bitcode(size, '\0');
  ASSERT_EQ(nvrtcGetLTOIR(user, bitcode.data()), MTRTC_SUCCESS);
  EXPECT_EQ(bitcode, user.image());
  ASSERT_EQ(nvrtcGetPTXSize(user, &size), MTRTC_SUCCESS);
  std::string text(size, '\0');
  ASSERT_EQ(nvrtcGetPTX(user, text.data()), MTRTC_SUCCESS);
  EXPECT_EQ(linker.add(text, "user", MU_JIT_INPUT_PTX), MUSA_SUCCESS) << linker.errors();
  linker.addSource(kLibrary, "library.cu", {"-arch=sm_80", "-dlto"}, /*isCuda=*/true);
  EXPECT_EQ(device.run(linker.load(device), "sum", 1).front(), 42);
}

TEST(MtrtcUnits, ObjectsOfMcc) {
  const std::string folder = testing::TempDir(), source = folder + "mtrtc_units.mu", object = source + ".o",
                    library = folder + "libmtrtc_units.a";
  std::ofstream(source) << kLibrary;
  const std::string mcc = MTRTC_TEST_SDK "/bin/mcc -dc " + source + " -o " + object;
  ASSERT_EQ(std::system(mcc.c_str()), 0);
  ASSERT_EQ(std::system(("ar rcs " + library + " " + object).c_str()), 0);
  Device device;
  for (const auto& [file, type] :
       {std::pair(object, MU_JIT_INPUT_OBJECT), std::pair(library, MU_JIT_INPUT_LIBRARY)}) {
    Linker linker;
    linker.addSource(kUser, "user.mu");
    EXPECT_EQ(muLinkAddFile(linker, type, file.c_str(), 0, nullptr, nullptr), MUSA_SUCCESS);
    EXPECT_EQ(device.run(linker.load(device), "sum", 1).front(), 42) << file;
  }
}

TEST(MtrtcUnits, OnlyTheirOwnArchitectures) {
  Device device;
  Linker linker;
  linker.addSource(kLibrary, "library.mu", {"-arch=mp_21", "-rdc=true"});
  linker.addSource(kUser, "user.mu", {"-arch=mp_31", "-rdc=true"});
  void* module = nullptr;
  EXPECT_EQ(linker.complete(module), MUSA_ERROR_INVALID_IMAGE);
}

}  // namespace
