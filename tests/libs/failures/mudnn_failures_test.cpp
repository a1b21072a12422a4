// libmudnn for want of memory: its entries return a status, and work that throws is a fault of its device,
// which a reset recovers from.
#include <gtest/gtest.h>
#include <mudnn.h>
#include <musa_runtime_api.h>

#include <functional>
#include <set>

#include "failures/refusals.h"

namespace musashim::test {
namespace {

constexpr size_t kLarge = 16000;  // bytes: what the work below takes at once, and the emulator does not
const float kOne = 1, kZero = 0;

// A convolution of 3x3 with pads: oneDNN wants other layouts than these.
struct Room {
  explicit Room(int places) {
    EXPECT_EQ(musaMalloc(&memory, size_t{4} << 20), musaSuccess);
    EXPECT_EQ(musaMemset(memory, 0, size_t{4} << 20), musaSuccess);
    EXPECT_EQ(mudnnCreate(&handle), MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(mudnnCreateTensorDescriptor(&tensor), MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(mudnnSetTensor4dDescriptor(tensor, MUDNN_TENSOR_NCHW, MUDNN_DATA_FLOAT, 1, 32, places, places),
              MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(mudnnCreateFilterDescriptor(&filter), MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(mudnnSetFilter4dDescriptor(filter, MUDNN_DATA_FLOAT, MUDNN_TENSOR_NCHW, 32, 32, 3, 3),
              MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(mudnnCreateConvolutionDescriptor(&convolution), MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(mudnnSetConvolution2dDescriptor(convolution, 1, 1, 1, 1, 1, 1, MUDNN_CROSS_CORRELATION,
                                              MUDNN_DATA_FLOAT),
              MUDNN_STATUS_SUCCESS);
  }
  ~Room() {
    (void)mudnnDestroyConvolutionDescriptor(convolution);
    (void)mudnnDestroyFilterDescriptor(filter);
    (void)mudnnDestroyTensorDescriptor(tensor);
    (void)mudnnDestroy(handle);
    (void)musaFree(memory);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  void* at(size_t mebibyte) const { return static_cast<char*>(memory) + (mebibyte << 20); }

  mudnnStatus_t forward() const {
    return mudnnConvolutionForward(handle, &kOne, tensor, at(0), filter, at(1), convolution,
                                   MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &kZero,
                                   tensor, at(2));
  }
  mudnnStatus_t softmax() const {
    return mudnnSoftmaxForward(handle, MUDNN_SOFTMAX_ACCURATE, MUDNN_SOFTMAX_MODE_INSTANCE, &kOne, tensor,
                               at(0), &kZero, tensor, at(2));
  }

  void* memory = nullptr;
  mudnnHandle_t handle = nullptr;
  mudnnTensorDescriptor_t tensor = nullptr;
  mudnnFilterDescriptor_t filter = nullptr;
  mudnnConvolutionDescriptor_t convolution = nullptr;
};

struct Call {
  const char* name;
  std::function<mudnnStatus_t(const Room&)> make;
};

const Call kCalls[] = {
    {"mudnnCreate",
     [](const Room&) {
       mudnnHandle_t handle = nullptr;
       const mudnnStatus_t made = mudnnCreate(&handle);
       return made == MUDNN_STATUS_SUCCESS ? mudnnDestroy(handle) : made;
     }},
    {"mudnnCreateTensorDescriptor",
     [](const Room&) {
       mudnnTensorDescriptor_t descriptor = nullptr;
       const mudnnStatus_t made = mudnnCreateTensorDescriptor(&descriptor);
       return made == MUDNN_STATUS_SUCCESS ? mudnnDestroyTensorDescriptor(descriptor) : made;
     }},
    {"mudnnBackendCreateDescriptor",
     [](const Room&) {
       mudnnBackendDescriptor_t descriptor = nullptr;
       const mudnnStatus_t made = mudnnBackendCreateDescriptor(MUDNN_BACKEND_TENSOR_DESCRIPTOR, &descriptor);
       return made == MUDNN_STATUS_SUCCESS ? mudnnBackendDestroyDescriptor(descriptor) : made;
     }},
    {"mudnnConvolutionForward", [](const Room& room) { return room.forward(); }},
    {"mudnnSoftmaxForward", [](const Room& room) { return room.softmax(); }},
};

TEST(MudnnFailures, EntriesTellOfMissingMemory) {
  const std::set<mudnnStatus_t> failures{MUDNN_STATUS_ALLOC_FAILED, MUDNN_STATUS_EXECUTION_FAILED};
  const Room room(16);
  for (const Call& call : kCalls) {
    ASSERT_EQ(call.make(room), MUDNN_STATUS_SUCCESS) << call.name;
    std::set<mudnnStatus_t> seen;
    for (long n = 0;; ++n) {
      ASSERT_LT(n, 1000) << call.name;
      mudnnStatus_t status = MUDNN_STATUS_SUCCESS;
      bool refused = false;
      {
        const RefuseOne refusal(n);
        status = call.make(room);
        refused = refusal.hasRefused();
      }
      if (!refused) {
        EXPECT_EQ(status, MUDNN_STATUS_SUCCESS) << call.name;
        break;
      }
      if (status != MUDNN_STATUS_SUCCESS) seen.insert(status);
      EXPECT_TRUE(status == MUDNN_STATUS_SUCCESS || failures.contains(status))
          << call.name << ": status " << status << ", " << n;
      EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << call.name << ", " << n;
    }
    EXPECT_FALSE(seen.empty()) << call.name;
  }
}

TEST(MudnnFailures, WhatElseIsThrownIsAnInternalError) {
  const Room room(16);
  for (const Call& call : kCalls) {
    const RefuseOne refusal(0, Thrown::kOther);
    EXPECT_EQ(call.make(room), MUDNN_STATUS_INTERNAL_ERROR) << call.name;
    EXPECT_TRUE(refusal.hasRefused()) << call.name;
  }
}

// What oneDNN or what is around it throws on the stream's thread.
TEST(MudnnFailures, WorkThatThrowsIsAFaultOfTheDevice) {
  {
    const Room room(40);  // that no test before has had memory for
    const RefuseLarge refusal(kLarge);
    EXPECT_EQ(room.forward(), MUDNN_STATUS_SUCCESS);
    EXPECT_EQ(musaDeviceSynchronize(), musaErrorLaunchFailure);
    EXPECT_GT(refusal.count(), 0);
    EXPECT_NE(room.forward(), MUDNN_STATUS_SUCCESS);
  }
  EXPECT_EQ(musaDeviceReset(), musaSuccess);
  (void)musaGetLastError();
  const Room room(40);
  EXPECT_EQ(room.forward(), MUDNN_STATUS_SUCCESS);
  EXPECT_EQ(musaDeviceSynchronize(), musaSuccess);
}

}  // namespace
}  // namespace musashim::test
