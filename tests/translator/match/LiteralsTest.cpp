#include <gtest/gtest.h>

#include "../Port.h"

namespace musashim::translator {
namespace {

PortOptions strings(StringPolicy policy) {
  PortOptions options;
  options.strings = policy;
  return options;
}

TEST(Literals, ProseStays) {
  const std::string_view text = "printf(\"cudaMalloc failed on CUDA device %d\\n\", d);";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(ported(text, strings(StringPolicy::Names)),
            "printf(\"musaMalloc failed on CUDA device %d\\n\", d);");
}

/// Names that are known by their beginnings, too.
TEST(Literals, ProseThatBeginsWithANameStays) {
  for (const std::string_view text :
       {"f(\"nvshmemi_init failed\");", "f(\"cudaFree failed\");", "f(\"ncclDebug: x\");",
        "f(\"nvshmemi_sh_i_ CUTLASS_32\");", "f(\"host/nvshmem is no CUTLASS_3.h\");"})
    EXPECT_EQ(ported(text), text);
  EXPECT_EQ(ported("f(\"host/nvshmem_api.h\");"), "f(\"host/mtshmem_api.h\");");
  EXPECT_EQ(ported("f(\"nvshmemi_init\");"), "f(\"mtshmemi_init\");");
}

TEST(Literals, SymbolsAreCode) {
  const std::string_view text =
      "dlopen(\"libcudart.so\"); dlsym(h, \"cudaFree\"); getenv(\"CUDA_VISIBLE_DEVICES\"); "
      "getenv(\"NCCL_DEBUG\"); f(\"cuda\");";
  EXPECT_EQ(ported(text),
            "dlopen(\"libmusart.so\"); dlsym(h, \"musaFree\"); getenv(\"MUSA_VISIBLE_DEVICES\"); "
            "getenv(\"MCCL_DEBUG\"); f(\"cuda\");");
  EXPECT_EQ(ported(text, strings(StringPolicy::Keep)), text);
}

TEST(Literals, LibrariesOfAnyVersion) {
  EXPECT_EQ(ported("f(\"libcudart.so.12\", \"libcublas.so.12.4.1\", \"libcuda.so.1\", \"libcudart.so.x\", "
                   "\"libmine.so.1\");"),
            "f(\"libmusart.so\", \"libmublas.so\", \"libmusa.so.1\", \"libcudart.so.x\", \"libmine.so.1\");");
}

TEST(Literals, WhatHasNoCounterpartIsReported) {
  const std::string_view text =
      "getenv(\"CUDA_DEVICE_ORDER\"); dlopen(\"libcufile.so\", 1); dlopen(\"libcutensor.so\", 1); "
      "f(\"CUDA_MODULE_LOADING=x\");";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "CUDA_DEVICE_ORDER libcufile.so libcutensor.so");
  EXPECT_EQ(subjects("int CUDA_DEVICE_ORDER; #include <optix.h>\n", FindingKind::Unported), "");
  EXPECT_EQ(subjects("#include <optix_stubs.h>\n#include <cutensor.h>\n", FindingKind::Unported),
            "optix_stubs.h cutensor.h");
}

TEST(Literals, VariablesOfNccl) {
  EXPECT_EQ(ported("setenv(\"NCCL_P2P_LEVEL\", \"NVL\", 1); getenv(\"NCCL_MINE\");"),
            "setenv(\"MCCL_P2P_LEVEL\", \"NVL\", 1); getenv(\"NCCL_MINE\");");
}

TEST(Literals, KernelSourceIsCode) {
  EXPECT_EQ(ported("auto s = R\"cu(\n#include <cuda_fp16.h>\n__global__ void k() { cudaFoo(); "
                   "api.cudaFree(); cudaGetErrorName(e); }\n)cu\";"),
            "auto s = R\"cu(\n#include <musa_fp16.h>\n__global__ void k() { cudaFoo(); api.cudaFree(); "
            "musaGetErrorName(e); }\n)cu\";");
  EXPECT_EQ(ported("auto s = \"__global__ void k() {\\ncudaGetDevice(0); }\";"),
            "auto s = \"__global__ void k() {\\nmusaGetDevice(0); }\";");
  const std::string_view prose = "auto s = R\"(cudaMalloc is slow)\";";
  EXPECT_EQ(ported(prose), prose);
  PortOptions options;
  options.rawStrings = RawStringPolicy::Code;
  EXPECT_EQ(ported(prose, options), "auto s = R\"(musaMalloc is slow)\";");
  options.rawStrings = RawStringPolicy::Keep;
  EXPECT_EQ(ported("R\"(__global__ cudaFree)\"", options), "R\"(__global__ cudaFree)\"");
}

TEST(Literals, EditsInsideRawStringsKeepTheirPlace) {
  EXPECT_EQ(ported("cudaFree(p); R\"(__device__ cudaFree(q))\"; cudaFree(r);"),
            "musaFree(p); R\"(__device__ musaFree(q))\"; musaFree(r);");
}

TEST(Literals, CommentsFollowTheNames) {
  const std::string_view text =
      "// cudaFree(p); see doc/cudaFree.html, my-cudaFree.h; CUDA rocks\n/* ncclSum */";
  EXPECT_EQ(ported(text), "// musaFree(p); see doc/cudaFree.html, my-cudaFree.h; CUDA rocks\n/* mcclSum */");
  PortOptions options;
  options.comments = CommentPolicy::Keep;
  EXPECT_EQ(ported(text, options), text);
}

TEST(Literals, CommentedOutCallDirectlyBehindTheSlashes) {
  EXPECT_EQ(ported("//cudaFree(p);"), "//musaFree(p);");
}

}  // namespace
}  // namespace musashim::translator
