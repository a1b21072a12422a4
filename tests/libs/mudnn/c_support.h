// The C interface's descriptors, as tests make them.
#pragma once

#include <mudnn.h>

#include "mudnn/support.h"

namespace musashim::test {

#define ASSERT_C(call) ASSERT_EQ(MUDNN_STATUS_SUCCESS, (call))

template <class T>
constexpr mudnnDataType_t dataTypeOf() {
  if constexpr (std::is_same_v<T, double>) return MUDNN_DATA_DOUBLE;
  if constexpr (std::is_same_v<T, __half>) return MUDNN_DATA_HALF;
  if constexpr (std::is_same_v<T, __mt_bfloat16>) return MUDNN_DATA_BFLOAT16;
  if constexpr (std::is_same_v<T, int8_t>) return MUDNN_DATA_INT8;
  if constexpr (std::is_same_v<T, int32_t>) return MUDNN_DATA_INT32;
  return MUDNN_DATA_FLOAT;
}

inline std::vector<int> narrow(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }

class TensorDescriptor {
 public:
  TensorDescriptor(mudnnDataType_t type, const Sizes& sizes, mudnnTensorFormat_t format = MUDNN_TENSOR_NCHW) {
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, mudnnCreateTensorDescriptor(&descriptor_));
    EXPECT_EQ(MUDNN_STATUS_SUCCESS,
              mudnnSetTensorNdDescriptorEx(descriptor_, format, type, static_cast<int>(sizes.size()),
                                           narrow(sizes).data()));
  }
  TensorDescriptor(const TensorDescriptor&) = delete;
  ~TensorDescriptor() { (void)mudnnDestroyTensorDescriptor(descriptor_); }
  operator mudnnTensorDescriptor_t() const { return descriptor_; }

 private:
  mudnnTensorDescriptor_t descriptor_ = nullptr;
};

class FilterDescriptor {
 public:
  FilterDescriptor(mudnnDataType_t type, const Sizes& sizes, mudnnTensorFormat_t format = MUDNN_TENSOR_NCHW) {
    EXPECT_EQ(MUDNN_STATUS_SUCCESS, mudnnCreateFilterDescriptor(&descriptor_));
    EXPECT_EQ(MUDNN_STATUS_SUCCESS,
              mudnnSetFilterNdDescriptor(descriptor_, type, format, static_cast<int>(sizes.size()),
                                         narrow(sizes).data()));
  }
  FilterDescriptor(const FilterDescriptor&) = delete;
  ~FilterDescriptor() { (void)mudnnDestroyFilterDescriptor(descriptor_); }
  operator mudnnFilterDescriptor_t() const { return descriptor_; }

 private:
  mudnnFilterDescriptor_t descriptor_ = nullptr;
};

class CInterfaceTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_C(mudnnCreate(&handle)); }
  void TearDown() override { ASSERT_C(mudnnDestroy(handle)); }
  mudnnHandle_t handle = nullptr;
};

}  // namespace musashim::test
