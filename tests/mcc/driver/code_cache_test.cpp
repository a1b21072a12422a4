#include "mcc/driver/kept/code_cache.h"

#include <gtest/gtest.h>

#include "mcc/device_plugin/code_cache/entry.h"

namespace musashim::mcc {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kPlugin = "/sdk/lib/musashim/mcc-device.so";

// A device pass with `more` in the middle.
Strings pass(const Strings& more, const std::string& source = "a.mu") {
  Strings command{
      "/usr/bin/clang++-19", "-cc1", "-load", kPlugin, std::string("-fpass-plugin=") + kPlugin, "-mllvm",
      "-musa-check=1"};
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"-emit-obj", "-o", "/tmp/mcc-1/" + source + ".o", "-x", "hip", source});
  return command;
}

auto of(const Strings& command) { return codeOptions(command, kPlugin); }

TEST(CodeCache, DoesNotDependOnWhatIsInTheModule) {
  const auto one = of(pass({}));
  ASSERT_TRUE(one);
  const auto other = of(pass({"-D",
                              "N=1",
                              "-DM=2",
                              "-I",
                              "include",
                              "-Iinclude",
                              "-Wall",
                              "-Werror",
                              "-include",
                              "a.h",
                              "-internal-isystem",
                              "/sdk/include",
                              "-dependency-file",
                              "a.d",
                              "-MT",
                              "a.o",
                              "-ivfsoverlay",
                              "/tmp/mcc-1/o.json",
                              "-fcolor-diagnostics",
                              "-main-file-name",
                              "b.mu",
                              "-plugin-arg-musa-source-facts",
                              "warp-size=32"},
                             "b.mu"));
  EXPECT_EQ(one, other);
}

TEST(CodeCache, DependsOnHowCodeIsMade) {
  const auto plain = of(pass({}));
  for (const Strings& options :
       {Strings{"-O2"}, Strings{"-target-cpu", "x86-64-v3"}, Strings{"-mllvm", "-musa-fibers"},
        Strings{"-mframe-pointer=all"}, Strings{"-fsanitize=address"}}) {
    EXPECT_TRUE(of(pass(options))) << options.front();
    EXPECT_NE(of(pass(options)), plain) << options.front();
  }
  EXPECT_NE(of(pass({"-target-cpu", "x86-64-v3"})), of(pass({"-target-cpu", "x86-64"})));
}

TEST(CodeCache, LeavesPassesAloneThatMakeMoreThanAnObject) {
  for (const Strings& options :
       {Strings{"-split-dwarf-file", "a.dwo"}, Strings{"-opt-record-file", "a.yml"}, Strings{"-Rpass=inline"},
        Strings{"-stack-usage-file=a.su"}, Strings{"-ftime-report"}, Strings{"-coverage-notes-file=a.gcno"},
        Strings{"-mllvm", "-stats"}, Strings{"-mllvm", "-print-after-all"}, Strings{"-load", "/home/own.so"},
        Strings{"-fpass-plugin=/home/own.so"}, Strings{"-Wpass-failed"}})
    EXPECT_FALSE(of(pass(options))) << options.front();
}

TEST(CodeCache, IsForDevicePassesAlone) {
  Strings command = pass({});
  std::erase(command, "-emit-obj");
  EXPECT_FALSE(of(command));
  command = pass({});
  std::erase(command, std::string("-fpass-plugin=") + kPlugin);
  EXPECT_FALSE(of(command));
  EXPECT_FALSE(of({"/usr/bin/ld.lld-19", "-o", "a.so", "a.o"}));
}

TEST(CodeCache, EntriesAreWholeOrNone) {
  const std::string code(
      "\x7f"
      "ELF\0code",
      9),
      entry = writeEntry(code);
  EXPECT_EQ(readEntry(entry), llvm::StringRef(code));
  EXPECT_EQ(readEntry(writeEntry("")), llvm::StringRef());
  for (size_t size = 0; size < entry.size(); ++size) EXPECT_FALSE(readEntry(entry.substr(0, size))) << size;
  for (size_t place = 0; place < entry.size(); ++place) {
    std::string damaged = entry;
    damaged[place] = static_cast<char>(damaged[place] ^ 4);
    EXPECT_FALSE(readEntry(damaged)) << place;
  }
  EXPECT_FALSE(readEntry(entry + "more"));
}

}  // namespace
}  // namespace musashim::mcc
