// Copies between contexts of which neither is current: they join the order of both sides.
#include "support.h"

namespace musashim::test {
namespace {

constexpr int kCopier = 0, kFrom = 2, kTo = 1;

// An integer on a device of its own.
class Number {
 public:
  explicit Number(int device, int value) : device_(device) {
    EXPECT_MUSA(musaSuccess, musaSetDevice(device));
    EXPECT_MUSA(musaSuccess, ::musaMalloc(reinterpret_cast<void**>(&pointer_), sizeof(int)));
    EXPECT_MUSA(musaSuccess, musaMemcpy(pointer_, &value, sizeof value, musaMemcpyHostToDevice));
  }
  ~Number() { (void)::musaFree(pointer_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  // On its device, in `stream`; the copier is current afterwards.
  void addOne(musaStream_t stream = nullptr) {
    EXPECT_MUSA(musaSuccess, musaSetDevice(device_));
    EXPECT_MUSA(musaSuccess, launch(kernels.addOne, 1, 1, 0, stream, pointer_, 1, 1));
    EXPECT_MUSA(musaSuccess, musaSetDevice(kCopier));
  }
  void copyTo(const Number& target) const {
    EXPECT_MUSA(musaSuccess, musaMemcpyPeer(target.pointer_, target.device_, pointer_, device_, sizeof(int)));
  }
  int read() const {
    int value = -1;
    EXPECT_MUSA(musaSuccess, musaMemcpy(&value, pointer_, sizeof value, musaMemcpyDeviceToHost));
    return value;
  }

 private:
  int device_;
  int* pointer_ = nullptr;
};

class JoinTest : public RuntimeTest {
 protected:
  // Nothing that the copier's device is asked for from now on happens before the flag is raised.
  void hold() {
    EXPECT_MUSA(musaSuccess, musaSetDevice(kCopier));
    EXPECT_MUSA(musaSuccess, flag_.startOn(nullptr));
  }
  void finish() {
    flag_.raise();
    for (int device = 0; device < kDevices; ++device) {
      EXPECT_MUSA(musaSuccess, musaSetDevice(device));
      EXPECT_MUSA(musaSuccess, musaDeviceSynchronize());
    }
  }
  SpinFlag flag_;
};

TEST_F(JoinTest, LaterWorkOfBothSidesWaitsForTheCopy) {
  Number from(kFrom, 10), to(kTo, 0);
  hold();
  from.copyTo(to);
  to.addOne();
  from.addOne();
  EXPECT_EQ(musaErrorNotReady, (musaSetDevice(kTo), musaStreamQuery(nullptr)));
  EXPECT_EQ(musaErrorNotReady, (musaSetDevice(kFrom), musaStreamQuery(nullptr)));
  finish();
  EXPECT_EQ(to.read(), 11);
  EXPECT_EQ(from.read(), 11);
}

TEST_F(JoinTest, BlockingStreamsWaitForTheCopyAndOthersDoNot) {
  Number from(kFrom, 10), to(kTo, 0), apart(kTo, 5);
  musaStream_t blocking = nullptr, free = nullptr;
  ASSERT_MUSA(musaSuccess, musaStreamCreate(&blocking));
  ASSERT_MUSA(musaSuccess, musaStreamCreateWithFlags(&free, musaStreamNonBlocking));
  hold();
  from.copyTo(to);
  to.addOne(blocking);
  apart.addOne(free);
  EXPECT_MUSA(musaSuccess, musaStreamSynchronize(free));
  EXPECT_MUSA(musaErrorNotReady, musaStreamQuery(blocking));
  finish();
  EXPECT_EQ(to.read(), 11);
  EXPECT_EQ(apart.read(), 6);
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(free));
  EXPECT_MUSA(musaSuccess, musaStreamDestroy(blocking));
}

// Who comes next may wait for the copy itself instead of the command that joined it, unless more came
// between.
TEST_F(JoinTest, CopiesOneAfterTheOtherKeepTheirOrder) {
  Number first(kFrom, 0), second(kTo, 0), third(3, 0);
  hold();
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    first.addOne();
    first.copyTo(second);
    second.copyTo(third);
    third.addOne();
    third.copyTo(second);
    second.copyTo(first);
  }
  finish();
  EXPECT_EQ(first.read(), 2 * kRounds);
  EXPECT_EQ(third.read(), 2 * kRounds);
}

// What waits in the side's own stream counts as well as what was joined before it.
TEST_F(JoinTest, WorkThatIsNotDoneIsWaitedForBesideTheCopy) {
  Number from(kFrom, 10), to(kTo, 0), end(3, 0);
  SpinFlag own;
  hold();
  EXPECT_MUSA(musaSuccess, musaSetDevice(kTo));
  EXPECT_MUSA(musaSuccess, own.startOn(nullptr));
  to.addOne();
  from.copyTo(to);
  to.copyTo(end);
  flag_.raise();
  EXPECT_EQ(musaErrorNotReady, (musaSetDevice(3), musaStreamQuery(nullptr)));
  own.raise();
  finish();
  EXPECT_EQ(end.read(), 10);
}

}  // namespace
}  // namespace musashim::test
