// Headers in memory.
#include "support.h"

namespace {

using namespace musashim::test;

int resultOf(const std::string& source, const std::vector<Header>& headers) {
  const Program program(source, headers);
  EXPECT_EQ(program.compile(), MTRTC_SUCCESS) << program.log();
  return Device().result(program, "k");
}

constexpr const char* kN = "extern \"C\" __global__ void k(int* out) { *out = N; }";

TEST(MtrtcHeaders, QuotedAndBracketed) {
  EXPECT_EQ(resultOf(std::string("#include \"a.h\"\n") + kN, {{"a.h", "#define N 3\n"}}), 3);
  EXPECT_EQ(resultOf(std::string("#include <a.h>\n") + kN, {{"a.h", "#define N 4\n"}}), 4);
}

TEST(MtrtcHeaders, EachOther) {
  EXPECT_EQ(resultOf(std::string("#include \"a.h\"\n") + kN,
                     {{"a.h", "#pragma once\n#include \"b.h\"\n#define N (M + 1)\n"},
                      {"b.h", "#ifndef B\n#define B\n#include \"a.h\"\n#define M 8\n#endif\n"}}),
            9);
}

TEST(MtrtcHeaders, InFolders) {
  EXPECT_EQ(resultOf(std::string("#include \"lib/inner/a.h\"\n") + kN,
                     {{"lib/inner/a.h", "#include \"b.h\"\n#include \"lib/c.h\"\n#define N (B + C)\n"},
                      {"lib/inner/b.h", "#define B 1\n"},
                      {"lib/c.h", "#define C 2\n"}}),
            3);
}

TEST(MtrtcHeaders, InPlaceOfTheSystems) {
  EXPECT_EQ(resultOf(std::string("#include <unusual_system_header.h>\n") + kN,
                     {{"unusual_system_header.h", "#define N 5\n"}}),
            5);
}

TEST(MtrtcHeaders, ManyOfThem) {
  std::vector<Header> headers;
  std::string source;
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    headers.push_back(
        {"h" + number + ".h", "__device__ inline int f" + number + "() { return " + number + "; }\n"});
    source += "#include \"h" + number + ".h\"\n";
  }
  EXPECT_EQ(resultOf(source + "extern \"C\" __global__ void k(int* out) { *out = f0() + f99(); }", headers),
            99);
}

}  // namespace
