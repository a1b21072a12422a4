// How ranks are cut into teams that reach each other's memory.
#include <gtest/gtest.h>

#include <string>

#include "mccl/comm/memory_exchange.h"

namespace musashim::mccl {
namespace {

// A letter for each rank's host.
int sizeFor(const std::string& hosts) {
  Roster roster;
  for (const char host : hosts) {
    RankInfo info;
    info.machine = {static_cast<uint64_t>(host), 0};
    roster.ranks.push_back(info);
  }
  return lsaSizeOf(roster);
}

TEST(LsaTeams, AreRunsOfRanksOfOneHost) {
  EXPECT_EQ(sizeFor("A"), 1);
  EXPECT_EQ(sizeFor("AAAAA"), 5);
  EXPECT_EQ(sizeFor("AABB"), 2);
  EXPECT_EQ(sizeFor("AAABBB"), 3);
}

TEST(LsaTeams, AreOfOneLength) {
  EXPECT_EQ(sizeFor("AAAABB"), 2);
  EXPECT_EQ(sizeFor("AAABB"), 1);
  EXPECT_EQ(sizeFor("ABAB"), 1) << "no rank has a neighbour";
}

}  // namespace
}  // namespace musashim::mccl
