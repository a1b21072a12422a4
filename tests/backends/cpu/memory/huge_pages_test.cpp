// Huge pages of the devices' memory.
#include "cpu/memory/huge_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <numeric>
#include <string>

#include "cpu/process/peer_file.h"

namespace musashim::backend {
namespace {

using cpu::HugeBlocks;
using cpu::kHugePage;

uint64_t total(const std::vector<HugeBlocks::Run>& runs) {
  return std::accumulate(runs.begin(), runs.end(), uint64_t{0},
                         [](uint64_t sum, const HugeBlocks::Run& run) { return sum + run.size; });
}

TEST(HugeBlocks, AreTakenOnceAndTogether) {
  HugeBlocks blocks(10 * kHugePage);
  const auto first = blocks.take(2 * kHugePage, 3 * kHugePage);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].offset, 2 * kHugePage);
  EXPECT_EQ(first[0].size, 3 * kHugePage);
  EXPECT_TRUE(blocks.take(2 * kHugePage, 3 * kHugePage).empty());
  const auto around = blocks.take(0, 10 * kHugePage);
  ASSERT_EQ(around.size(), 2u);
  EXPECT_EQ(around[0].size, 2 * kHugePage);
  EXPECT_EQ(around[1].offset, 5 * kHugePage);
  EXPECT_EQ(around[1].size, 5 * kHugePage);
}

TEST(HugeBlocks, PartialBlocksAreNotTakenButForgotten) {
  HugeBlocks blocks(10 * kHugePage);
  EXPECT_EQ(total(blocks.take(kHugePage / 2, 2 * kHugePage)), kHugePage);  // block 1 alone is whole
  EXPECT_EQ(total(blocks.take(0, 10 * kHugePage)), 9 * kHugePage);
  blocks.forget(kHugePage / 2, kHugePage);  // touches blocks 0 and 1
  EXPECT_EQ(total(blocks.take(0, 10 * kHugePage)), 2 * kHugePage);
  blocks.forget(9 * kHugePage, 5 * kHugePage);  // beyond the end
  EXPECT_EQ(total(blocks.take(0, 10 * kHugePage)), kHugePage);
}

class MappedFile : public testing::Test {
 protected:
  static constexpr uint64_t kBytes = 8 * kHugePage;
  void SetUp() override { ASSERT_TRUE(cpu::createMemoryFile("huge", kBytes, file_).isOk()); }
  std::byte* map(size_t bytes, uint64_t offset) {
    void* at = cpu::mapAligned(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), offset);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
  }
  cpu::UniqueFd file_;
};

TEST_F(MappedFile, AddressesFitTheFilesBlocks) {
  for (const uint64_t offset : {uint64_t{0}, uint64_t{4096}, kHugePage, 3 * kHugePage - 4096}) {
    std::byte* at = map(kHugePage + 4096, offset);
    ASSERT_NE(at, nullptr);
    EXPECT_EQ(reinterpret_cast<uint64_t>(at) % kHugePage, offset % kHugePage);
    at[0] = std::byte{1};
    at[kHugePage + 4095] = std::byte{2};
    char last = 0;
    ASSERT_EQ(pread(file_.get(), &last, 1, static_cast<off_t>(offset + kHugePage + 4095)), 1);
    EXPECT_EQ(last, 2);
    EXPECT_EQ(munmap(at, kHugePage + 4096), 0);
  }
}

TEST_F(MappedFile, NothingButTheMappingStaysReserved) {
  std::byte* at = map(kHugePage, 4096);
  ASSERT_NE(at, nullptr);
  const auto begin = reinterpret_cast<uint64_t>(at), end = begin + kHugePage;
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    uint64_t first = 0, last = 0;
    char access[5] = {};
    ASSERT_EQ(std::sscanf(line.c_str(), "%lx-%lx %4s", &first, &last, access), 3);
    if (last == begin || first == end) EXPECT_STRNE(access, "---p") << line;
  }
  munmap(at, kHugePage);
}

TEST_F(MappedFile, AFailureSaysWhyAndLeavesNothing) {
  EXPECT_EQ(cpu::mapAligned(kHugePage, PROT_READ, MAP_SHARED, -1, 0), MAP_FAILED);
  EXPECT_EQ(errno, EBADF);
}

// kB of a field of /proc/self/smaps for the mapping that begins at `at`.
long smapsField(const void* at, const std::string& field) {
  std::ifstream smaps("/proc/self/smaps");
  char begin[32];
  std::snprintf(begin, sizeof begin, "%lx-", reinterpret_cast<unsigned long>(at));
  std::string line;
  bool here = false;
  while (std::getline(smaps, line)) {
    if (line.find('-') != std::string::npos && line.find(':') > line.find('-'))
      here = line.rfind(begin, 0) == 0;
    if (here && line.rfind(field + ":", 0) == 0) return std::stol(line.substr(field.size() + 1));
  }
  return -1;
}

TEST_F(MappedFile, MakeHugeGivesHugePagesWhereTheKernelCan) {
  std::byte* at = map(kBytes, 0);
  ASSERT_NE(at, nullptr);
  at[kHugePage] = std::byte{7};
  // MADV_COLLAPSE: before Linux 6.1, or with shmem_enabled at "deny", makeHuge() has nothing to offer.
  constexpr int kCollapse = 25;
  if (madvise(at + kHugePage, kHugePage, kCollapse) != 0)
    GTEST_SKIP() << "this kernel makes no huge pages here";
  EXPECT_EQ(at[kHugePage], std::byte{7});
  cpu::makeHuge(at + 2 * kHugePage, 4 * kHugePage);
  EXPECT_GE(smapsField(at, "ShmemPmdMapped"), 3 * 2048) << "of 5 blocks asked for";
  munmap(at, kBytes);
}

}  // namespace
}  // namespace musashim::backend
