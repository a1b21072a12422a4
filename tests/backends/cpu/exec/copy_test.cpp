// Copies and fills against byte-by-byte references.
#include <random>

#include "../../support.h"
#include "cpu/core/cpu_level.h"
#include "cpu/exec/move_loops.h"

namespace musashim::backend::test {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes randomBytes(size_t count) {
  std::minstd_rand random(static_cast<unsigned>(count));
  Bytes bytes(count);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

TEST(Copy, PlainOfAnySize) {
  Machine machine(testSettings(2));
  for (size_t size : {0ul, 1ul, 4ul, 4097ul, (4ul << 20) - 1, (9ul << 20) + 13, (33ul << 20) + 29}) {
    Bytes source = randomBytes(size + 1), back(size + 1, 0);
    auto* first = machine.allocate<unsigned char>(size + 1, 0);
    auto* second = machine.allocate<unsigned char>(size + 1, 1);
    machine.queue().submit(Copy{first, source.data(), size}, {});
    machine.queue().submit(Copy{second, first, size}, {});  // peer
    machine.queue().wait(machine.queue().submit(Copy{back.data(), second, size}, {}));
    source[size] = 0;
    EXPECT_EQ(back, source) << size;
    EXPECT_TRUE(machine.device(0).release(first).isOk());
    EXPECT_TRUE(machine.device(1).release(second).isOk());
  }
}

TEST(Copy, OverlappingMoves) {
  Machine machine;
  constexpr size_t kSize = 6 << 20;
  Bytes bytes = randomBytes(kSize + 100), expected = bytes;
  memmove(expected.data() + 100, expected.data(), kSize);
  machine.queue().wait(machine.queue().submit(Copy{bytes.data() + 100, bytes.data(), kSize}, {}));
  EXPECT_EQ(bytes, expected);
}

// Bytes that huge pages hold in the mapping with `at`.
size_t inHugePages(const void* at) {
  std::ifstream smaps("/proc/self/smaps");
  std::string line;
  bool here = false;
  while (std::getline(smaps, line)) {
    unsigned long first = 0, last = 0, size = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &last) == 2)
      here = first <= reinterpret_cast<uintptr_t>(at) && reinterpret_cast<uintptr_t>(at) < last;
    if (here && std::sscanf(line.c_str(), "ShmemPmdMapped: %lu", &size) == 1) return size << 10;
  }
  return 0;
}

// Allocations so large get no pages when they are made.
TEST(Copy, TheFirstToWriteLargeMemoryGivesItHugePages) {
  Machine machine;
  constexpr size_t kMiB = 1 << 20, kSize = 140 * kMiB;
  auto* memory = machine.allocate<unsigned char>(kSize);
  const size_t before = inHugePages(memory);
  memory[5 * kMiB] = 1;
  memory[20 * kMiB] = 2;
  memory[50 * kMiB] = 3;
  const auto run = [&](const auto& command) { machine.queue().wait(machine.queue().submit(command, {})); };
  run(Fill{memory + 10 * kMiB, 0x77, 1, 30 * kMiB});
  const size_t filled = inHugePages(memory);
  if (filled == before) GTEST_SKIP() << "this kernel makes no huge pages here";
  EXPECT_GE(filled, before + 20 * kMiB);  // the machine may be short of some
  EXPECT_EQ(memory[5 * kMiB], 1);
  EXPECT_EQ(memory[20 * kMiB], 0x77);
  // A move within fresh memory takes what is there.
  run(Copy{memory + 50 * kMiB - 4, memory + 50 * kMiB, 16 * kMiB});
  EXPECT_EQ(memory[50 * kMiB - 4], 3);
  // Rows with little between them, and rows with much.
  run(Fill{memory + 70 * kMiB, 0x55, 1, 1000, 10000, 1024});
  const size_t rows = inHugePages(memory);
  EXPECT_GE(rows, filled + 4 * kMiB);
  EXPECT_EQ(memory[70 * kMiB + 999], 0x55);
  EXPECT_EQ(memory[70 * kMiB + 1000], 0);
  run(Fill{memory + 90 * kMiB, 0x55, 1, 1000, 10000, 4096});
  EXPECT_EQ(inHugePages(memory), rows);
  EXPECT_TRUE(machine.device().release(memory).isOk());
}

