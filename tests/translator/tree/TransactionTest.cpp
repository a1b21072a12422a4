#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "translator/lib/error.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/transaction.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

class TransactionTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "musaport-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  static void put(Transaction& transaction, const fs::path& path, std::string_view text, mode_t mode = 0644) {
    transaction.write(path, mode, [&](const Transaction::Sink& sink) { sink(text); });
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::recursive_directory_iterator(root_), fs::recursive_directory_iterator()));
  }

  fs::path root_;
};

TEST_F(TransactionTest, NothingBeforeCommit) {
  {
    Transaction transaction;
    put(transaction, root_ / "a/b/c.txt", "text");
    EXPECT_FALSE(fs::exists(root_ / "a/b/c.txt"));
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(TransactionTest, CommitGivesNamesModesAndLinks) {
  Transaction transaction;
  put(transaction, root_ / "a/run.sh", "text", 0755);
  transaction.link(root_ / "a/link", "run.sh");
  transaction.commit();
  EXPECT_EQ(readFile(root_ / "a/run.sh"), "text");
  EXPECT_EQ(static_cast<unsigned>(fs::status(root_ / "a/run.sh").permissions()), 0755U);
  EXPECT_EQ(fs::read_symlink(root_ / "a/link"), "run.sh");
  EXPECT_EQ(entries(), 3U);
}

TEST_F(TransactionTest, ReplacesAndRemoves) {
  std::ofstream(root_ / "old.cu") << "old";
  Transaction transaction;
  put(transaction, root_ / "old.mu", "new");
  transaction.remove(root_ / "old.cu");
  EXPECT_TRUE(fs::exists(root_ / "old.cu"));
  transaction.commit();
  EXPECT_FALSE(fs::exists(root_ / "old.cu"));
  EXPECT_EQ(readFile(root_ / "old.mu"), "new");
}

TEST_F(TransactionTest, RemovesOnceWhatIsAskedForTwice) {
  std::ofstream(root_ / "old.cu") << "old";
  Transaction transaction;
  put(transaction, root_ / "old.mu", "new");
  transaction.remove(root_ / "old.cu");
  transaction.remove(root_ / "old.cu");
  transaction.commit();
  EXPECT_EQ(entries(), 1U);
}

TEST_F(TransactionTest, ForgetsWhatWasStaged) {
  std::ofstream(root_ / "a.h") << "old";
  {
    Transaction transaction;
    put(transaction, root_ / "a.h", "new");
    transaction.forget(root_ / "a.h");
    transaction.forget(root_ / "b.h");
    transaction.commit();
  }
  EXPECT_EQ(readFile(root_ / "a.h"), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(TransactionTest, FailedCommitLeavesEverythingAsItWas) {
  for (const bool removal : {false, true}) {
    {
      Transaction transaction;
      for (int i = 0; i < 8; ++i) {
        const std::string name = "file" + std::to_string(i);
        std::ofstream(root_ / (name + ".cu")) << "old";
        std::ofstream(root_ / (name + ".h")) << "old";
        put(transaction, root_ / (name + ".mu"), "new");
        put(transaction, root_ / (name + ".h"), "new");
        put(transaction, root_ / "made" / name, "new");
        transaction.remove(root_ / (name + ".cu"));
      }
      if (removal) {
        transaction.remove(root_ / "taken");
      } else {
        put(transaction, root_ / "taken", "new");
      }
      fs::create_directory(root_ / "taken");
      EXPECT_THROW(transaction.commit(), PortError);
    }
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(readFile(root_ / ("file" + std::to_string(i) + ".cu")), "old");
      EXPECT_EQ(readFile(root_ / ("file" + std::to_string(i) + ".h")), "old");
    }
    EXPECT_EQ(entries(), 17U);
    fs::remove(root_ / "taken");
  }
}

TEST_F(TransactionTest, FailedProducerLeavesNothing) {
  {
    Transaction transaction;
    put(transaction, root_ / "a/first", "text");
    EXPECT_THROW(transaction.write(root_ / "a/second", 0644,
                                   [](const Transaction::Sink& sink) {
                                     sink("half");
                                     throw PortError("stop");
                                   }),
                 PortError);
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(TransactionTest, FileWhereAFolderIsNeeded) {
  std::ofstream(root_ / "a") << "file";
  Transaction transaction;
  EXPECT_THROW(put(transaction, root_ / "a/b", "text"), PortError);
}

TEST(Files, MissingAndFolder) {
  EXPECT_THROW(readFile("/nonexistent/file"), PortError);
  EXPECT_THROW(readFile("/"), PortError);
  try {
    readFile("/nonexistent/file");
  } catch (const PortError& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/file: cannot read: No such file or directory; check the path");
  }
}

}  // namespace
}  // namespace musashim::translator
