// The device headers' collectives, groups, atomics and heap as compiled device code.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "lane_runtime.h"
#include "musa_bf16.h"
#include "musa_fp16.h"

struct Triple {
  double a;
  int b, c;
};

extern "C" {
void shuffleKernel(int* ints, double* doubles, half2* halves, long long* longs);
void voteKernel(unsigned* ballots, int* all, unsigned* sums, int* lows, unsigned* matches);
void groupKernel(int* scratch, int* results, Triple* triples);
void atomicKernel(int* sum, unsigned* wrapped, unsigned* down, float* real, half* small, __mt_bfloat162* pair,
                  unsigned long long* largest, int* claims);
void heapKernel(int* results);
void indexKernel(unsigned* results);
}

namespace musashim::device_test {
namespace {

TEST(LaneKernels, ShufflesMoveEveryTypeWhole) {
  std::vector<int> ints(32);
  std::vector<double> doubles(32);
  std::vector<half2> halves(32);
  std::vector<long long> longs(32);
  runBlock({}, [&] { shuffleKernel(ints.data(), doubles.data(), halves.data(), longs.data()); });
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(ints[i], (i / 8 * 8 + 3) * 10);
    EXPECT_EQ(doubles[i], (i + 4 < 32 ? i + 4 : i) + 0.25);
    EXPECT_EQ(float(halves[i].x), float(i ^ 1));
    EXPECT_EQ(float(halves[i].y), -1.0f);
    EXPECT_EQ(longs[i], (long long)(i % 16 >= 2 ? i - 2 : i) << 40);
  }
}

TEST(LaneKernels, VotesAndReductionsUseTheMask) {
  std::vector<unsigned> ballots(32), sums(32), matches(32);
  std::vector<int> all(32), lows(32);
  runBlock({}, [&] { voteKernel(ballots.data(), all.data(), sums.data(), lows.data(), matches.data()); });
  for (unsigned i = 1; i < 32; i += 2) {
    EXPECT_EQ(ballots[i], 0x22222222u);
    EXPECT_EQ(all[i], 2);
    EXPECT_EQ(sums[i], 256u);
    EXPECT_EQ(lows[i], -31);
    EXPECT_EQ(matches[i], 0xaau << (i / 8 * 8));
  }
}

TEST(LaneKernels, GroupsDivideAndCombine) {
  std::vector<int> scratch(64), results(32 * 16);
  std::vector<Triple> triples(32);
  runBlock({}, [&] { groupKernel(scratch.data(), results.data(), triples.data()); });
  EXPECT_EQ(results[0], 31 * 32 / 2);
  for (int rank = 0; rank < 32; ++rank) {
    const int* row = &results[size_t(rank) * 16];
    const int tile = rank / 8, inTile = rank % 8;
    EXPECT_EQ(row[1], 8 * (8 * tile) + 28);
    EXPECT_EQ(row[2], tile * 100 + 4);
    EXPECT_EQ(row[3], tile * 8 + 5);
    int ballot = 0;
    for (int i = 0; i < 8; ++i) ballot |= int((tile * 8 + i) % 3 == 0) << i;
    EXPECT_EQ(row[4], ballot);
    EXPECT_EQ(row[5], inTile * (inTile + 1) / 2);
    EXPECT_EQ(row[6], inTile / 2 * 100 + 4);
    if (rank % 4 == 0) {
      EXPECT_EQ(row[7], 4);
    }
    EXPECT_EQ(row[8], tile * 8 + 6 + rank % 2);
    EXPECT_EQ(row[9], inTile / 2 * 100 + 4);
    EXPECT_EQ(row[10], inTile < 6 ? rank + 2 : rank);
    const int label = inTile / 3;  // members 3, 3 and 2
    EXPECT_EQ(row[11], label * 100 + (label == 2 ? 2 : 3));
    EXPECT_EQ(row[12], inTile % 3 + 1);
    EXPECT_EQ(row[13], results[36]);
    EXPECT_EQ(triples[size_t(rank)].a, (rank ^ 7) + 0.5);
    EXPECT_EQ(triples[size_t(rank)].b, rank ^ 7);
    EXPECT_EQ(triples[size_t(rank)].c, -(rank ^ 7));
  }
}

TEST(LaneKernels, AtomicsLoseNoUpdate) {
  int sum = 0, claims[2] = {0, 0};
  unsigned wrapped = 0, down = 100;  // above the limit: starts over
  float real = 0;
  half small = 0.0f;
  __mt_bfloat162 pair(0, 0);
  unsigned long long largest = 0;
  runBlock({}, [&] { atomicKernel(&sum, &wrapped, &down, &real, &small, &pair, &largest, claims); });
  EXPECT_EQ(sum, 200 * 496);
  EXPECT_EQ(wrapped, 6400u % 7);
  EXPECT_EQ(down, (10u - (6400u - 1) % 10u + 9u) % 10u);  // 100 -> 9, then 6399 steps
  EXPECT_EQ(real, 3200.0f);
  EXPECT_EQ(float(small), 8.0f);
  EXPECT_EQ(float(pair.x), 32.0f);
  EXPECT_EQ(float(pair.y), 64.0f);
  EXPECT_EQ(largest, 31ull << 32);
  EXPECT_GT(claims[0], 0);
  EXPECT_EQ(claims[1], 7);
}

TEST(LaneKernels, HeapPrintfAndAssertAreTheDevices) {
  std::vector<int> results(8);
  const Outcome outcome = runBlock({.block = {8, 1, 1}}, [&] { heapKernel(results.data()); });
  for (int i = 0; i < 8; ++i) EXPECT_EQ(results[size_t(i)], i * i);
  EXPECT_EQ(outcome.liveAllocations, 0);
  EXPECT_EQ(outcome.output, "thread 3 of 8, says 1.50\n");
  EXPECT_EQ(outcome.failedAssert, "results == nullptr");
}

TEST(LaneKernels, IndicesConvertToBothTypes) {
  unsigned results[6] = {};
  runBlock({.grid = {7, 8, 9}, .block = {1, 1, 1}, .blockIdx = {1, 2, 3}}, [&] { indexKernel(results); });
  EXPECT_EQ(results[0], 0u);
  EXPECT_EQ(results[1], 111u);
  EXPECT_EQ(results[2], 321u);
  EXPECT_EQ(results[3], 987u);
  EXPECT_EQ(results[4], 32u);
  EXPECT_EQ(results[5], 1u + 7 * (2 + 8 * 3));
}

}  // namespace
}  // namespace musashim::device_test
