#include <gtest/gtest.h>

#include "../Port.h"

namespace musashim::translator {
namespace {

struct Case {
  const char* name;
  std::string_view before;
  std::string_view after;  // empty: unchanged
};

class MatchCases : public testing::TestWithParam<Case> {};

TEST_P(MatchCases, PortsAndIsIdempotent) {
  const Case& c = GetParam();
  const std::string_view expected = c.after.empty() ? c.before : c.after;
  EXPECT_EQ(ported(c.before), expected);
  EXPECT_EQ(ported(expected), expected) << "a second run changes something";
}

INSTANTIATE_TEST_SUITE_P(
    Names, MatchCases,
    testing::Values(
        Case{"Function", "cudaMalloc(&p, n);", "musaMalloc(&p, n);"},
        Case{"Type", "cudaStream_t s;", "musaStream_t s;"},
        Case{"Driver", "CUresult r = cuInit(0);", "MUresult r = muInit(0);"},
        Case{"DriverError", "CUDA_SUCCESS; CUDA_ERROR_OUT_OF_MEMORY;",
             "MUSA_SUCCESS; MUSA_ERROR_OUT_OF_MEMORY;"},
        Case{"Mtlink", "cudaErrorNvlinkUncorrectable; CUDA_ERROR_NVLINK_UNCORRECTABLE;",
             "musaErrorMtlinkUncorrectable; MUSA_ERROR_MTLINK_UNCORRECTABLE;"},
        Case{"Integers", "cuuint32_t a; cuuint64_t b;", "muuint32_t a; muuint64_t b;"},
        Case{"Jit", "CU_JIT_INPUT_CUBIN; CU_JIT_INPUT_NVVM; CU_JIT_INPUT_PTX; CU_JIT_TARGET_FROM_CUCONTEXT;",
             "MU_JIT_INPUT_MUBIN; MU_JIT_INPUT_MTVM; MU_JIT_INPUT_PTX; MU_JIT_TARGET_FROM_MUCONTEXT;"},
        Case{"KeepsTheWordCuda", "CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED;",
             "MU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED;"},
        Case{"Nccl", "ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, s);",
             "mcclAllReduce(a, b, n, mcclFloat, mcclSum, c, s);"},
        Case{"NcclDevice", "ncclCommCuDevice(c, &d);", "mcclCommMuDevice(c, &d);"},
        Case{"Bfloat", "__nv_bfloat16 a; nv_bfloat162 b;", "__mt_bfloat16 a; mt_bfloat162 b;"},
        Case{"Fp8", "__nv_fp8_e4m3 a; __NV_E4M3; __nv_cvt_float_to_fp8(x);",
             "__mt_fp8_e4m3 a; __MT_E4M3; __musa_cvt_float_to_fp8(x);"},
        Case{"Half", "__half a; half b; half2 c; __hadd(a, b);", ""},
        Case{"HalfAlias", "nv_half a;", "__half a;"},
        Case{"Philox", "curandStatePhilox4_32_10_t s;", "murand_state_philox4x32_10 s;"},
        Case{"Wmma", "using namespace nvcuda; nvcuda::wmma::fill_fragment(f, 0);",
             "using namespace mtmusa; mtmusa::wmma::fill_fragment(f, 0);"},
        Case{"Libdevice", "__nv_sinf(x);", "__mt_sinf(x);"},
        Case{"CompilersValue",
             "#if __CUDACC__ && !__NVCC__\n#elif (__CUDACC__)\n#endif\n#ifdef __CUDACC__\n#endif\n",
             "#if defined(__MUSACC__) && !defined(__MUSACC__)\n#elif (defined(__MUSACC__))\n#endif\n#ifdef "
             "__MUSACC__\n#endif\n"},
        Case{"Compiler", "#if defined(__CUDACC__) || defined(__NVCC__)\n",
             "#if defined(__MUSACC__) || defined(__MUSACC__)\n"},
        Case{"Cubin", "cusolverDnCungqr(h);", "musolverDnCungqr(h);"},
        Case{"Complex", "cuDoubleComplex z = make_cuDoubleComplex(1, 2);",
             "muDoubleComplex z = make_muDoubleComplex(1, 2);"},
        Case{"Launch", "kernel<<<grid, block, 0, stream>>>(cudaStreamPerThread);",
             "kernel<<<grid, block, 0, stream>>>(musaStreamPerThread);"},
        Case{"SpacedLaunch", "kernel << <grid, block >> >(x);", "kernel <<<grid, block >>>(x);"},
        Case{"HalfSpacedLaunch", "f<int> <<<dim3{1, 2}, (n >> 2), 0>> > (x);",
             "f<int> <<<dim3{1, 2}, (n >> 2), 0>>> (x);"},
        Case{"LaunchOverLines", "kernel <<\n  <1, 1>>\t>(x);", "kernel <<<1, 1>>>(x);"},
        Case{"SizesWithoutType", "k<2, 3><<<{n, f({1, 2}), 1}, {}, {8}, s>>>({1});",
             "k<2, 3><<<dim3(n, f({1, 2}), 1), dim3(), {8}, s>>>({1});"},
        Case{"SizesOfOtherTypes", "k<<<dim3{1, 2}, g({3})>>>({1});", ""},
        Case{"NoLaunch", "std::cout << a; vector<vector<vector<int>> > v(3); // k << <1, 1 >> >(x)", ""},
        Case{"LaunchWithoutEnd", "kernel << <1, 1; x >> >(3)", ""},
        Case{"Pdl", "cudaGridDependencySynchronize();", "((void)0);"},
        Case{"Unchanged", "cooperative_groups::this_grid(); cub::Sum(); thrust::sort(a);", ""}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    LookAlikes, MatchCases,
    testing::Values(
        Case{"Check", "cudaCheck(x); CUDACHECK(y); CUDA_CHECK(z); NCCLCHECK(w);", ""},
        Case{"Words", "int cuda = 0, cu = 1, nccl = 2, CUDA = 3; Accumulate(cutoff); discuss; customer;", ""},
        Case{"Kernel", "cudaEncode<<<1, 1>>>(p);", ""},
        Case{"Suffix", "cudaMallocWrapper(p); my_cudaMalloc(p); cudaMalloc_(p);", ""},
        Case{"Member", "api.cudaMalloc(p); api->cudaMalloc(p); this->cudaMalloc(p);", ""},
        Case{"MemberAcrossLines", "api\n  . /* c */ cudaMalloc(p);", ""},
        Case{"DeclaredMember",
             "struct Api { int cudaMalloc; int cudaFree(void*); void* (*cudaMemcpy)(int); };", ""},
        Case{"DeclaredMemberTypes",
             "class Api : public Base<int> { cudaError_t (*cudaMalloc)(void**); cudaStream_t s; };",
             "class Api : public Base<int> { musaError_t (*cudaMalloc)(void**); musaStream_t s; };"},
        Case{"InClassBody", "struct S { void f() { cudaFree(p); } cudaEvent_t e = cudaEvent_t(); };",
             "struct S { void f() { musaFree(p); } musaEvent_t e = musaEvent_t(); };"},
        Case{"TemplateClass", "template <class T> void f(T t) { int cudaMallocs = 0; cudaMalloc(t); }",
             "template <class T> void f(T t) { int cudaMallocs = 0; musaMalloc(t); }"},
        Case{"TypeInTemplateMember",
             "struct S { std::map<cudaStream_t, int> m; std::vector<cudaEvent_t> v; };",
             "struct S { std::map<musaStream_t, int> m; std::vector<musaEvent_t> v; };"},
        Case{"FunctionReturningStruct", "struct cudaDeviceProp get(int d) { cudaDeviceProp p; return p; }",
             "struct musaDeviceProp get(int d) { musaDeviceProp p; return p; }"},
        Case{"StructAsLastParameter", "int f(struct S* s) { return cudaFree(s) == cudaSuccess; }",
             "int f(struct S* s) { return musaFree(s) == musaSuccess; }"},
        Case{"RecordOfAlignedMembers", "struct alignas(16) S { int cudaMalloc(); };", ""},
        Case{"ParameterNamedClass", "int f(int class) { return cudaFree(0) == cudaSuccess; }",
             "int f(int class) { return musaFree(0) == musaSuccess; }"},
        Case{"Address", "auto f = &cudaMalloc; void* g = (void*)&cudaFree; cudaMalloc(p); cudaFree(p);",
             "auto f = &musaMalloc; void* g = (void*)&musaFree; musaMalloc(p); musaFree(p);"},
        Case{"Factor",
             "constexpr int kBytes = kN * CUDA_IPC_HANDLE_SIZE; int flags = kBase & cudaHostAllocMapped;",
             "constexpr int kBytes = kN * MUSA_IPC_HANDLE_SIZE; int flags = kBase & musaHostAllocMapped;"},
        Case{"AddressInClass",
             "struct S { cudaError_t (*f)(void*) = &cudaFree; int n = kN * CUDA_IPC_HANDLE_SIZE; T& "
             "cudaMalloc; };",
             "struct S { musaError_t (*f)(void*) = &musaFree; int n = kN * MUSA_IPC_HANDLE_SIZE; T& "
             "cudaMalloc; };"},
        Case{"Conversion", "struct S { operator cudaStream_t() const; };",
             "struct S { operator musaStream_t() const; };"},
        Case{"Designated", "Api a = {.cudaMalloc = f};", ""},
        Case{"OtherNamespace", "mine::cudaMalloc(p); c10::cuda::getStream();",
             "mine::cudaMalloc(p); c10::musa::getStream();"},
        Case{"Global", "return ::cudaMalloc(p); x = ::cudaFree(p);",
             "return ::musaMalloc(p); x = ::musaFree(p);"},
        Case{"GlobalBehindWords",
             "static ::cudaError_t a; inline ::cudaStream_t b(); constexpr ::cudaError_t c = ::cudaSuccess; "
             "extern ::cudaEvent_t d; thread_local ::cudaEvent_t e; typedef ::cudaEvent_t f; unsigned "
             "::cudaArray_t; "
             "__device__ ::cudaExtent g(); MY_API ::cudaPos h(); co_return ::cudaSuccess;",
             "static ::musaError_t a; inline ::musaStream_t b(); constexpr ::musaError_t c = ::musaSuccess; "
             "extern ::musaEvent_t d; thread_local ::musaEvent_t e; typedef ::musaEvent_t f; unsigned "
             "::musaArray_t; "
             "__device__ ::musaExtent g(); MY_API ::musaPos h(); co_return ::musaSuccess;"},
        Case{"GlobalInExpressions",
             "f((::cudaError_t)x, ::cudaSuccess); g<int, ::cudaError_t>(); h<::cudaError_t>(); a > "
             "::cudaSuccess; "
             "static_cast< ::cudaError_t>(x); template <class T> ::cudaError_t k(); new ::cudaDeviceProp; "
             "!::cudaFree(p);",
             "f((::musaError_t)x, ::musaSuccess); g<int, ::musaError_t>(); h<::musaError_t>(); a > "
             "::musaSuccess; "
             "static_cast< ::musaError_t>(x); template <class T> ::musaError_t k(); new ::musaDeviceProp; "
             "!::musaFree(p);"},
        Case{"QualifiedOtherwise",
             "D<int>::cudaFree(p); MINE::cudaFree(p); mine ::cudaFree(p); __gnu_cxx::cudaFree(p); "
             "decltype(x)::y::cudaFree(p); mine::cuda::std::x y; D<int>::cuda::std::x z;",
             ""},
        Case{"GlobalLibcudacxx",
             "typename ::cuda::std::decay<T>::type x; return ::cuda::std::size_t(1); const "
             "::cuda::std::size_t f = 0; "
             "new ::cuda::barrier<x>; g<int, ::cuda::std::byte>((::cuda::std::byte)1); MY_API "
             "::cuda::std::byte h(); "
             "using ::cuda::std::byte; template <class T> ::cuda::std::byte k(); throw ::cuda::std::byte();",
             "typename ::musa::std::decay<T>::type x; return ::musa::std::size_t(1); const "
             "::musa::std::size_t f = 0; "
             "new ::musa::barrier<x>; g<int, ::musa::std::byte>((::musa::std::byte)1); MY_API "
             "::musa::std::byte h(); "
             "using ::musa::std::byte; template <class T> ::musa::std::byte k(); throw ::musa::std::byte();"},
        Case{"EnumScope", "cudaError::cudaSuccess; cudaMemcpyKind::cudaMemcpyDefault;",
             "musaError::musaSuccess; musaMemcpyKind::musaMemcpyDefault;"},
        Case{"IfdefBraces",
             "#ifdef A\nstruct S {\n#else\nstruct T {\n#endif\n int x; };\ncudaError_t cudaFoo() { return "
             "cudaSuccess; }\n",
             "#ifdef A\nstruct S {\n#else\nstruct T {\n#endif\n int x; };\nmusaError_t cudaFoo() { return "
             "musaSuccess; }\n"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Lexical, MatchCases,
    testing::Values(
        Case{"SplicedName", "cudaMem\\\ncpy(a);", "musaMem\\\ncpy(a);"},
        Case{"SplicedPrefix", "cu\\\r\ndaMalloc(a);", "mus\\\r\naMalloc(a);"},
        Case{"Crlf", "cudaFree(p);\r\n", "musaFree(p);\r\n"},
        Case{"NoFinalNewline", "cudaFree(p)", "musaFree(p)"},
        Case{"Bom",
             "\xEF\xBB\xBF"
             "cudaFree(p)",
             "\xEF\xBB\xBF"
             "musaFree(p)"},
        Case{"NotUtf8", "// \xE9\xFF\ncudaFree(p);", "// \xE9\xFF\nmusaFree(p);"},
        Case{"DeadCode", "#if 0\ncudaFree(don't);\n#endif\n", "#if 0\nmusaFree(don't);\n#endif\n"},
        Case{"Paste", "#define CALL(x) cuda##x\n", "#define CALL(x) musa##x\n"},
        Case{"PasteArgumentOfMacro", "#define T(x) x##Malloc\nT(cuda)(&p, 4); T( nccl );\n",
             "#define T(x) x##Malloc\nT(musa)(&p, 4); T( nccl );\n"},
        Case{"PasteSecondArgument", "#define T(n, x) x##Free(n) + x ## Malloc(n)\nT(a[0], cuda);\n",
             "#define T(n, x) x##Free(n) + x ## Malloc(n)\nT(a[0], musa);\n"},
        Case{"PasteArgumentUsedOtherwise", "#define T(x) x##Free(#x)\nT(cuda);\n", ""},
        Case{"PasteArgumentOfTwoKinds",
             "#ifdef A\n#define T(x) x##Free\n#else\n#define T(x) x##_free\n#endif\nT(cuda);\n", ""},
        Case{"PasteHalfAsArgument", "#define T(x) x##cpy\nT(cudaMem)(a, b, n, k);\n",
             "#define T(x) x##cpy\nT(musaMem)(a, b, n, k);\n"},
        Case{"PasteHalfOfSmallMacro", "#define t(x) x##cpy\nt(cudaMem)(a, b, n, k); u(cudaMem);\n",
             "#define t(x) x##cpy\nt(musaMem)(a, b, n, k); u(cudaMem);\n"},
        Case{"PasteHalfSecondArgument",
             "#define CALL(f, x) f(x##Sync())\nCALL(check, cudaCtx);\nCALL(check, cudaDevice);\n", ""},
        Case{"PasteHalfBehindComment", "#define T(x) x##cpy\nT( // c\n  cudaMem /* d */ )(a);\n",
             "#define T(x) x##cpy\nT( // c\n  musaMem /* d */ )(a);\n"},
        Case{"PasteHalfUsedOtherwise", "#define T(x) x##cpy(#x)\nT(cudaMem);\n", ""},
        Case{"PasteNoArgument", "#define T(x) x##Malloc\nf(cuda); T(g(cuda)); T(cuda + 1);\n", ""},
        Case{"PasteKnown", "#define A nccl ## AllReduce\n", "#define A mccl ## AllReduce\n"},
        Case{"PasteUser", "#define A cuda##Helper\n", ""},
        Case{"PasteNoParameter",
             "void f(uint64_t* cu,uint64_t* cv) { g(cu, uint64_t(1)); int cuda, Malloc; }", ""},
        Case{"PasteArgument", "CAT(cuda, GetLastError)()", "CAT(musa, GetLastError)()"},
        Case{"PasteBeginning", "#define OP(x) CUBLAS_OP_##x\n#define KIND(a) cudaMemcpyHostTo##a\n",
             "#define OP(x) MUBLAS_OP_##x\n#define KIND(a) musaMemcpyHostTo##a\n"},
        Case{"PasteBeginningOfFamilies", "#define P(s, x) nvshmem##x##_put##s(a) + nv##x\n",
             "#define P(s, x) mtshmem##x##_put##s(a) + nv##x\n"},
        Case{"PasteBeginningOfFamily", "#define P(t) nvshmem_##t##_p(a) + NVSHMEMX_##t\n",
             "#define P(t) mtshmem_##t##_p(a) + MTSHMEMX_##t\n"},
        Case{"PasteBeginningAndEnd", "#define T(x) CUDA_R_##x##F\n", "#define T(x) MUSA_R_##x##F\n"},
        Case{"PasteBeginningOfNothing", "#define T(x) cudaMine_##x + NCCL_NO_##x\n", ""},
        Case{"PasteBeginningUser", "CAT(cudaMem, helper)(); f(cudaMem, x);", ""},
        Case{"PasteBeginningArgument", "CAT(cudaMem, cpy)()", "CAT(musaMem, cpy)()"},
        Case{"LibraryIsFunction", "x = curand(&state) + f(curand, curand_init);",
             "x = murand(&state) + f(curand, murand_init);"},
        Case{"LibraryIsFunctionUser", "x = a.curand(2) + mine::curand(3) + p->curand(4); int curand = 5;",
             ""},
        Case{"PasteArgumentParameter", "#define CAT(a, b) a##b\n#define API(name) CAT(cuda, name)\n",
             "#define CAT(a, b) a##b\n#define API(name) CAT(musa, name)\n"},
        Case{"PasteArgumentParameterBehindCall",
             "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n#define API(name) CAT(cuda, name)\n",
             "#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n#define API(name) CAT(musa, name)\n"},
        Case{"PasteArgumentParameterOther",
             "#define LOG(a, b) say(a, #b)\n#define NOTE(name) LOG(cuda, name)\n"
             "#define REVERSED(a, b) b##a\n#define API(name) REVERSED(cuda, name)\n",
             ""},
        Case{"PasteArgumentUser", "CAT(cuda, Helper)()", ""},
        Case{"MacroBody", "#define F(p) \\\n  cudaFree(p)\n", "#define F(p) \\\n  musaFree(p)\n"},
        Case{"ExcludedLine", "cudaFree(p); // MUSIFY_EXCL_LINE\ncudaFree(q);",
             "cudaFree(p); // MUSIFY_EXCL_LINE\nmusaFree(q);"},
        Case{"ExcludedBlock", "// MUSIFY_EXCL_START\ncudaFree(p);\n// MUSIFY_EXCL_STOP\ncudaFree(q);",
             "// MUSIFY_EXCL_START\ncudaFree(p);\n// MUSIFY_EXCL_STOP\nmusaFree(q);"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Headers, MatchCases,
    testing::Values(
        Case{"Runtime", "#include <cuda_runtime.h>\n", "#include <musa_runtime.h>\n"},
        Case{"Quoted", "#include \"cuda.h\"\n", "#include \"musa.h\"\n"},
        Case{"Blas", "#include <cublas_v2.h>\n", "#include <mublas.h>\n"},
        Case{"Nccl", "#include \"nccl.h\"\n", "#include \"mccl.h\"\n"},
        Case{"NcclDevice", "#include <nccl_device/core.h>\n", "#include <mccl_device/core.h>\n"},
        Case{"ComputedByMacro", "#define API <cuda.h>\n#include API\n",
             "#define API <musa.h>\n#include API\n"},
        Case{"ComputedPath", "#define API cuda_runtime.h\n#include STR(API)\n#include STR(cuda_fp16.h)\n",
             "#define API musa_runtime.h\n#include STR(API)\n#include STR(musa_fp16.h)\n"},
        Case{"NotComputed", "#define HALF(x) cuda.h\n#define PRODUCT a / b.h2\n#define N 3\n", ""},
        Case{"Philox", "#include <curand_philox4x32_x.h>\n", "#include <murand_philox4x32_10.h>\n"},
        Case{"Libcudacxx", "#include <cuda/std/atomic>\n#include <cuda/pipeline>\n",
             "#include <musa/std/atomic>\n#include <musa/pipeline>\n"},
        Case{"OwnFolderCuda", "#include \"cuda/kernels.h\"\n#include <cuda/detail/x.hpp>\n",
             "#include \"cuda/kernels.h\"\n#include <cuda/detail/x.hpp>\n"},
        Case{"Unchanged",
             "#include <cooperative_groups.h>\n#include <cub/cub.cuh>\n#include <mma.h>\n#include "
             "<driver_types.h>\n",
             ""},
        Case{"User",
             "#include \"my-cuda.h\"\n#include \"helper_cuda.h\"\n#include \"src/cuda_runtime_utils.h\"\n",
             ""},
        Case{"HasInclude", "#if __has_include(<cuda_fp8.h>) && __has_include(\"nccl.h\")\n",
             "#if __has_include(<musa_fp8.h>) && __has_include(\"mccl.h\")\n"}),
    [](const auto& info) { return info.param.name; });

TEST(Match, SymbolsByNameAreReported) {
  for (const std::string_view text :
       {"cudaMemcpyToSymbol(\"weights\", host, 16);", "cudaGetSymbolAddress((void**)&p, \"weights\");",
        "cudaMemcpyFromSymbolAsync(f(a, b), (const char*)\"w\", 4, 0, cudaMemcpyDeviceToHost, s);",
        "#define LOAD(name, p) cudaMemcpyToSymbol(#name, p, sizeof(name))\n",
        "#define NAME \"weights\"\nx = cudaGetSymbolSize(&n, NAME);",
        "const char* const name = \"w\"; cudaMemcpyToSymbol(name, p, 4);",
        "cudaFuncSetCacheConfig(\"kernel\", c);"})
    EXPECT_NE(subjects(text, FindingKind::Unported), "") << text;
  for (const std::string_view text :
       {"cudaMemcpyToSymbol(weights, host, 16); f(\"weights\");", "cudaMemcpyToSymbol(weights, \"0123\", 4);",
        "cudaGetSymbolAddress(&p, table[find(\"a\")]);",
        "char text[4]; cudaMemcpyToSymbol(weights, text, 4);"})
    EXPECT_EQ(subjects(text, FindingKind::Unported), "") << text;
}

TEST(Match, ReportsNamesWithoutCounterpart) {
  EXPECT_EQ(
      subjects("nvtxNameClDeviceA(d, \"x\"); nvJitLinkGetInfoLog(h); cuTensorMapEncodeTiled(); nvrtcGetPTX(p, s); "
               "cudaMalloc(&p, 1);",
               FindingKind::Unported),
      "nvtxNameClDeviceA nvJitLinkGetInfoLog cuTensorMapEncodeTiled nvrtcGetPTX");
  EXPECT_EQ(subjects("#include <nvToolsExtOpenCL.h>\n#include <cutensor.h>\n#include \"kernels.cuh\"\n",
                     FindingKind::Unported),
            "nvToolsExtOpenCL.h cutensor.h kernels.cuh");
  EXPECT_EQ(subjects("api.cudnnCreate(&h); nvtxFoo();", FindingKind::Unported), "");
}

TEST(Match, RangesFollow) {
  EXPECT_EQ(
      ported("#include <nvtx3/nvtx3.hpp>\nvoid f() {\n  nvtx3::scoped_range range{\"all\"};\n  "
             "NVTX3_FUNC_RANGE();\n"
             "  nvtxRangePushA(\"a\");\n  nvtxNameCudaStreamA(s, \"b\");\n  nvtxRangePop();\n}\n"),
      "#include <mttx3/mttx3.hpp>\nvoid f() {\n  mttx3::scoped_range range{\"all\"};\n  MTTX3_FUNC_RANGE();\n"
      "  mttxRangePushA(\"a\");\n  mttxNameMusaStreamA(s, \"b\");\n  mttxRangePop();\n}\n");
  EXPECT_EQ(
      ported("#include <nvToolsExtCuda.h>\nnvtxNameCuStreamA(s, \"a\"); nvtxNameCuContext(c, \"b\");\n"),
      "#include <mttx3/mtToolsExtMusa.h>\nmttxNameMuStreamA(s, \"a\"); mttxNameMuContext(c, \"b\");\n");
  EXPECT_EQ(subjects("#include <nvToolsExt.h>\n", FindingKind::Note), "nvToolsExt.h");
}

TEST(Match, NamesOfNvmlStay) {
  const std::string text = "#include <nvml.h>\nnvmlReturn_t f() { return nvmlInit(); }\n";
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Note), "nvml.h");
  EXPECT_EQ(subjects(text, FindingKind::Unported), "");
  EXPECT_EQ(ported("void* h = dlopen(\"libnvidia-ml.so.1\", 2);\n"),
            "void* h = dlopen(\"libmtml_nvml.so.1\", 2);\n");
}

TEST(Match, AFileWithNothingElseIsNotOverlooked) {
  for (const char* header :
       {"nvToolsExtSync.h", "nvtx3/nvToolsExtMem.h", "cutensor.h", "cufile.h", "cufile rdma.h", "nvJitLink.h"}) {
    const std::string text = std::string("#include <") + header + ">\nint x;\n";
    EXPECT_EQ(subjects(text, FindingKind::Unported), header);
  }
  EXPECT_EQ(ported("// as $cudaMalloc and $$cudaFree\n"), "// as $musaMalloc and $$musaFree\n");
  EXPECT_EQ(ported("int c\\\nudaFree();\n"), "int mus\\\naFree();\n");
}

TEST(Match, Utf16IsReportedAndUntouched) {
  const std::string_view text(
      "\xFF\xFE"
      "c\0u\0d\0a\0",
      10);
  EXPECT_EQ(ported(text), text);
  EXPECT_EQ(subjects(text, FindingKind::Unported), "file");
}

TEST(Match, HeadersInMacros) {
  EXPECT_EQ(ported("#define HALF <cuda_fp16.h>\n#include HALF\n#define BF \"cuda_bf16.h\"\n"),
            "#define HALF <musa_fp16.h>\n#include HALF\n#define BF \"musa_bf16.h\"\n");
  EXPECT_EQ(ported("# define  HALF  \\\n <cuda_fp16.h> \r\n"), "# define  HALF  \\\n <musa_fp16.h> \r\n");
  // Comparisons, and a macro's parameters, are no headers.
  for (const std::string_view kept :
       {"#define LESS < a && b.cuda_fp16.h >\n", "#define F(x) <cuda_fp16.h> x\n",
        "#define cuda_fp16(x) a<cuda_fp16.h>\n"})
    EXPECT_EQ(ported(kept), kept);
  EXPECT_EQ(ported("#define cudaMalloc cudaMallocManaged\n"), "#define musaMalloc musaMallocManaged\n");
}

TEST(Match, TypesBehindArrows) {
  for (const auto& [before, after] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"auto f(int a) -> cudaError_t { g(); }", "auto f(int a) -> musaError_t { g(); }"},
           {"auto f() -> cudaError_t;", "auto f() -> musaError_t;"},
           {"static inline auto f(T (*g)(int)) -> cudaStream_t*;",
            "static inline auto f(T (*g)(int)) -> musaStream_t*;"},
           {"auto f() noexcept -> cudaError_t;", "auto f() noexcept -> musaError_t;"},
           {"auto f() noexcept(true) -> cudaError_t;", "auto f() noexcept(true) -> musaError_t;"},
           {"virtual auto f() const& -> cudaError_t = 0;", "virtual auto f() const& -> musaError_t = 0;"},
           {"x = [=](int a) -> cudaError_t { g(); };", "x = [=](int a) -> musaError_t { g(); };"},
           {"x = [] mutable -> const cudaEvent_t& { g(); };",
            "x = [] mutable -> const musaEvent_t& { g(); };"},
           {"x = [] -> cudaEvent_t const& { g(); };", "x = [] -> musaEvent_t const& { g(); };"},
           {"template <class T> __device__ auto f(T t) -> cuComplex;",
            "template <class T> __device__ auto f(T t) -> muComplex;"}})
    EXPECT_EQ(ported(before), after);
  for (const std::string_view kept :
       {"x = p->cudaFree;", "auto x = f()->cudaFree;", "f()->cudaFree(1);", "auto x(f()->cudaFree);",
        "a[1]->cudaFree(2);", "(*p)->cudaStream_t = 0;", "if (p->cudaFree) { g(); }", "this->cudaFree();",
        "auto y = 1; f()->cudaMalloc = 2;", "for (auto x : f()->cudaFree) { g(); }"})
    EXPECT_EQ(ported(kept), kept);
}

TEST(Match, NamesThatNoSdkIsKnownToHaveAreNoted) {
  const std::string_view text =
      "a = cudaD3D10DeviceListAll; cudaMalloc(&p, n); b = CU_D3D11_DEVICE_LIST_ALL;";
  EXPECT_EQ(ported(text), "a = musaD3D10DeviceListAll; musaMalloc(&p, n); b = MU_D3D11_DEVICE_LIST_ALL;");
  EXPECT_EQ(subjects(text, FindingKind::Note), "cudaD3D10DeviceListAll CU_D3D11_DEVICE_LIST_ALL");
  EXPECT_EQ(
      subjects("struct S { int cudaD3D10DeviceListAll; }; s.cudaD3D10DeviceListAll = 1;", FindingKind::Note),
      "");
}

}  // namespace
}  // namespace musashim::translator
