// Threads of a warp that poll apart from each other: those that are let go come past the others, who still
// poll, by a whole iteration of the loop around it. What a thread counts and loads is its own.
#include <musa_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <random>
#include <thread>

constexpr int kRounds = 300, kTiles = 16, kThreads = 8;  // of a tile

// A tile asks for its round, and is told.
struct Tile {
  unsigned asked, told, data[kThreads];
};

__global__ void goRound(Tile* tiles, int rounds, int* wrong) {
  Tile& own = tiles[threadIdx.x / kThreads];
  const int rank = static_cast<int>(threadIdx.x) % kThreads;
  const unsigned mask = 0xffu << (threadIdx.x & 24);
  unsigned counted = 0;
  for (int round = 1; round <= rounds; ++round) {
    __syncwarp(mask);
    if (rank == 0) {
      __atomic_store_n(&own.asked, ++counted, __ATOMIC_RELEASE);
      while (__atomic_load_n(&own.told, __ATOMIC_ACQUIRE) < counted) __nanosleep(20);
    }
    __syncwarp(mask);
    if (own.data[rank] != static_cast<unsigned>(round)) atomicAdd(wrong, 1);
  }
}

// Answers the tiles, once all have asked, in changing order and with pauses. False: one does not ask as often
// as it should.
static bool answer(Tile* tiles, const std::atomic<bool>& kernelIsOver) {
  std::mt19937 random(1);
  int order[kTiles];
  for (int i = 0; i < kTiles; ++i) order[i] = i;
  for (unsigned round = 1; round <= kRounds; ++round) {
    for (int i = 0; i < kTiles; ++i) {
      while (__atomic_load_n(&tiles[i].asked, __ATOMIC_ACQUIRE) < round) {
        if (kernelIsOver) return false;
        std::this_thread::yield();
      }
    }
    if (round % 2 == 1) std::shuffle(order, order + kTiles, random);
    for (const int i : order) {
      for (volatile unsigned pause = static_cast<unsigned>(random()) % 100; pause > 0; pause = pause - 1)
        continue;
      if (random() % 8 == 0) std::this_thread::yield();
      for (unsigned& value : tiles[i].data) value = round;
      __atomic_store_n(&tiles[i].told, round, __ATOMIC_RELEASE);
    }
  }
  return true;
}

int main() {
  Tile* tiles = nullptr;
  int* wrong = nullptr;
  musaMallocManaged(&tiles, kTiles * sizeof(Tile));
  musaMallocManaged(&wrong, sizeof *wrong);
  std::fill_n(tiles, kTiles, Tile{});
  *wrong = 0;
  std::atomic<bool> kernelIsOver{false};
  bool allAsked = false;
  std::thread answers([&] { allAsked = answer(tiles, kernelIsOver); });
  goRound<<<1, kTiles * kThreads>>>(tiles, kRounds, wrong);
  const musaError_t status = musaDeviceSynchronize();
  kernelIsOver = true;
  answers.join();
  const bool passed = status == musaSuccess && allAsked && *wrong == 0;
  std::printf("%s: %s, %d wrong, %s\n", passed ? "passed" : "failed", musaGetErrorString(status), *wrong,
              allAsked ? "all asked" : "not all asked");
  return passed ? 0 : 1;
}
