// What control groups leave of a machine's processors.
#include "support/processor_share.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace musashim::support {
namespace {

class Groups : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / ("processor_share." + std::to_string(getpid()));
    write("proc/self/cgroup", "");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }
  unsigned allowed() const { return allowedProcessors(root_ / "proc", root_ / "cgroup"); }

 private:
  std::filesystem::path root_;
};

TEST_F(Groups, WithoutLimitAllowAll) {
  EXPECT_EQ(allowed(), processor_share::kUnlimited);
  write("proc/self/cgroup", "0::/a/b");
  write("cgroup/a/cpu.max", "max 100000");
  EXPECT_EQ(allowed(), processor_share::kUnlimited);
  EXPECT_GE(usableProcessors(), 1u);
}

TEST_F(Groups, OfVersion2AllowTheLeastOnTheWayUp) {
  write("proc/self/cgroup", "0::/a/b");
  write("cgroup/a/cpu.max", "200000 100000");
  write("cgroup/a/b/cpu.max", "350000 100000");
  EXPECT_EQ(allowed(), 2u);
  write("cgroup/a/cpu.max", "max 100000");
  EXPECT_EQ(allowed(), 4u) << "a part of a processor counts as one";
}

TEST_F(Groups, OfAContainerAreAtTheMount) {
  write("proc/self/cgroup", "0::/");
  write("cgroup/cpu.max", "50000 100000");
  EXPECT_EQ(allowed(), 1u);
}

TEST_F(Groups, OfVersion1HaveTwoFiles) {
  write("proc/self/cgroup", "4:cpu,cpuacct:/c\n3:memory:/d");
  write("cgroup/cpu/c/cpu.cfs_quota_us", "300000");
  write("cgroup/cpu/c/cpu.cfs_period_us", "100000");
  EXPECT_EQ(allowed(), 3u);
  write("cgroup/cpu/c/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(allowed(), processor_share::kUnlimited);
}

}  // namespace
}  // namespace musashim::support
