// Descriptors of tensors: what muTensorDescriptorEncode() takes and refuses. What copies do with them is
// tests/mcc/programs/tensor_copies.mu.
#include <musa.h>

#include <cstdint>
#include <cstring>

#include "crt/tensor_layout.h"
#include "support.h"

namespace musashim::test {
namespace {

struct Arguments {
  MUtensorDescriptorDataType type = MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT16;
  muuint32_t rank = 3;
  void* address = reinterpret_cast<void*>(0x10000);
  muuint64_t dims[5] = {64, 8, 3, 2, 2};
  muuint64_t strides[4] = {128, 1024, 4096, 8192};
  MUtensorDescriptorInterleave interleave = MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE;

  MUresult encode(MUtensorDescriptor* to) const {
    return muTensorDescriptorEncode(to, type, rank, address, dims, strides, interleave, 0x1234);
  }
};

TEST(TensorDescriptorTest, HoldsWhatItIsGiven) {
  MUtensorDescriptor descriptor;
  ASSERT_EQ(Arguments().encode(&descriptor), MUSA_SUCCESS);
  musashimTensor tensor;
  std::memcpy(&tensor, descriptor.opaque, sizeof tensor);
  EXPECT_EQ(tensor.rank, 3u);
  EXPECT_EQ(tensor.element_bytes, 2u);
  EXPECT_EQ(tensor.address, 0x10000u);
  EXPECT_EQ(tensor.fill, 0x1234u);
  EXPECT_EQ(tensor.dims[1], 8u);
  EXPECT_EQ(tensor.dims[3], 1u);
  EXPECT_EQ(tensor.strides[0], 2u);
  EXPECT_EQ(tensor.strides[2], 1024u);
}

TEST(TensorDescriptorTest, KnowsEveryTypesSize) {
  MUtensorDescriptor descriptor;
  for (int type = 0; type <= MU_TENSOR_DESCRIPTOR_DATA_TYPE_16b4_b8 + 1; ++type) {
    Arguments arguments;
    arguments.type = static_cast<MUtensorDescriptorDataType>(type);
    const MUresult want = type <= MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT64   ? MUSA_SUCCESS
                          : type <= MU_TENSOR_DESCRIPTOR_DATA_TYPE_16b4_b8 ? MUSA_ERROR_NOT_SUPPORTED
                                                                           : MUSA_ERROR_INVALID_VALUE;
    EXPECT_EQ(arguments.encode(&descriptor), want) << type;
  }
}

TEST(TensorDescriptorTest, RefusesWhatCannotBe) {
  MUtensorDescriptor descriptors[2];
  const auto refuses = [&](auto change) {
    Arguments arguments;
    change(arguments);
    return arguments.encode(descriptors);
  };
  EXPECT_EQ(Arguments().encode(nullptr), MUSA_ERROR_INVALID_VALUE);
  auto* const misplaced = reinterpret_cast<MUtensorDescriptor*>(reinterpret_cast<char*>(descriptors) + 16);
  EXPECT_EQ(Arguments().encode(misplaced), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.rank = 0; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.rank = 6; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.address = nullptr; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.address = reinterpret_cast<void*>(0x10008); }),
            MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.dims[2] = 0; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.dims[0] = (uint64_t{1} << 32) + 1; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.strides[1] = 0; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.strides[0] = 136; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.strides[1] = uint64_t{1} << 40; }), MUSA_ERROR_INVALID_VALUE);
  EXPECT_EQ(refuses([](Arguments& a) { a.interleave = MU_TENSOR_DESCRIPTOR_INTERLEAVE_32B; }),
            MUSA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(refuses([](Arguments& a) { a.interleave = static_cast<MUtensorDescriptorInterleave>(6); }),
            MUSA_ERROR_INVALID_VALUE);
  // Of a dimension that it has not, nothing is asked.
  EXPECT_EQ(refuses([](Arguments& a) { a.dims[3] = a.strides[2] = 0; }), MUSA_SUCCESS);
  MUtensorDescriptor row;
  const muuint64_t length = 7;
  EXPECT_EQ(
      muTensorDescriptorEncode(&row, MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT8, 1, reinterpret_cast<void*>(0x10),
                               &length, nullptr, MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE, 0),
      MUSA_SUCCESS);
}

}  // namespace
}  // namespace musashim::test
