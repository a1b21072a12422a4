// Device and host memory: limits, reuse, what is never given.
#include <unistd.h>

#include <filesystem>

#include "../../support.h"

namespace musashim::backend::test {
namespace {

constexpr size_t kMiB = 1 << 20;

TEST(DeviceMemory, AlignedApartAndWritable) {
  Machine machine(testSettings(2));
  std::vector<char*> pointers;
  for (size_t size : {1ul, 255ul, 256ul, 1000ul, kMiB - 1, kMiB, 3 * kMiB + 5, 40 * kMiB}) {
    for (size_t device = 0; device < 2; ++device) {
      char* pointer = machine.allocate<char>(size, device);
      ASSERT_NE(pointer, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
      memset(pointer, static_cast<int>(pointers.size() + 1), size);
      pointers.push_back(pointer);
    }
  }
  for (size_t i = 0; i < pointers.size(); ++i) {
    EXPECT_EQ(*pointers[i], static_cast<char>(i + 1));
    EXPECT_EQ(machine.device(1 - i % 2).release(pointers[i]).code(), StatusCode::kInvalidValue)
        << "of the other device";
    EXPECT_TRUE(machine.device(i % 2).release(pointers[i]).isOk());
    EXPECT_EQ(machine.device(i % 2).release(pointers[i]).code(), StatusCode::kInvalidValue) << "twice";
  }
}

TEST(DeviceMemory, InfoFollowsAllocations) {
  Machine machine;
  MemoryInfo before = machine.device().memoryInfo();
  EXPECT_EQ(before.totalBytes, machine.device().profile().memoryBytes);
  EXPECT_LE(before.freeBytes, before.totalBytes);
  char* pointer = machine.allocate<char>(512 * kMiB);
  MemoryInfo during = machine.device().memoryInfo();
  EXPECT_LT(during.freeBytes + 400 * kMiB, before.freeBytes);
  EXPECT_TRUE(machine.device().release(pointer).isOk());
  EXPECT_GT(machine.device().memoryInfo().freeBytes + 100 * kMiB, before.freeBytes);
}

TEST(DeviceMemory, MoreThanTheProfileHas) {
  cpu::Settings settings = testSettings();
  settings.overcommit = true;
  Machine machine(settings);
  void* pointer = &machine;
  Status status = machine.device().allocate(settings.profile->memoryBytes + 1, &pointer);
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(machine.device().allocate(SIZE_MAX, &pointer).code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(machine.device().allocate(SIZE_MAX - kMiB, &pointer).code(), StatusCode::kOutOfMemory);
  // Overcommit: nearly all of it, though no machine here has so much.
  ASSERT_TRUE(machine.device().allocate(settings.profile->memoryBytes - 64 * kMiB, &pointer).isOk());
  EXPECT_EQ(machine.device().allocate(128 * kMiB, &pointer).code(), StatusCode::kOutOfMemory);
}

TEST(DeviceMemory, MoreThanTheMachineCanGive) {
  constexpr size_t kDevices = 8;
  Machine machine(testSettings(kDevices));
  uint64_t available = cpu::MachineMemory().available();
  // Untouched allocations on all devices together must not exceed what could be touched.
  uint64_t granted = 0;
  StatusCode last = StatusCode::kOk;
  for (size_t device = 0; device < kDevices && last == StatusCode::kOk; ++device) {
    for (;;) {
      void* pointer = nullptr;
      last = machine.device(device).allocate(1024 * kMiB, &pointer).code();
      if (last != StatusCode::kOk) break;
      granted += 1024 * kMiB;
      ASSERT_LE(granted, machine.device(device).profile().memoryBytes * kDevices);
    }
  }
  EXPECT_EQ(last, StatusCode::kOutOfMemory);
  // Other processes may have given some back meanwhile.
  uint64_t most = std::max(available, cpu::MachineMemory().available());
  EXPECT_LE(granted, most + 1024 * kMiB);
  void* host = nullptr;
  EXPECT_EQ(machine.backend->allocateHost(2048 * kMiB, &host).code(), StatusCode::kOutOfMemory)
      << "host memory counts too";
  machine.device(0).reset();
  EXPECT_TRUE(machine.device(1).allocate(512 * kMiB, &host).isOk()) << "a reset gives memory back";
}

// A machine whose available memory the test decides.
class FakeMachine {
 public:
  FakeMachine()
      : root_(std::filesystem::temp_directory_path() / ("musashim-machine-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(root_);
  }
  ~FakeMachine() { std::filesystem::remove_all(root_); }
  void setAvailable(uint64_t bytes) {
    std::ofstream(root_ / "meminfo") << "MemAvailable: " << bytes / 1024 << " kB\n";
  }
  cpu::MachineMemory memory() const { return cpu::MachineMemory(root_, root_); }

 private:
  std::filesystem::path root_;
};

TEST(DeviceMemory, TouchedMemoryIsNotCountedTwice) {
  FakeMachine machine;
  machine.setAvailable(1000 * kMiB);
  cpu::MemoryLedger ledger(machine.memory(), {false, 100 * kMiB});
  std::unique_ptr<cpu::Arena> arena;
  ASSERT_TRUE(cpu::Arena::create("test", 4096 * kMiB, 256, ledger, arena).isOk());
  EXPECT_EQ(ledger.headroom(), 900 * kMiB);
  void* pointer = nullptr;
  ASSERT_TRUE(arena->allocate(256 * kMiB, &pointer).isOk());
  EXPECT_EQ(ledger.headroom(), 644 * kMiB) << "promised, not touched";
  memset(pointer, 1, 256 * kMiB);
  EXPECT_EQ(arena->touchedBytes(), 256 * kMiB);
  machine.setAvailable(744 * kMiB);
  EXPECT_EQ(ledger.headroom(), 644 * kMiB) << "touched, and gone from the machine";
  void* more = nullptr;
  EXPECT_EQ(arena->allocate(646 * kMiB, &more).code(), StatusCode::kOutOfMemory);
  EXPECT_TRUE(arena->allocate(644 * kMiB, &more).isOk());
  EXPECT_EQ(arena->allocate(2 * kMiB, &more).code(), StatusCode::kOutOfMemory);
}

// What a program allocates and frees shows exactly, though another process takes memory meanwhile and
// touching the allocation's pages takes longer than a look at the machine is good for.
TEST(DeviceMemory, TouchingWhatIsGrantedDoesNotAgeTheLook) {
  FakeMachine machine;
  machine.setAvailable(1000 * kMiB);
  cpu::MemoryLedger ledger(machine.memory(), {false, 100 * kMiB});
  ASSERT_EQ(ledger.headroom(), 900 * kMiB);
  machine.setAvailable(500 * kMiB);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  ledger.discount(250'000'000);
  EXPECT_EQ(ledger.headroom(), 900 * kMiB);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  EXPECT_EQ(ledger.headroom(), 400 * kMiB);
}

TEST(DeviceMemory, FreedPagesGoBackToTheMachine) {
  FakeMachine machine;
  machine.setAvailable(2000 * kMiB);
  cpu::MemoryLedger ledger(machine.memory(), {});
  std::unique_ptr<cpu::Arena> arena;
  ASSERT_TRUE(cpu::Arena::create("test", 4096 * kMiB, 256, ledger, arena).isOk());
  void* pointer = nullptr;
  ASSERT_TRUE(arena->allocate(300 * kMiB, &pointer).isOk());
  memset(pointer, 1, 300 * kMiB);
  ASSERT_TRUE(arena->release(pointer).isOk());  // too much to keep
  EXPECT_LT(arena->touchedBytes(), 32 * kMiB);
  ASSERT_TRUE(arena->allocate(20 * kMiB, &pointer).isOk());
  memset(pointer, 1, 20 * kMiB);
  ASSERT_TRUE(arena->release(pointer).isOk());  // little: kept for the next
  EXPECT_GE(arena->touchedBytes(), 20 * kMiB);
  arena->trim();
  EXPECT_LT(arena->touchedBytes(), 2 * kMiB);
}

TEST(DeviceMemory, AShareOfWhatTheMachineHasLeftIsKept) {
  FakeMachine machine;
  machine.setAvailable(4000 * kMiB);
  cpu::MemoryLedger ledger(machine.memory(), {});
  std::unique_ptr<cpu::Arena> arena;
  ASSERT_TRUE(cpu::Arena::create("test", 4096 * kMiB, 256, ledger, arena).isOk());
  void* pointer = nullptr;
  ASSERT_TRUE(arena->allocate(400 * kMiB, &pointer).isOk());
  memset(pointer, 1, 400 * kMiB);
  machine.setAvailable(3600 * kMiB);
  ASSERT_TRUE(arena->release(pointer).isOk());
  EXPECT_EQ(arena->keptBytes(), 400 * kMiB);
  EXPECT_EQ(arena->touchedBytes(), 400 * kMiB);
  ledger.trimAll();  // wanted elsewhere
  EXPECT_EQ(arena->keptBytes(), 0u);
  EXPECT_LT(arena->touchedBytes(), 2 * kMiB);
}

TEST(DeviceMemory, FreshPagesAreZero) {
  Machine machine;
  char* pointer = machine.allocate<char>(8 * kMiB);
  EXPECT_EQ(pointer[0], 0);
  EXPECT_EQ(pointer[8 * kMiB - 1], 0);
}

TEST(HostMemory, PageAlignedAndReleasedOnce) {
  Machine machine;
  void* pointer = nullptr;
  ASSERT_TRUE(machine.backend->allocateHost(10000, &pointer).isOk());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 4096, 0u);
  memset(pointer, 1, 10000);
  EXPECT_TRUE(machine.backend->releaseHost(pointer).isOk());
  EXPECT_EQ(machine.backend->releaseHost(pointer).code(), StatusCode::kInvalidValue);
  EXPECT_EQ(machine.backend->releaseHost(&machine).code(), StatusCode::kInvalidValue);
}

TEST(DeviceMemory, ManyThreads) {
  Machine machine(testSettings(2));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 500; ++i) {
        size_t size = (i * 7919 + t) % 5000 + (i % 50 == 0 ? 2 * kMiB : 1);
        unsigned char* pointer = machine.allocate<unsigned char>(size, t % 2);
        pointer[0] = pointer[size - 1] = static_cast<unsigned char>(t);
        EXPECT_EQ(pointer[0], t);
        EXPECT_TRUE(machine.device(t % 2).release(pointer).isOk());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace musashim::backend::test
