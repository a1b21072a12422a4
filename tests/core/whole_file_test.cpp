#include "core/whole_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>
#include <vector>

namespace musashim::core {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "whole-file-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WholeFile, WhatIsWrittenIsRead) {
  const std::string path = folder_ / "file", bytes("a\0b\n\r\xff", 6);
  EXPECT_EQ(contentOf(path), "");
  EXPECT_TRUE(writeWhole(path, bytes));
  EXPECT_EQ(contentOf(path), bytes);
  EXPECT_TRUE(writeWhole(path, ""));
  EXPECT_EQ(contentOf(path), "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFile, NothingIsLeftWhereItCannotBeWritten) {
  EXPECT_FALSE(writeWhole(folder_ / "none" / "file", "text"));
  fs::create_directories(folder_ / "folder" / "inner");
  EXPECT_FALSE(writeWhole(folder_ / "folder", "text"));  // cannot take the place of a folder
  EXPECT_EQ(contentOf(folder_ / "folder"), "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFile, ReadersSeeTheWholeOfOneOfManyWriters) {
  const std::string path = folder_ / "file";
  ASSERT_TRUE(writeWhole(path, std::string(100'000, 'a')));
  std::vector<std::thread> threads;
  for (const char letter : {'a', 'b', 'c', 'd'}) {
    threads.emplace_back([&, letter] {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(writeWhole(path, std::string(100'000, letter)));
    });
  }
  for (int i = 0; i < 200; ++i) {
    const std::string content = contentOf(path);
    ASSERT_EQ(content.size(), 100'000U);
    EXPECT_EQ(content.find_first_not_of(content.front()), std::string::npos);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace musashim::core