TEST(Copy, PitchedAndThreeDimensional) {
  Machine machine;
  struct Shape {
    size_t width, height, depth, dstPitch, dstSlice, srcPitch, srcSlice;
  };
  for (const Shape& s :
       {Shape{5, 4, 1, 16, 0, 7, 0}, Shape{8, 4, 3, 8, 32, 8, 32}, Shape{8, 4, 3, 8, 40, 8, 32},
        Shape{3, 2, 4, 5, 17, 9, 30}, Shape{10, 1, 3, 0, 64, 0, 10}, Shape{200, 1, 3, 0, 300, 0, 200},
        Shape{0, 4, 4, 8, 32, 8, 32}}) {
    Bytes source = randomBytes(1000), target(1000, 0xee), expected = target;
    for (size_t z = 0; z < s.depth; ++z) {
      for (size_t y = 0; y < s.height; ++y) {
        for (size_t x = 0; x < s.width; ++x) {
          expected[z * s.dstSlice + y * s.dstPitch + x] = source[z * s.srcSlice + y * s.srcPitch + x];
        }
      }
    }
    machine.queue().wait(machine.queue().submit(Copy{target.data(), source.data(), s.width, s.height, s.depth,
                                                     s.dstPitch, s.dstSlice, s.srcPitch, s.srcSlice},
                                                {}));
    EXPECT_EQ(target, expected) << s.width << "x" << s.height << "x" << s.depth;
  }
}

// Nothing between the rows is touched, whichever way they take.
TEST(Copy, RowsOfAnyWidth) {
  Machine machine(testSettings(2));
  const auto check = [&](size_t width, size_t rows) {
    const size_t dstPitch = width + 37, srcPitch = width + 5;
    const Bytes source = randomBytes(srcPitch * rows);
    Bytes target(dstPitch * rows + 3, 0xee), expected = target;
    for (size_t y = 0; y < rows; ++y)
      memcpy(expected.data() + 3 + y * dstPitch, source.data() + y * srcPitch, width);
    machine.queue().wait(machine.queue().submit(
        Copy{target.data() + 3, source.data(), width, rows, 1, dstPitch, 0, srcPitch, 0}, {}));
    EXPECT_TRUE(target == expected) << rows << " rows of " << width;
  };
  for (size_t width : {1, 31, 127, 128, 129, 255, 256, 300, 511, 512, 513, 2047, 2048, 2049, 4095, 8193})
    check(width, 64);
  // More than is worth going backwards for, and more than caches hold.
  for (size_t width : {100, 300}) check(width, (5ul << 20) / width);
  for (size_t width : {200, 300, 8193}) check(width, (33ul << 20) / width);
}

// Wherever the sides lie in their lines and pages: processors copy some places in other ways.
// Copies that follow each other are shared with a helper from the second on: each part of them is copied.
TEST(Copy, SharedWhileTheyFollowEachOther) {
  Machine machine(testSettings(2));
  struct Shape {
    size_t width, rows;
  };
  for (const Shape& s : {Shape{256, 1024}, Shape{1000, 1048}, Shape{65000, 31}, Shape{(1 << 20) + 77, 1}}) {
    const size_t pitch = s.width + 24;
    const Bytes source = randomBytes(pitch * s.rows);
    Bytes expected(pitch * s.rows, 0);
    for (size_t y = 0; y < s.rows; ++y)
      memcpy(expected.data() + y * pitch, source.data() + y * pitch, s.width);
    for (int round = 0; round < 50; ++round) {
      Bytes target(pitch * s.rows, 0);
      const Copy copy{target.data(), source.data(), s.width, s.rows, 1, pitch, 0, pitch, 0};
      machine.queue().submit(copy, {});
      machine.queue().submit(Fill{target.data(), 0, 1, pitch * s.rows, 1, 0}, {});
      machine.queue().wait(machine.queue().submit(copy, {}));
      ASSERT_TRUE(target == expected) << s.rows << " rows of " << s.width << ", round " << round;
    }
  }
}

