#include <gtest/gtest.h>

#include "../Port.h"

namespace musashim::translator {
namespace {

constexpr std::string_view kProperties = "cudaDeviceProp prop, *p; ";
constexpr std::string_view kAttributes =
    "int major, minor; cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);\n"
    "cuDeviceGetAttribute(&info.minor_, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0); ";
constexpr std::string_view kVersion = "int v; cudaRuntimeGetVersion(&v); ";

struct Case {
  const char* name;
  std::string_view given;
  std::string_view code;
  std::string_view found;  // subjects, empty: none
};

class NumberingCases : public testing::TestWithParam<Case> {};

TEST_P(NumberingCases, ReportsComparisons) {
  const Case& c = GetParam();
  const std::string text = "void f() { " + std::string(c.given) + std::string(c.code) + " }\n";
  EXPECT_EQ(subjects(text, FindingKind::Audit), c.found);
  // None of it is an edit.
  EXPECT_NE(ported(text).find(c.code), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, NumberingCases,
    testing::Values(
        Case{"Member", kProperties, "if (prop.major < 7) return;", "prop.major"},
        Case{"Pointer", kProperties, "return p->major >= 9;", "p->major"},
        Case{"OfAMember", kProperties, "if (a.b->prop.major == 8) g();", "a.b->prop.major"},
        Case{"Sum", kProperties, "ok = prop.major * 10 + prop.minor >= 80;", "prop.major"},
        Case{"SumInBrackets", kProperties, "if (((prop.major << 4) + prop.minor) >= 0x80) g();", ""},
        Case{"Brackets", kProperties, "if ((10 * prop.major + (prop.minor)) >= (75)) g();", "prop.major"},
        Case{"Mirrored", kProperties, "if (70 <= 10 * prop.major + prop.minor) g();", "prop.major"},
        Case{"Both", kProperties, "if (prop.major == 8 && prop.minor == 6) g();", "prop.major prop.minor"},
        Case{"Switch", kProperties, "switch (prop.major) { case 8: g(); }", "prop.major"},
        Case{"Variable", kProperties, "int cc = prop.major * 10 + prop.minor; if (x && cc < 70) g();", "cc"},
        Case{"Assigned", kProperties, "cc = prop.major; dd = cc * 100; while (dd > 700) g();", "dd"},
        Case{"Printed", kProperties, "printf(\"%d.%d\", prop.major, prop.minor); int m = prop.major;", ""},
        Case{"Argument", kProperties,
             "if (cores(prop.major, prop.minor) > 64) g(); n = cores(prop.major); n > 9;", ""},
        Case{"Existence", kProperties, "if (prop.major < 1 || prop.minor >= 0) g();", ""},
        Case{"OtherMembers", kProperties, "if (prop.warpSize < 64 || prop.multiProcessorCount > 7) g();", ""},
        Case{"FunctionAttributes", "cudaFuncAttributes a; ",
             "int v = a.ptxVersion * 10; if (v >= 600 || a.binaryVersion < 70) g();", "v a.binaryVersion"},
        Case{"NoRecord", "", "if (version.major < 7) g();", ""},
        Case{"Attribute", kAttributes, "if (major >= 8) g();", "major"},
        Case{"AttributeOfMember", kAttributes, "if (info.minor_ >= 6) g();", "info.minor_"},
        Case{"DriverCall", "cuDeviceComputeCapability(&a, &b, d); ", "if (a > 2 || b == 5 || c > 3) g();",
             "a b"},
        Case{"Runtime", kVersion, "if (v >= 12000) g();", "v"},
        Case{"RuntimeMajor", kVersion, "if (v / 1000 > 11) g();", ""},
        Case{"Driver", "cudaDriverGetVersion(&d); cuDriverGetVersion(&e); ", "x = d < 11040 ? 1 : e > 12000;",
             "d e"},
        Case{"NcclCountsAlike", "ncclGetVersion(&v); ", "if (v < 21800) g();", ""},
        Case{"Passed",
             "} static int block(int cc) { return cc >= 70 ? 256 : 128; } void h() { cudaDeviceProp p; ",
             "int n = block(10 * p.major + p.minor);", "cc"},
        Case{"PassedToALaterOne", kProperties,
             "use(x, prop.major, y[0]); } template <class T> bool use(int a, const T v = T(), int b = 0) { "
             "if (a > 7) g(); return v < 8;",
             "v"},
        Case{"PassedOn", kProperties,
             "first(prop.major); } void first(int a) { second(0, a * 10); } void second(int x, int y) { if "
             "(x > 70) g(); while (y > 70) g();",
             "y"},
        Case{"PassedToAnother", kProperties,
             "use(prop.major); } void use(int a); void of(int a) { if (a > 70) g();", ""},
        Case{"Returned",
             "} int capability() { cudaDeviceProp p; return p.major * 10 + p.minor; } void h() { ",
             "if (capability() >= 80) g(); int v = capability(); v > 70; } void k(int v) { v > 70;",
             "capability v"},
        Case{"InAMember", kProperties,
             "info.cc = prop.major; } void h(Info* i, int cc) { if (i->cc > 7 || cc > 7) g();", "i->cc"},
        Case{"InAMemberOfThis", kProperties, "cc_ = prop.major; } bool newer() { return cc_ > 8;", "cc_"},
        Case{"Constructed", kProperties,
             "use(Device(prop.major)); } Device::Device(int cc) : cc_(cc) {} bool h() { return cc_ > 8;",
             "cc_"},
        Case{"AnotherFunction", kVersion, "} void g(int v) { if (v > 5000) g();", ""}),
    [](const auto& info) { return info.param.name; });

TEST(Numbering, PlaceIsTheWholeOperand) {
  const std::string_view text = "cudaDeviceProp q;\nbool b = q.major > 7;\n";
  for (const Finding& finding : portSource(text, {}, noProject()).findings) {
    if (finding.kind != FindingKind::Audit) continue;
    EXPECT_EQ(text.substr(finding.begin, finding.end - finding.begin), "q.major");
    EXPECT_EQ(finding.library, "capability");
    EXPECT_NE(finding.remedy.find("2.2"), std::string::npos);
  }
}

TEST(Numbering, MarkedPlacesAreLeftAlone) {
  EXPECT_EQ(subjects("cudaDeviceProp p;\nbool b = p.major > 7; // MUSAPORT_EXCL_LINE\n", FindingKind::Audit),
            "");
}

}  // namespace
}  // namespace musashim::translator
