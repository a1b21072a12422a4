// Memory and events of several processes, and the account they share.
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "ipc_support.h"

namespace musashim::test {
namespace {

constexpr size_t kMiB = 1 << 20;

template <class Condition>
bool eventually(Condition condition) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

void* open(const musaIpcMemHandle_t& handle) {
  void* memory = nullptr;
  EXPECT_MUSA(musaSuccess, musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess));
  return memory;
}

std::vector<char> download(const void* memory, size_t bytes) {
  std::vector<char> values(bytes);
  EXPECT_MUSA(musaSuccess, musaMemcpy(values.data(), memory, bytes, musaMemcpyDeviceToHost));
  return values;
}

using IpcMemory = RuntimeTest;
using IpcEvent = RuntimeTest;
using SharedDevices = RuntimeTest;

// Sizes and places of all kinds, on the device in use and on another one.
TEST_F(IpcMemory, BothProcessesSeeTheSameBytes) {
  const OwnerOrder orders[] = {
      {0, 1, 0}, {0, 5000, 256}, {1, 4096, 0}, {3, 3 * kMiB + 5, 0}, {2, 70000, 3 * 4096 + 256}};
  for (const OwnerOrder& order : orders) {
    SCOPED_TRACE(order.bytes);
    Peer peer("owner");
    peer.send(order);
    auto handle = peer.receive<musaIpcMemHandle_t>();
    void* memory = open(handle);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(download(memory, order.bytes), std::vector<char>(order.bytes, 0x5a));
    EXPECT_MUSA(musaSuccess, musaMemset(memory, 0x21, order.bytes));
    EXPECT_MUSA(musaErrorInvalidValue, musaMemset(memory, 0x21, order.bytes + 1)) << "bounds are known";

    musaPointerAttributes attributes;
    EXPECT_MUSA(musaSuccess, musaPointerGetAttributes(&attributes, memory));
    EXPECT_EQ(attributes.type, musaMemoryTypeDevice);
    EXPECT_EQ(attributes.device, 0) << "of whoever has opened it, as on hardware";
    EXPECT_MUSA(musaErrorInvalidValue, musaFree(memory)) << "it is not ours to free";
    EXPECT_MUSA(musaErrorInvalidValue, musaIpcGetMemHandle(&handle, memory)) << "nor to export";
    EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
    EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(memory));
    peer.send('x');
    EXPECT_EQ(peer.join(), 0);
  }
}

TEST_F(IpcMemory, OpeningIsCounted) {
  Peer peer("owner");
  peer.send(OwnerOrder{0, 100, 0});
  auto handle = peer.receive<musaIpcMemHandle_t>();
  void* first = open(handle);
  void* second = open(handle);
  EXPECT_EQ(first, second);
  EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(first));
  EXPECT_EQ(download(first, 100), std::vector<char>(100, 0x5a)) << "still open once";
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcCloseMemHandle(static_cast<char*>(first) + 1));
  EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(first));
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcCloseMemHandle(first));
}

TEST_F(IpcMemory, HandlesAreStableAndEndWithTheMemory) {
  Buffer<int> buffer(64);
  musaIpcMemHandle_t one, two;
  EXPECT_MUSA(musaSuccess, musaIpcGetMemHandle(&one, buffer.get()));
  EXPECT_MUSA(musaSuccess, musaIpcGetMemHandle(&two, buffer.get() + 7));
  EXPECT_EQ(memcmp(&one, &two, sizeof one), 0) << "of the allocation, wherever the pointer is in it";
  int host = 0;
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcGetMemHandle(&one, &host));
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcGetMemHandle(nullptr, buffer.get()));

  Peer peer("owner");
  peer.send(OwnerOrder{0, 4096, 0});
  auto handle = peer.receive<musaIpcMemHandle_t>();
  peer.send('f');
  EXPECT_EQ(peer.receive<char>(), 'f');
  void* memory = nullptr;
  EXPECT_MUSA(musaErrorInvalidValue,
              musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess));
  peer.send('q');
  EXPECT_EQ(peer.join(), 0);
}

