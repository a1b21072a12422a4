#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "translator/lib/error.h"
#include "translator/lib/tree/project.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

class ProjectTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "musaport-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void put(const fs::path& relative) {
    fs::create_directories((root_ / relative).parent_path());
    std::ofstream(root_ / relative) << "x";
  }
  std::string listed(const CollectOptions& options = {}) {
    std::string result;
    const Project project = Project::collect({root_}, options);
    for (const ProjectFile& file : project.files()) result.append(file.target) += " ";
    return result;
  }

  fs::path root_;
};

TEST_F(ProjectTest, KindsAndNames) {
  for (const char* name :
       {"a.cu", "b.cuh", "c.CU", "d.h", "e.mu", "Makefile", "data.bin", "f.h.in", "g.cu.txt"})
    put(name);
  EXPECT_EQ(listed(), "Makefile a.mu b.muh c.mu d.h data.bin e.mu f.h.in g.cu.txt ");
  EXPECT_EQ(kindOf("x/a.cu"), FileKind::Source);
  EXPECT_EQ(kindOf("a.muh"), FileKind::Native);
  EXPECT_EQ(kindOf("CMakeLists.txt"), FileKind::Build);
  EXPECT_EQ(kindOf("f.h.in"), FileKind::Source);
  EXPECT_EQ(kindOf("g.cu.txt"), FileKind::Other);
}

TEST_F(ProjectTest, VersionControlOutputAndExcludesAreLeftOut) {
  for (const char* name : {"a.cu", ".git/config", "out/a.mu", "third_party/x.cu", "sub/skip.cu"}) put(name);
  EXPECT_EQ(listed({{"third_party", "skip.*"}, root_ / "out"}), "a.mu ");
}

TEST_F(ProjectTest, ThreadsFindTheSameInTheSameOrder) {
  for (int i = 0; i < 60; ++i) {
    const std::string folder = "f" + std::to_string(i % 20) + "/g" + std::to_string(i) + "/";
    put(folder + "a.cu");
    put(folder + "deep/er/b.h");
    std::ofstream(root_ / (folder + "header")) << "#pragma once\n";
    fs::create_directories(root_ / (folder + "empty"));
  }
  put("f3.h");
  CollectOptions options;
  options.excludes = {"g7"};
  const std::string one = listed(options);
  options.threads = 4;
  EXPECT_EQ(listed(options), one);
  const Project project = Project::collect({root_}, options);
  EXPECT_EQ(project.files().size(), 59U * 3 + 1);
  EXPECT_EQ(project.emptyFolders().size(), 59U);
  for (const ProjectFile& file : project.files()) EXPECT_EQ(file.kind, FileKind::Source) << file.relative;
}

TEST_F(ProjectTest, IncludesOfProjectFiles) {
  for (const char* name : {"src/a.cu", "src/k.cuh", "inc/lib/b.cuh", "inc/plain.h", "stub/cuda.h"}) put(name);
  const Project project = Project::collect({root_}, {});
  const auto file = [&](std::string_view target) -> const ProjectFile& {
    return *std::find_if(project.files().begin(), project.files().end(),
                         [&](const auto& f) { return f.target == target; });
  };
  const FileView a(project, file("src/a.mu"));
  EXPECT_EQ(a.renamed("k.cuh"), "k.muh");
  EXPECT_EQ(a.renamed("./../src/k.cuh"), "./../src/k.muh");
  EXPECT_EQ(a.renamed("lib/b.cuh"), "lib/b.muh") << "found by -I";
  EXPECT_TRUE(a.owns("plain.h", true));
  EXPECT_EQ(a.renamed("plain.h"), "");
  EXPECT_FALSE(a.owns("cub/cub.cuh", true));
  EXPECT_FALSE(a.owns("cuda.h", true)) << "another folder's file does not hide CUDA's header";
  EXPECT_TRUE(FileView(project, file("stub/cuda.h")).owns("cuda.h", true));
  EXPECT_FALSE(FileView(project, file("stub/cuda.h")).owns("cuda.h", false)) << "<> does not look there";
}

TEST_F(ProjectTest, TwoFilesForOneName) {
  put("a.cu");
  put("a.mu");
  EXPECT_THROW(listed(), PortError);
}

TEST_F(ProjectTest, LinksStayLinksAndNeverLeadOut) {
  put("a.cu");
  fs::create_symlink("a.cu", root_ / "same.cu");
  fs::create_symlink("../outside", root_ / "relative");
  fs::create_symlink("/etc", root_ / "absolute");
  const Project project = Project::collect({root_}, {});
  ASSERT_EQ(project.files().size(), 2U);
  EXPECT_EQ(project.files()[1].kind, FileKind::Link);
  EXPECT_EQ(project.files()[1].target, "same.mu");
  EXPECT_EQ(project.skipped().size(), 2U);
}

/// More levels than a process may have files open.
TEST_F(ProjectTest, DeepFolders) {
  fs::path below;
  for (int i = 0; i < 1500; ++i) below /= "d";
  const fs::path start = fs::current_path();
  fs::current_path(root_);
  for (int i = 0; i < 1500; ++i) {
    fs::create_directory("d");
    fs::current_path("d");
  }
  std::ofstream("a.cu") << "int x;\n";
  fs::current_path(start);
  const Project project = Project::collect({root_}, {});
  ASSERT_EQ(project.files().size(), 1U);
  EXPECT_EQ(project.files()[0].target, below / "a.mu");
}

TEST_F(ProjectTest, MissingInput) { EXPECT_THROW(Project::collect({root_ / "none"}, {}), PortError); }

TEST_F(ProjectTest, SeveralInputsKeepTheirNames) {
  put("one/a.cu");
  put("two/a.cu");
  const Project project = Project::collect({root_ / "one", root_ / "two"}, {});
  EXPECT_EQ(project.files()[0].target, "one/a.mu");
  EXPECT_EQ(project.files()[1].target, "two/a.mu");
}

}  // namespace
}  // namespace musashim::translator
