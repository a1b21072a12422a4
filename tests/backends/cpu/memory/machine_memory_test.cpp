// Reading the machine's limits from files laid out as the kernel's.
#include "cpu/memory/machine_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace musashim::backend::cpu {
namespace {

class MachineFiles : public testing::Test {
 protected:
  MachineFiles() {
    root = std::filesystem::temp_directory_path() / ("musashim-memory-" + std::to_string(getpid()));
    std::filesystem::remove_all(root);
    write("proc/meminfo", "MemTotal:       16000 kB\nMemFree:  100 kB\nMemAvailable:    8000 kB\n");
    write("proc/self/cgroup", "");
  }
  ~MachineFiles() override { std::filesystem::remove_all(root); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  uint64_t available() const { return MachineMemory(root / "proc", root / "cgroup").available(); }

  std::filesystem::path root;
};

TEST_F(MachineFiles, WithoutGroupsTheMachineDecides) {
  EXPECT_EQ(available(), 8000u * 1024);
  EXPECT_EQ(MachineMemory(root / "proc", root / "cgroup").total(), 16000u * 1024);
}

TEST_F(MachineFiles, VersionTwoLimitsOfAncestorsCount) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("cgroup/outer/inner/memory.max", "max\n");
  write("cgroup/outer/inner/memory.current", "1000000\n");
  EXPECT_EQ(available(), 8000u * 1024);
  write("cgroup/outer/memory.max", "3000000\n");
  write("cgroup/outer/memory.current", "1000000\n");
  EXPECT_EQ(available(), 2000000u);
  write("cgroup/outer/memory.stat", "anon 5\ninactive_file 300000\nactive_file 7\n");
  EXPECT_EQ(available(), 2300000u);
  write("cgroup/outer/memory.current", "4000000\n");
  EXPECT_EQ(available(), 0u);
}

TEST_F(MachineFiles, VersionOneMemoryController) {
  write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/jobs/7\n0::/\n");
  write("cgroup/memory/jobs/7/memory.limit_in_bytes", "5000000\n");
  write("cgroup/memory/jobs/7/memory.usage_in_bytes", "1000000\n");
  EXPECT_EQ(available(), 4000000u);
}

TEST_F(MachineFiles, InAContainerOnlyTheMountMayBeVisible) {
  write("proc/self/cgroup", "0::/not/visible/here\n");
  write("cgroup/memory.max", "2000000\n");
  write("cgroup/memory.current", "500000\n");
  EXPECT_EQ(available(), 1500000u);
}

}  // namespace
}  // namespace musashim::backend::cpu