TEST_F(IpcMemory, WrongHandlesAndFlags) {
  void* memory = nullptr;
  musaIpcMemHandle_t handle;
  memset(&handle, 0, sizeof handle);
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess));
  memset(&handle, 0xff, sizeof handle);
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess));

  Peer peer("owner");
  peer.send(OwnerOrder{0, 4096, 0});
  handle = peer.receive<musaIpcMemHandle_t>();
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcOpenMemHandle(&memory, handle, 0));
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcOpenMemHandle(nullptr, handle, musaIpcMemLazyEnablePeerAccess));
  // Every byte of a handle may arrive damaged: an error or the memory, never a crash.
  for (size_t i = 0; i < sizeof handle; ++i) {
    musaIpcMemHandle_t damaged = handle;
    damaged.reserved[i] = static_cast<char>(damaged.reserved[i] ^ 0x41);
    if (musaIpcOpenMemHandle(&memory, damaged, musaIpcMemLazyEnablePeerAccess) == musaSuccess) {
      EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(memory));
    }
  }
}

TEST_F(IpcMemory, OutlivesAKilledOwner) {
  Peer peer("owner");
  peer.send(OwnerOrder{1, kMiB, 0});
  auto handle = peer.receive<musaIpcMemHandle_t>();
  void* memory = open(handle);
  peer.kill();
  EXPECT_EQ(download(memory, kMiB), std::vector<char>(kMiB, 0x5a));
  EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(memory));
  EXPECT_MUSA(musaErrorInvalidResourceHandle,
              musaIpcOpenMemHandle(&memory, handle, musaIpcMemLazyEnablePeerAccess));
}

TEST_F(IpcMemory, ResetClosesWhatIsOpen) {
  Peer peer("owner");
  peer.send(OwnerOrder{1, kMiB, 0});
  auto handle = peer.receive<musaIpcMemHandle_t>();
  ASSERT_EQ(open(handle), open(handle));
  ASSERT_MUSA(musaSuccess, musaDeviceReset());
  void* memory = open(handle);
  EXPECT_EQ(download(memory, 1), std::vector<char>(1, 0x5a));
  EXPECT_MUSA(musaSuccess, musaIpcCloseMemHandle(memory));
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcCloseMemHandle(memory));
}

// Two processes take turns on one buffer, ordered by one event that both record.
TEST_F(IpcEvent, OrdersWorkOfTwoProcesses) {
  constexpr int kCount = 256, kRounds = 200;
  for (int device : {0, 2}) {
    Buffer<int> buffer(kCount);
    buffer.upload(std::vector<int>(kCount, 0));
    musaEvent_t event;
    ASSERT_MUSA(musaSuccess,
                musaEventCreateWithFlags(&event, musaEventInterprocess | musaEventDisableTiming));
    AdderOrder order{};
    ASSERT_MUSA(musaSuccess, musaIpcGetMemHandle(&order.memory, buffer.get()));
    ASSERT_MUSA(musaSuccess, musaIpcGetEventHandle(&order.event, event));
    order.device = device;
    order.count = kCount;
    Peer peer("adder");
    peer.send(order);
    ASSERT_EQ(peer.receive<char>(), 'o');
    musaStream_t stream;
    ASSERT_MUSA(musaSuccess, musaStreamCreate(&stream));
    for (int round = 0; round < kRounds; ++round) {
      ASSERT_MUSA(musaSuccess, launch(kernels.addOne, dim3(1), dim3(1), 0, stream, buffer.get(), kCount, 1));
      ASSERT_MUSA(musaSuccess, musaEventRecord(event, stream));
      peer.send('a');
      ASSERT_EQ(peer.receive<char>(), 'r');
      ASSERT_MUSA(musaSuccess, musaStreamWaitEvent(stream, event, 0));
    }
    EXPECT_MUSA(musaSuccess, musaStreamSynchronize(stream));
    EXPECT_EQ(buffer.download(), std::vector<int>(kCount, 2 * kRounds));
    peer.send('q');
    EXPECT_EQ(peer.join(), 0);
    EXPECT_MUSA(musaSuccess, musaEventDestroy(event));
    EXPECT_MUSA(musaSuccess, musaStreamDestroy(stream));
  }
}

