#include "mcc/driver/build_session.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace musashim::mcc {
namespace {

// Runs `check` in a child of a process that is named `name`; true if it says so.
template <typename Check>
bool belowProcess(const char* name, Check check) {
  const pid_t parent = fork();
  if (parent == 0) {
    prctl(PR_SET_NAME, name);
    const pid_t child = fork();
    if (child == 0) _exit(check() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    _exit(WEXITSTATUS(status));
  }
  int status = 1;
  waitpid(parent, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class BuildSession : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "build_session." + std::to_string(getpid());
    std::filesystem::create_directories(folder_);
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    std::filesystem::remove_all(folder_);
  }

  std::string folder_;
};

TEST_F(BuildSession, SaysThingsOnce) {
  EXPECT_TRUE(belowProcess("ninja", [] {
    const auto first = firstInBuild({"-a", "-b"}), second = firstInBuild({"-a", "-b", "-c"});
    return first == std::set<std::string>{"-a", "-b"} && second == std::set<std::string>{"-c"};
  }));
}

TEST_F(BuildSession, TheOutermostBuildCounts) {
  EXPECT_TRUE(belowProcess("cmake", [&] {
    const std::string outer = buildFile(folder_, getppid());
    return !outer.empty() && belowProcess("make", [&] { return buildFile(folder_, getppid()) == outer; });
  }));
}

TEST_F(BuildSession, AnotherBuildSaysThemAgain) {
  // Where the tests themselves are part of a build, both are that one.
  const bool inBuild = !buildFile(folder_, getppid()).empty();
  for (const bool isFirst : {true, false}) {
    EXPECT_TRUE(belowProcess("make", [&] {
      return firstInBuild({"-a"}) ==
             (inBuild && !isFirst ? std::set<std::string>() : std::set<std::string>{"-a"});
    }));
  }
}

TEST_F(BuildSession, FilesOfBuildsThatHaveEndedGoAway) {
  if (!buildFile(folder_, getppid()).empty()) GTEST_SKIP() << "the tests are part of a build";
  std::string first;
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(belowProcess("make", [] { return firstInBuild({"-a"}).has_value(); }));
  const std::filesystem::path files = folder_ + "/mcc-builds-" + std::to_string(getuid());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(files), {}), 1);
}

TEST_F(BuildSession, WithoutAPlaceThereIsNone) {
  setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_TRUE(belowProcess("make", [] { return !firstInBuild({"-a"}).has_value(); }));
}

}  // namespace
}  // namespace musashim::mcc
