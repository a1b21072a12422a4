// A rank's calls that stand directly behind each other on its stream are posted together: what the others see
// of them tells mcclras.
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <regex>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

class Ahead : public testing::Test {
 protected:
  void SetUp() override {
    for (int rank = 0; rank < 2; ++rank) {
      buffers_.emplace_back(rank, sizeof(float));
      buffers_[rank].write(std::vector<float>{1.0f});
    }
  }

  // Holds the first rank's stream back until release(): calls are queued by then.
  void hold() {
    ASSERT_MUSA(musaSetDevice(0));
    ASSERT_MUSA(musaLaunchHostFunc(
        world_.rank(0).stream, [](void* flag) { static_cast<std::atomic<bool>*>(flag)->wait(false); },
        &isReleased_));
  }
  void release() {
    isReleased_ = true;
    isReleased_.notify_all();
  }

  // The sum of both values, in place.
  void addUp(int rank, int times = 1) {
    Rank& r = world_.rank(rank);
    ASSERT_MUSA(musaSetDevice(rank));
    for (int i = 0; i < times; ++i) {
      ASSERT_MCCL(mcclAllReduce(buffers_[rank].data(), buffers_[rank].data(), 1, mcclFloat, mcclSum, r.comm,
                                r.stream));
    }
  }

  // Collectives that rank 0 is known to have come to, as soon as they are `expected`, or after some time.
  static int postedByFirst(int expected) {
    const std::regex line("rank 0 +process " + std::to_string(getpid()) + " .* ([0-9]+) collectives");
    int posted = 0;
    for (int look = 0; look < 100 && posted != expected; ++look, std::this_thread::sleep_for(20ms)) {
      posted = matchIn(line);
    }
    return posted;
  }

  void expectBoth(float value) {
    world_.synchronize();
    for (Buffer& buffer : buffers_) EXPECT_EQ(buffer.read<float>().at(0), value);
  }

  World world_{2};
  std::vector<Buffer> buffers_;

 private:
  std::atomic<bool> isReleased_{false};

  static int matchIn(const std::regex& line) {
    std::string report;
    FILE* pipe = popen(RAS_PROGRAM " -v", "r");
    for (char part[256]; pipe && std::fgets(part, sizeof part, pipe);) report += part;
    if (pipe) pclose(pipe);
    std::smatch match;
    return std::regex_search(report, match, line) ? std::stoi(match[1]) : -1;
  }
};

TEST_F(Ahead, CallsDirectlyBehindEachOtherArePostedTogether) {
  hold();
  addUp(0, 5);
  release();
  EXPECT_EQ(postedByFirst(5), 5);
  addUp(1, 5);
  expectBoth(32.0f);
}

TEST_F(Ahead, NoMoreThanTheOthersHaveRoomFor) {
  hold();
  addUp(0, 20);
  release();
  EXPECT_EQ(postedByFirst(16), 16);
  addUp(1, 20);
  expectBoth(static_cast<float>(1 << 20));
}

TEST_F(Ahead, WhatStandsBetweenIsNotOvertaken) {
  const auto setTo40 = [](void* target) {
    const DeviceAccess access;
    *static_cast<float*>(target) = 40.0f;
  };
  hold();
  addUp(0, 2);
  ASSERT_MUSA(musaLaunchHostFunc(world_.rank(0).stream, setTo40, buffers_[0].data()));
  addUp(0, 2);
  release();
  EXPECT_EQ(postedByFirst(2), 2);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(postedByFirst(2), 2);
  addUp(1, 2);
  ASSERT_MUSA(musaStreamSynchronize(world_.rank(1).stream));
  EXPECT_EQ(buffers_[1].read<float>().at(0), 4.0f);
  addUp(1, 2);
  expectBoth(88.0f);
}

// An event of another stream leaves a command; so does the legacy stream's work before that of a stream that
// waits for it.
TEST_F(Ahead, WhatAnotherStreamDoesBetweenIsNotOvertaken) {
  const auto setLate = [](void* target) {
    std::this_thread::sleep_for(30ms);
    const DeviceAccess access;
    *static_cast<float*>(target) = 40.0f;
  };
  musaStream_t other = nullptr;
  musaEvent_t event = nullptr;
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaStreamCreateWithFlags(&other, musaStreamNonBlocking));
  ASSERT_MUSA(musaEventCreate(&event));
  hold();
  addUp(0, 2);
  ASSERT_MUSA(musaEventRecord(event, world_.rank(0).stream));
  ASSERT_MUSA(musaStreamWaitEvent(other, event, 0));
  ASSERT_MUSA(musaLaunchHostFunc(other, setLate, buffers_[0].data()));
  ASSERT_MUSA(musaEventRecord(event, other));
  ASSERT_MUSA(musaStreamWaitEvent(world_.rank(0).stream, event, 0));
  addUp(0);
  release();
  addUp(1, 3);
  expectBoth(44.0f);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaEventDestroy(event));
  ASSERT_MUSA(musaStreamDestroy(other));
}

TEST_F(Ahead, AnEventBetweenComesBeforeWhatFollows) {
  musaEvent_t event = nullptr;
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaEventCreate(&event));
  hold();
  addUp(0, 3);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaEventRecord(event, world_.rank(0).stream));
  addUp(0);
  release();
  addUp(1, 3);
  ASSERT_MUSA(musaEventSynchronize(event));
  EXPECT_EQ(buffers_[0].read<float>().at(0), 8.0f);
  addUp(1);
  expectBoth(16.0f);
  ASSERT_MUSA(musaEventDestroy(event));
}

// First with other work between, then more calls than become part of one.
TEST_F(Ahead, LongQueuesAreDoneInTheirOrder) {
  hold();
  for (int i = 0; i < 50; ++i) {
    addUp(0, 3);
    addUp(1, 3);
    for (Buffer& buffer : buffers_) {
      const auto reset = [](void* target) {
        const DeviceAccess access;
        *static_cast<float*>(target) /= 8.0f;
      };
      ASSERT_MUSA(musaLaunchHostFunc(world_.rank(&buffer == &buffers_[1]).stream, reset, buffer.data()));
    }
  }
  addUp(0, 100);
  addUp(1, 100);
  release();
  expectBoth(std::ldexp(1.0f, 100));
}

TEST_F(Ahead, WorkOfTheLegacyStreamBetweenIsNotOvertaken) {
  const auto setLate = [](void* target) {
    std::this_thread::sleep_for(30ms);
    const DeviceAccess access;
    *static_cast<float*>(target) = 40.0f;
  };
  musaStream_t blocking = nullptr;
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaStreamCreate(&blocking));
  std::swap(world_.rank(0).stream, blocking);
  hold();
  addUp(0, 2);
  ASSERT_MUSA(musaLaunchHostFunc(nullptr, setLate, buffers_[0].data()));
  addUp(0);
  release();
  addUp(1, 3);
  expectBoth(44.0f);
  std::swap(world_.rank(0).stream, blocking);
  ASSERT_MUSA(musaSetDevice(0));
  ASSERT_MUSA(musaStreamDestroy(blocking));
}

}  // namespace
}  // namespace musashim::mccl