struct SharedEvent {
  SharedEvent() {
    EXPECT_MUSA(musaSuccess,
                musaEventCreateWithFlags(&event, musaEventInterprocess | musaEventDisableTiming));
    EXPECT_MUSA(musaSuccess, musaIpcGetEventHandle(&handle, event));
  }
  ~SharedEvent() { (void)musaEventDestroy(event); }
  musaEvent_t event;
  musaIpcEventHandle_t handle;
};

TEST_F(IpcEvent, NotReadyUntilTheOtherProcessGetsThere) {
  SharedEvent shared;
  EXPECT_MUSA(musaSuccess, musaEventQuery(shared.event)) << "never recorded";
  Peer peer("blocker");
  peer.send(shared.handle);
  ASSERT_EQ(peer.receive<char>(), 'r');
  EXPECT_MUSA(musaErrorNotReady, musaEventQuery(shared.event));
  EXPECT_MUSA(musaSuccess, musaStreamWaitEvent(nullptr, shared.event, 0));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(nullptr));
  std::atomic<bool> waited{false};
  std::thread waiter([&] {
    EXPECT_MUSA(musaSuccess, musaEventSynchronize(shared.event));
    waited = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_FALSE(waited);
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(nullptr));
  peer.send('g');
  waiter.join();
  EXPECT_MUSA(musaSuccess, musaEventQuery(shared.event));
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  EXPECT_EQ(peer.receive<char>(), 'd');
  EXPECT_EQ(peer.join(), 0);
}

// A wait is for the record that was last when it was asked for.
TEST_F(IpcEvent, LaterRecordsDoNotMoveAWait) {
  SharedEvent shared;
  Peer peer("blocker");
  peer.send(shared.handle);
  ASSERT_EQ(peer.receive<char>(), 'r');
  musaStream_t waits, other;
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&waits, musaStreamNonBlocking));
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  EXPECT_MUSA(musaSuccess, musaStreamWaitEvent(waits, shared.event, 0));
  EXPECT_MUSA(musaSuccess, musaEventRecord(shared.event, other));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(shared.event)) << "our own record, which nothing holds up";
  EXPECT_MUSA(musaSuccess, musaEventQuery(shared.event));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(waits));
  peer.send('g');
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(waits));
  EXPECT_EQ(peer.receive<char>(), 'd');
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(waits));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(other));
}

TEST_F(IpcEvent, WaitsEndWithAKilledProcess) {
  SharedEvent shared;
  Peer peer("blocker");
  peer.send(shared.handle);
  ASSERT_EQ(peer.receive<char>(), 'r');
  EXPECT_MUSA(musaSuccess, musaStreamWaitEvent(nullptr, shared.event, 0));
  EXPECT_MUSA(musaErrorNotReady, musaEventQuery(shared.event));
  peer.kill();
  EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
  EXPECT_TRUE(eventually([&] { return musaEventQuery(shared.event) == musaSuccess; }));
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(shared.event));
  EXPECT_MUSA(musaSuccess, musaEventRecord(shared.event, nullptr)) << "and it can be recorded again";
  EXPECT_MUSA(musaSuccess, musaEventSynchronize(shared.event));
}

TEST_F(IpcEvent, ResetEndsAWait) {
  SharedEvent shared;
  Peer peer("blocker");
  peer.send(shared.handle);
  ASSERT_EQ(peer.receive<char>(), 'r');
  EXPECT_MUSA(musaSuccess, musaStreamWaitEvent(nullptr, shared.event, 0));
  EXPECT_MUSA(musaSuccess, musaDeviceReset());
  peer.send('g');
  EXPECT_EQ(peer.join(), 0);
}

