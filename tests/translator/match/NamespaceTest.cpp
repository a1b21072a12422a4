#include <gtest/gtest.h>

#include "../Port.h"

namespace musashim::translator {
namespace {

struct Case {
  const char* name;
  std::string_view before;
  std::string_view after;  // empty: unchanged
};

class NamespaceCases : public testing::TestWithParam<Case> {};

TEST_P(NamespaceCases, PortsAndIsIdempotent) {
  const Case& c = GetParam();
  const std::string_view expected = c.after.empty() ? c.before : c.after;
  EXPECT_EQ(ported(c.before), expected);
  EXPECT_EQ(ported(expected), expected) << "a second run changes something";
}

INSTANTIATE_TEST_SUITE_P(
    Namespaces, NamespaceCases,
    testing::Values(
        Case{"Libcudacxx", "cuda::std::atomic<int> a; cuda::barrier<x> b; ::cuda::std::move(c);",
             "musa::std::atomic<int> a; musa::barrier<x> b; ::musa::std::move(c);"},
        Case{"LibcudacxxWithoutAList",
             "int x = cuda::ceil_div(7, 2) + ::cuda::ipow(2, 3); using namespace cuda; namespace x = cuda; "
             "namespace y = cuda::experimental; using cuda::maximum; cuda::ptx::f(); return "
             "cuda::mr::resource();",
             "int x = musa::ceil_div(7, 2) + ::musa::ipow(2, 3); using namespace musa; namespace x = musa; "
             "namespace y = musa::experimental; using musa::maximum; musa::ptx::f(); return "
             "musa::mr::resource();"},
        Case{"NamespacesOfOthers",
             "namespace at { int x = cuda::helper(); } using namespace cv; cuda::GpuMat m; mine::cuda::f();",
             ""},
        Case{"OwnCudaAlias", "namespace cuda = mine::gpu; int x = cuda::ceil_div(7, 2);", ""},
        Case{"OwnCudaRecord", "struct cuda { static int f(); }; int x = cuda::f();", ""},
        Case{"UsingInFunction", "void f() { using namespace nvcuda; wmma::fill_fragment(a, 0); }",
             "void f() { using namespace mtmusa; wmma::fill_fragment(a, 0); }"},
        Case{"OwnCudaNamespace", "cuda::Tensor t; cv::cuda::std::x; namespace cuda {}", ""},
        Case{"OwnLibcudacxx",
             "#define BEGIN_STD namespace cuda { namespace std {\nnamespace cuda { namespace std { int a; } "
             "} int b = cuda::std::a;",
             "#define BEGIN_STD namespace musa { namespace std {\nnamespace musa { namespace std { int a; } "
             "} int b = musa::std::a;"},
        Case{"OwnThrust",
             "namespace thrust { namespace system { namespace cuda { int x; } } namespace cuda { using "
             "system::cuda::x; } } "
             "namespace other { namespace cuda { } }",
             "namespace thrust { namespace system { namespace musa { int x; } } namespace musa { using "
             "system::musa::x; } } "
             "namespace other { namespace cuda { } }"},
        Case{"ThrustCuda", "thrust::cuda::par.on(s);", "thrust::musa::par.on(s);"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace musashim::translator