TEST(Copy, AnyDistanceBetweenTheSides) {
  Machine machine;
  constexpr size_t kSize = 10'000, kRoom = 4096 + 64;
  const Bytes source = randomBytes(kSize + kRoom);
  for (size_t skipped : {0, 3}) {
    for (size_t above : {0, 1, 16, 63, 64, 65, 2048, 4095}) {
      Bytes memory(kSize + 2 * kRoom, 0xee);
      const auto page = (reinterpret_cast<uintptr_t>(source.data()) + skipped + above) % 4096;
      const auto at = (page - reinterpret_cast<uintptr_t>(memory.data())) % 4096;
      Bytes expected = memory;
      memcpy(expected.data() + at, source.data() + skipped, kSize);
      machine.queue().wait(
          machine.queue().submit(Copy{memory.data() + at, source.data() + skipped, kSize}, {}));
      EXPECT_TRUE(memory == expected) << above << " bytes above, from byte " << skipped;
    }
  }
}

// What processors of lower levels would run gives the same.
TEST(Copy, LoopsOfEveryLevel) {
  constexpr size_t kRows = 13, kGap = 37;
  for (unsigned level = 1; level <= cpu::cpuLevel(); ++level) {
    const cpu::MoveLoops& loops = cpu::moveLoopsOf(level);
    for (size_t width : {1, 31, 32, 63, 64, 65, 127, 128, 200, 256, 300, 511, 512, 1000, 2500}) {
      const size_t pitch = width + kGap;
      const Bytes source = randomBytes(pitch * kRows);
      Bytes target(pitch * kRows, 0xee), expected = target;
      for (size_t row = 0; row < kRows; ++row)
        memcpy(expected.data() + row * pitch, source.data() + row * pitch, width);
      loops.rows(reinterpret_cast<char*>(target.data()), reinterpret_cast<const char*>(source.data()), width,
                 kRows, {pitch, pitch});
      EXPECT_TRUE(target == expected) << "level " << level << ", rows of " << width;
      loops.bytes(reinterpret_cast<char*>(target.data()), reinterpret_cast<const char*>(source.data()) + 1,
                  width);
      memcpy(expected.data(), source.data() + 1, width);
      EXPECT_TRUE(target == expected) << "level " << level << ", " << width << " bytes";
    }
  }
}

TEST(Fill, ElementsOfEverySize) {
  Machine machine;
  for (uint32_t element : {1u, 2u, 4u}) {
    for (uint32_t value : {0u, 0x01010101u, 0x12345678u, 0xffu, 0xabcdu}) {
      for (size_t width : {0ul, 1ul, 3ul, 1000ul, (5ul << 20) + 1}) {
        Bytes target(width * element + 8, 0xee), expected = target;
        for (size_t i = 0; i < width; ++i) memcpy(expected.data() + i * element, &value, element);
        machine.queue().wait(machine.queue().submit(Fill{target.data(), value, element, width, 1, 0}, {}));
        ASSERT_EQ(target, expected) << element << " " << value << " " << width;
      }
    }
  }
}

TEST(Fill, Rows) {
  Machine machine;
  Bytes target(200, 0xee), expected = target;
  for (size_t y = 0; y < 5; ++y) {
    for (size_t x = 0; x < 3; ++x) {
      uint16_t value = 0xbeef;
      memcpy(expected.data() + y * 32 + x * 2, &value, 2);
    }
  }
  machine.queue().wait(machine.queue().submit(Fill{target.data(), 0xbeef, 2, 3, 5, 32}, {}));
  EXPECT_EQ(target, expected);
}

}  // namespace
}  // namespace musashim::backend::test