TEST_F(IpcEvent, Arguments) {
  musaEvent_t event;
  musaIpcEventHandle_t handle;
  EXPECT_MUSA(musaErrorInvalidValue, musaEventCreateWithFlags(&event, musaEventInterprocess))
      << "with timing";
  EXPECT_MUSA(musaSuccess, musaEventCreateWithFlags(&event, musaEventDisableTiming));
  EXPECT_MUSA(musaErrorInvalidResourceHandle, musaIpcGetEventHandle(&handle, event));
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcGetEventHandle(nullptr, event));
  EXPECT_MUSA(musaSuccess, musaEventDestroy(event));
  memset(&handle, 0, sizeof handle);
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcOpenEventHandle(&event, handle));
  SharedEvent shared;
  EXPECT_MUSA(musaErrorInvalidValue, musaIpcOpenEventHandle(nullptr, shared.handle));
  for (size_t i = 0; i < sizeof handle; ++i) {
    musaIpcEventHandle_t damaged = shared.handle;
    damaged.reserved[i] = static_cast<char>(damaged.reserved[i] ^ 0x41);
    if (musaIpcOpenEventHandle(&event, damaged) == musaSuccess) {
      EXPECT_MUSA(musaSuccess, musaEventDestroy(event));
    }
  }
}

size_t freeMemory(int device) {
  size_t free = 0, total = 0;
  EXPECT_MUSA(musaSuccess, musaSetDevice(device));
  EXPECT_MUSA(musaSuccess, musaMemGetInfo(&free, &total));
  return free;
}

TEST_F(SharedDevices, MemoryIsAccountedAcrossProcesses) {
  size_t free = freeMemory(1);
  Peer one("hoarder"), two("hoarder");
  one.send(HoarderOrder{1, 2048 * kMiB});
  ASSERT_EQ(one.receive<char>(), 'h');
  EXPECT_LE(freeMemory(1), 2048 * kMiB);
  EXPECT_EQ(freeMemory(0), free) << "another device";
  two.send(HoarderOrder{1, 512 * kMiB});
  ASSERT_EQ(two.receive<char>(), 'h');
  ASSERT_MUSA(musaSuccess, musaSetDevice(1));
  void* memory = nullptr;
  EXPECT_MUSA(musaErrorMemoryAllocation, musaMalloc(&memory, 1024 * kMiB));
  (void)musaGetLastError();
  one.send('f');
  ASSERT_EQ(one.receive<char>(), 'f');
  EXPECT_MUSA(musaSuccess, musaMalloc(&memory, 1024 * kMiB));
  EXPECT_MUSA(musaSuccess, musaFree(memory));
  two.kill();
  EXPECT_EQ(freeMemory(1), free) << "of a killed process nothing remains";
  one.kill();
  EXPECT_MUSA(musaSuccess, musaMalloc(&memory, free - 64 * kMiB));
  EXPECT_MUSA(musaSuccess, musaFree(memory));
}

TEST_F(SharedDevices, PromisesOfOthersCount) {
  setenv("MUSASHIM_OVERCOMMIT", "0", 1);
  Peer peer("promises");
  setenv("MUSASHIM_OVERCOMMIT", "1", 1);
  EXPECT_EQ(peer.join(), 0);
}

TEST_F(SharedDevices, AForkedChildHasNone) {
  Buffer<int> buffer(64);
  fflush(stdout);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int count = 0;
    bool right = musaFree(buffer.get()) == musaErrorInitializationError &&
                 musaGetDeviceCount(&count) == musaErrorInitializationError &&
                 musaSetDevice(1) == musaErrorInitializationError &&
                 musaDeviceSynchronize() == musaErrorInitializationError;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  buffer.upload(std::vector<int>(64, 3));
  EXPECT_EQ(buffer.download(), std::vector<int>(64, 3));
}

}  // namespace
}  // namespace musashim::test
