#include "libs/core/share.h"

#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "libs/core/memory_access.h"

namespace musashim::libs {
namespace {

TEST(Share, RunsEachPartOnce) {
  for (size_t parts : {0, 1, 2, 3, 100}) {
    std::vector<std::atomic<int>> runs(parts);
    shareOut(parts, [&](size_t index) { ++runs[index]; });
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(Share, PartsMayShareOutThemselves) {
  std::atomic<int> runs{0};
  shareOut(4, [&](size_t) { shareOut(4, [&](size_t) { ++runs; }); });
  EXPECT_EQ(runs, 16);
}

// Whichever thread it is on: the caller hears of it when all parts have run.
TEST(Share, WhatAPartThrowsTheCallerGets) {
  for (size_t bad = 0; bad < 6; ++bad) {
    std::atomic<int> runs{0};
    const auto part = [&](size_t index) {
      ++runs;
      if (index == bad) throw std::runtime_error("part " + std::to_string(bad));
    };
    try {
      shareOut(6, part);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "part " + std::to_string(bad));
    }
    EXPECT_EQ(runs, sharingThreads() < 2 ? static_cast<int>(bad) + 1 : 6);
  }
  EXPECT_THROW(shareOut(50, [](size_t) { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(Share, ManyThreadsAtOnce) {
  std::atomic<int> runs{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) shareOut(5, [&](size_t) { ++runs; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(runs, 8 * 50 * 5);
}

TEST(Share, HelpersMayTouchDeviceMemory) {
  int* memory = nullptr;
  ASSERT_EQ(musaMalloc(reinterpret_cast<void**>(&memory), 64 * sizeof(int)), musaSuccess);
  const MemoryAccess access;
  shareOut(64, [&](size_t index) { memory[index] = static_cast<int>(index); });
  for (int i = 0; i < 64; ++i) EXPECT_EQ(memory[i], i);
  EXPECT_EQ(musaFree(memory), musaSuccess);
}

}  // namespace
}  // namespace musashim::libs
