// mtshmrun's hosts, and the ring of requests.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "mtshmem/remote/ring.h"
#include "mtshmem/remote/words.h"
#include "mtshmem/tools/host_list.h"

using musashim::mtshmem::HostList;
using musashim::mtshmem::Ring;

namespace {

std::string places(const HostList& hosts, int size) {
  std::string text;
  for (int pe = 0; pe < size; ++pe) text += hosts.hostOf(pe) + " ";
  return text;
}

TEST(Hosts, HereWithoutAList) {
  HostList hosts;
  EXPECT_TRUE(hosts.isEmpty());
  EXPECT_TRUE(hosts.spread(4, 0));
  EXPECT_EQ(hosts.hostOf(3), "");
}

TEST(Hosts, InEqualParts) {
  HostList hosts;
  hosts.add("a,b");
  EXPECT_TRUE(hosts.spread(5, 0));
  EXPECT_EQ(places(hosts, 5), "a a a b b ");
}

TEST(Hosts, AsManyAsSaid) {
  HostList hosts;
  hosts.add("a:1,b:3");
  EXPECT_TRUE(hosts.spread(4, 0));
  EXPECT_EQ(places(hosts, 4), "a b b b ");
  HostList few;
  few.add("a,b");
  EXPECT_FALSE(few.spread(5, 2));
}

TEST(Hosts, ALineForARemoteShell) {
  char program[] = "x y", argument[] = "it's";
  char* command[] = {program, argument, nullptr};
  const std::string line = musashim::mtshmem::remoteCommand({{"MTSHMEM_PE", "3"}}, {}, command);
  EXPECT_NE(line.find("'MTSHMEM_PE=3' 'x y' 'it'\\''s'"), std::string::npos) << line;
}

TEST(Ring, ManyLeaveOneTakes) {
  static Ring ring;
  constexpr int kThreads = 4, kEach = 2000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < kEach; ++i) {
        const uint64_t turn = ring.begin([] { std::this_thread::yield(); });
        ring.request(turn).operand = static_cast<uint64_t>(t * kEach + i);
        ring.fill(turn);
      }
    });
  }
  uint64_t sum = 0;
  for (int left = kThreads * kEach; left > 0;) {
    if (!ring.hasNext()) {
      std::this_thread::yield();
      continue;
    }
    sum += ring.request(ring.next()).operand;
    ring.giveBack(ring.next());
    ring.take();
    --left;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, uint64_t{kThreads * kEach} * (kThreads * kEach - 1) / 2);
}

TEST(Words, AtomicsOfBothWidths) {
  using musashim::mtshmem::atomicWord;
  alignas(8) uint64_t word = 5;
  char* const place = reinterpret_cast<char*>(&word);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_ADD, 7, 0), 5u);
  EXPECT_EQ(atomicWord(place, 4, MTSHMEMI_ADD, 0xffffffff, 0), 12u);  // wraps within its four bytes
  EXPECT_EQ(word, 11u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_COMPARE_SWAP, 1, 10), 11u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_COMPARE_SWAP, 1, 11), 11u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_FETCH, 0, 0), 1u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_OR, 6, 0), 1u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_XOR, 2, 0), 7u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_AND, 4, 0), 5u);
  EXPECT_EQ(atomicWord(place, 8, MTSHMEMI_SWAP, 9, 0), 4u);
  EXPECT_EQ(word, 9u);
}

}  // namespace
