#include "mcc/driver/options/source_kind.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "mcc/driver/options/options.h"

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;

class SourceKindTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("source_kind." + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  bool isMusa(const std::string& text) { return sourceKind(write("a.cu", text)) == SourceKind::kMusa; }

  fs::path folder_;
};

TEST_F(SourceKindTest, NamesTell) {
  EXPECT_TRUE(isMusa("void f() { musaDeviceSynchronize(); }"));
  EXPECT_TRUE(isMusa("#include <musa_runtime.h>\n"));
  EXPECT_TRUE(isMusa("mublasHandle_t handle;"));
  EXPECT_TRUE(isMusa("#if __MUSA_ARCH__ >= 220\n#endif"));
  EXPECT_TRUE(isMusa("void f() { musaOfNoList(); }"));
  EXPECT_FALSE(isMusa("void f() { cudaDeviceSynchronize(); }"));
  EXPECT_FALSE(isMusa("#include \"cuda_runtime.h\"\n"));
  EXPECT_FALSE(isMusa("#  include <cublas_v2.h> // with blanks\n"));
  EXPECT_FALSE(isMusa("#include <cuda/std/array>\n"));
  EXPECT_FALSE(isMusa("ncclComm_t communicator;"));
  EXPECT_FALSE(isMusa("void f() { cudaOfNoList(); }"));
}

TEST_F(SourceKindTest, WhatMusaAndCudaShareTellsNothing) {
  EXPECT_TRUE(isMusa("__global__ void k(int* p) { *p = threadIdx.x; }\nvoid f(int* p) { k<<<1, 2>>>(p); }"));
  EXPECT_TRUE(isMusa("#include <thrust/device_vector.h>\n"));
  EXPECT_TRUE(isMusa("#include \"cuda_helpers.h\"\n"));
  EXPECT_TRUE(isMusa(""));
}

TEST_F(SourceKindTest, CommentsAndStringsTellNothing) {
  EXPECT_TRUE(
      isMusa("// cudaMalloc\n/* cudaFree\n */ const char* s = \"cudaMalloc\", *r = R\"(cudaFree)\";"));
  EXPECT_FALSE(isMusa("// was musaMalloc\nvoid f() { cudaMalloc(0, 0); }"));
}

TEST_F(SourceKindTest, OneOfMusasDecides) {
  EXPECT_TRUE(isMusa("#ifdef __MUSACC__\nmusaError_t e;\n#else\ncudaError_t e;\n#endif"));
  EXPECT_TRUE(isMusa("cudaError_t a;\nmusaError_t b;"));
}

TEST_F(SourceKindTest, HeadersBesideItTellWhereItDoesNot) {
  write("cuda_side.h", "#pragma once\n#include \"deeper.h\"\n");
  write("deeper.h", "#include \"cuda_side.h\"\ncudaStream_t stream;");
  write("musa_side.h", "musaStream_t stream;");
  EXPECT_FALSE(isMusa("#include \"cuda_side.h\"\n"));
  EXPECT_TRUE(isMusa("#include \"musa_side.h\"\n"));
  EXPECT_TRUE(isMusa("#include \"cuda_side.h\"\nmusaError_t e;")) << "its own names come first";
  EXPECT_TRUE(isMusa("#include \"absent.h\"\n"));
}

TEST_F(SourceKindTest, FilesThatCannotBeReadAreClangsToReport) {
  EXPECT_EQ(sourceKind((folder_ / "no.cu").string()), SourceKind::kMusa);
}

TEST_F(SourceKindTest, CommandLines) {
  const std::string musa = write("m.cu", "musaError_t e;"), cuda = write("c.cu", "cudaError_t e;");
  Options taken, refused, named;
  std::string error;
  ASSERT_TRUE(parseOptions({"-c", musa}, taken, error)) << error;
  EXPECT_TRUE(taken.inputs[0].isMusa);
  EXPECT_FALSE(taken.inputs[0].isCuda);
  EXPECT_FALSE(parseOptions({"-c", cuda}, refused, error));
  EXPECT_NE(error.find("'" + cuda + "' is CUDA source"), std::string::npos) << error;
  ASSERT_TRUE(parseOptions({"-x", "musa", "-c", cuda}, named, error)) << error;
  EXPECT_TRUE(named.inputs[0].isMusa);
  Options ported;
  ASSERT_TRUE(parseOptions({"-x", "cuda", "-c", musa}, ported, error)) << error;
  EXPECT_TRUE(ported.inputs[0].isCuda);
}

}  // namespace
}  // namespace musashim::mcc
