// The cache: alone, and behind programs.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "mtrtc/cache/disk_cache.h"
#include "support.h"

namespace {

using namespace musashim::test;
using musashim::mtrtc::CachedResult;
using musashim::mtrtc::DiskCache;
namespace fs = std::filesystem;

class MtrtcCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("mtrtc_cache_" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  uint64_t bytes() const {
    uint64_t total = 0;
    for (const auto& file : fs::directory_iterator(folder_)) total += file.file_size();
    return total;
  }

  fs::path only() const { return fs::directory_iterator(folder_)->path(); }

  fs::path folder_;
};

TEST_F(MtrtcCache, GivesBackWhatWasStored) {
  DiskCache cache(folder_, 1 << 20);
  CachedResult found;
  EXPECT_FALSE(cache.find("key", found));
  cache.store("key", {"log", std::string("im\0age", 6), {"a", "b"}, {}});
  ASSERT_TRUE(cache.find("key", found));
  EXPECT_EQ(found.log, "log");
  EXPECT_EQ(found.image, std::string("im\0age", 6));
  EXPECT_EQ(found.lowered, (Strings{"a", "b"}));
  EXPECT_FALSE(cache.find("other", found));
}

TEST_F(MtrtcCache, BrokenFilesAreNotBelieved) {
  DiskCache cache(folder_, 1 << 20);
  CachedResult found;
  cache.store("key", {"log", std::string(1000, 'x'), {}, {}});
  const fs::path file = only();
  const auto size = fs::file_size(file);
  fs::resize_file(file, size - 5);
  EXPECT_FALSE(cache.find("key", found));
  cache.store("key", {"log", std::string(1000, 'x'), {}, {}});
  ASSERT_TRUE(cache.find("key", found));
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('y');
  EXPECT_FALSE(cache.find("key", found));
}

TEST_F(MtrtcCache, FilesThatWereReadMustBeTheSame) {
  DiskCache cache(folder_, 1 << 20);
  fs::create_directories(folder_);
  const fs::path header = fs::temp_directory_path() / ("mtrtc_header_" + std::to_string(getpid()));
  std::ofstream(header) << "1";
  CachedResult found;
  cache.store("key", {"", "image", {}, {header}});
  EXPECT_TRUE(cache.find("key", found));
  std::ofstream(header) << "22";
  EXPECT_FALSE(cache.find("key", found));
  fs::remove(header);
  EXPECT_FALSE(cache.find("key", found));
}

TEST_F(MtrtcCache, StaysBelowItsLimit) {
  constexpr uint64_t kLimit = 100'000;
  DiskCache cache(folder_, kLimit);
  for (int i = 0; i < 200; ++i) cache.store("key" + std::to_string(i), {"", std::string(4000, 'x'), {}, {}});
  EXPECT_LE(bytes(), kLimit + 16 * 4200);  // it looks every 16th time
  CachedResult found;
  EXPECT_TRUE(cache.find("key199", found));
  EXPECT_FALSE(cache.find("key0", found));
}

TEST_F(MtrtcCache, ThreadsAndProcessesShareIt) {
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      DiskCache cache(folder_, 200'000);
      bool right = true;
      for (int i = 0; i < 300; ++i) {
        const int number = (i * 7 + process) % 50;
        const std::string key = "key" + std::to_string(number),
                          image(3000, static_cast<char>('a' + number % 26));
        CachedResult found;
        if (cache.find(key, found)) right &= found.image == image;
        cache.store(key, {"", image, {}, {}});
      }
      _exit(right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  for (const auto& file : fs::directory_iterator(folder_)) EXPECT_EQ(file.path().extension(), ".mtrtc");
}

TEST_F(MtrtcCache, FolderThatCannotBeWritten) {
  DiskCache cache("/proc/nowhere", 1000);
  CachedResult found;
  cache.store("key", {"", "image", {}, {}});
  EXPECT_FALSE(cache.find("key", found));
}

TEST(MtrtcCached, SecondCompilationComesFromDisk) {
  const auto compile = [](int* result) {
    const Program program("template <int N> __global__ void k(int* out) { *out = N; }\n#warning once\n");
    EXPECT_EQ(mtrtcAddNameExpression(program, "k<77>"), MTRTC_SUCCESS);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(program.compile(), MTRTC_SUCCESS);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    EXPECT_NE(program.log().find("once"), std::string::npos);
    *result = Device().result(program, program.lowered("k<77>"));
    return took.count();
  };
  int first = 0, second = 0;
  const double slow = compile(&first), fast = compile(&second);
  EXPECT_EQ(first, 77);
  EXPECT_EQ(second, 77);
  EXPECT_LT(fast, slow / 5);
}

TEST(MtrtcCached, EverythingThatMattersIsInTheKey) {
  const std::string source = "extern \"C\" __global__ void k(int* out) { *out = N; }";
  const auto result = [&](const Strings& options, const std::vector<Header>& headers) {
    const Program program("#include \"h.h\"\n" + source, headers);
    EXPECT_EQ(program.compile(options), MTRTC_SUCCESS) << program.log();
    return Device().result(program, "k");
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(result({"-DN=1"}, {{"h.h", ""}}), 1);
    EXPECT_EQ(result({"-DN=2"}, {{"h.h", ""}}), 2);
    EXPECT_EQ(result({}, {{"h.h", "#define N 3\n"}}), 3);
    EXPECT_EQ(result({}, {{"h.h", "#define N 4\n"}}), 4);
  }
}

}  // namespace
