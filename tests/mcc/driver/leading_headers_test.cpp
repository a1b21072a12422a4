#include "mcc/driver/kept/leading_headers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace musashim::mcc {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class LeadingHeaders : public testing::Test {
 protected:
  LeadingHeaders() {
    fs::create_directories(folder_ / "sdk");
    fs::create_directories(folder_ / "include");
    write("sdk/musa_thing.h", "");
    step_.systemFolders = {folder_ / "sdk"};
    step_.userFolders = {folder_ / "include"};
  }
  ~LeadingHeaders() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Names of(const std::string& text) {
    write("a.mu", text);
    step_.source = folder_ / "a.mu";
    return leadingHeaders(step_);
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("leading_headers_" + std::to_string(getpid()));
  PreludeStep step_;
};

TEST_F(LeadingHeaders, AreThoseThatTakeLongToRead) {
  EXPECT_EQ(of("// What it is.\n/* of\n two lines */\n#include <cstdio>\n #  include <vector>  // "
               "why\n#include <map>\n"),
            (Names{"map", "vector"}));
  EXPECT_EQ(of("#include \"vector\"\n"), (Names{"vector"}));
  EXPECT_EQ(of(""), Names{});
}

TEST_F(LeadingHeaders, EndWhereAnythingElseComes) {
  for (const char* other :
       {"int a;", "#define private public", "#if 1", "#ifdef NDEBUG", "#pragma pack(1)", "#undef major",
        "using namespace std;", "#include <Eigen/Dense>", "#include MACRO", "#include_next <list>",
        "#include \"absent.h\"", "#include <list> /* and\n*/", "#include <list> \\\n"}) {
    EXPECT_EQ(of("#include <vector>\n" + std::string(other) + "\n#include <map>\n"), (Names{"vector"}))
        << other;
  }
}

TEST_F(LeadingHeaders, AreFoundBehindOthersOfTheSystemAndTheSdk) {
  EXPECT_EQ(of("#include <stdio.h>\n#include <sys/wait.h>\n#include <musa_thing.h>\n#include "
               "<cuda_runtime.h>\n#include <string>\n"),
            (Names{"string"}));
}

TEST_F(LeadingHeaders, AreTheSdksOwnThatTakeLong) {
  for (const char* name : {"mublas.h", "mccl.h", "musa_runtime.h"}) write(std::string("sdk/") + name, "");
  EXPECT_EQ(
      of("#include <musa_runtime.h>\n#include <mublas.h>\n#include <musa_fp16.h>\n#include \"mccl.h\"\n"),
      (Names{"mccl.h", "mublas.h"}));
}

TEST_F(LeadingHeaders, AreThoseOfTheFilesThatAreReadInPlace) {
  write("sdk/mublas.h", "");
  write("include/own.h", "#include <cublas_v2.h>\n");
  write("ported.mu", "#include \"own.h\"\n#include <map>\n");
  write("ported.h", "#include <mublas.h>\n");
  const auto entry = [&](const std::string& name, const std::string& contents) {
    return R"({"type": "file", "name": ")" + (folder_ / name).string() + R"(", "external-contents": ")" +
           (folder_ / contents).string() + "\"}";
  };
  write("files.json", R"({"version": 0, "roots": [)" + entry("a.mu", "ported.mu") + ", " +
                          entry("include/own.h", "ported.h") + "]}");
  step_.replacements = folder_ / "files.json";
  EXPECT_EQ(of("#include \"own.h\"\n#include <set>\n"), (Names{"map", "mublas.h"}));
  step_.replacements = folder_ / "absent.json";
  EXPECT_EQ(of("#include \"own.h\"\n#include <set>\n"), (Names{"set"}));
}

TEST_F(LeadingHeaders, AreThoseOfTheProjectsHeadersToo) {
  write("beside.h", "#pragma once\n#include <vector>\n#include \"beside.h\"\n#include \"found.h\"\n");
  write("include/found.h", "#ifndef FOUND_H  // once\n#define FOUND_H\n#include <map>\n#endif  // FOUND_H\n");
  EXPECT_EQ(of("#include \"beside.h\"\n#include <string>\n"), (Names{"map", "string", "vector"}));
  write("include/found.h", "#ifndef FOUND_H\n#define FOUND_H\n#include <map>\n#endif\nint more;\n");
  EXPECT_EQ(of("#include \"beside.h\"\n#include <string>\n"), (Names{"map", "vector"}));
  write("include/found.h", "#include <map>\n");
  EXPECT_EQ(of("#include \"beside.h\"\n#include <string>\n"), (Names{"map", "string", "vector"}));
  write("beside.h", "#pragma once\n#include <vector>\nvoid f();\n");
  EXPECT_EQ(of("#include \"beside.h\"\n#include <string>\n"), (Names{"vector"}));
}

TEST_F(LeadingHeaders, AreNotThoseOfAGuardThatIsDefined) {
  write("guarded.h", "#ifndef GUARD\n#define GUARD\n#include <map>\n#endif\n");
  step_.macros = {{"GUARDS", "-DGUARDS"}, {"GUARD", "-DGUARD=1"}};
  EXPECT_EQ(of("#include \"guarded.h\"\n"), Names{});
  step_.macros = {{"GUARDS", "-DGUARDS"}};
  EXPECT_EQ(of("#include \"guarded.h\"\n"), (Names{"map"}));
}

TEST_F(LeadingHeaders, AreNotTheProjectsOwnOfTheSameName) {
  write("include/vector", "");
  EXPECT_EQ(of("#include <map>\n#include <vector>\n#include <set>\n"), (Names{"map"}));
}

}  // namespace
}  // namespace musashim::mcc
