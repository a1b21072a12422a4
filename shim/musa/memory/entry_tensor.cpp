// Descriptors of tensors. Rules about alignment and ranges are those that public programs check before they
// call (tile-ai/tilelang-musa, runtime.cc).
#include <fmt/format.h>

#include <cstring>

#include "crt/tensor_layout.h"
#include "musa/api/api_call.h"

using namespace musashim::musa;

namespace {

constexpr uint64_t kAlignment = 16, kMostElements = uint64_t{1} << 32, kStrideLimit = uint64_t{1} << 40;

Result elementBytes(MUtensorDescriptorDataType type, uint32_t& bytes) {
  switch (type) {
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT8:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT8:
      bytes = 1;
      return {};
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT16:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT16:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT16:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_BFLOAT16:
      bytes = 2;
      return {};
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT32:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT32:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_TFLOAT32:
      bytes = 4;
      return {};
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT64:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT64:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT64:
      bytes = 8;
      return {};
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32_FTZ:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_TFLOAT32_FTZ:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32_TFLOAT32_RNE:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32_FTZ_TFLOAT32_RNE:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_16b4:
    case MU_TENSOR_DESCRIPTOR_DATA_TYPE_16b4_b8:
      return {MUSA_ERROR_NOT_SUPPORTED, fmt::format("tensors of data type {}", static_cast<int>(type))};
  }
  return {MUSA_ERROR_INVALID_VALUE, fmt::format("no data type {}", static_cast<int>(type))};
}

Result encode(MUtensorDescriptorDataType type, uint32_t rank, const void* address, const muuint64_t* dims,
              const muuint64_t* strides, MUtensorDescriptorInterleave interleave, uint64_t fill,
              musashimTensor& tensor) {
  tensor = {};
  MUSA_TRY(elementBytes(type, tensor.element_bytes));
  MUSA_REQUIRE(interleave >= MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE &&
                   interleave <= MU_TENSOR_DESCRIPTOR_INTERLEAVE_256B,
               MUSA_ERROR_INVALID_VALUE, fmt::format("no interleave {}", static_cast<int>(interleave)));
  MUSA_REQUIRE(interleave == MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE, MUSA_ERROR_NOT_SUPPORTED,
               "tensors that are interleaved");
  MUSA_REQUIRE(rank >= 1 && rank <= MUSASHIM_TENSOR_RANK, MUSA_ERROR_INVALID_VALUE,
               fmt::format("a tensor has 1 to 5 dimensions, not {}", rank));
  MUSA_REQUIRE(address != nullptr && dims != nullptr && (strides != nullptr || rank == 1),
               MUSA_ERROR_INVALID_VALUE, "null pointer");
  tensor.address = reinterpret_cast<uint64_t>(address);
  MUSA_REQUIRE(tensor.address % kAlignment == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("the tensor's address {} is no multiple of {}", address, kAlignment));
  tensor.magic = MUSASHIM_TENSOR_MAGIC;
  tensor.rank = rank;
  tensor.fill = fill;
  for (uint32_t i = 0; i < MUSASHIM_TENSOR_RANK; ++i) {
    tensor.dims[i] = i < rank ? dims[i] : 1;
    tensor.strides[i] = i == 0 ? tensor.element_bytes : i < rank ? strides[i - 1] : 0;
    MUSA_REQUIRE(tensor.dims[i] >= 1 && tensor.dims[i] <= kMostElements, MUSA_ERROR_INVALID_VALUE,
                 fmt::format("dimension {} has {} elements, not 1 to 2^32", i, tensor.dims[i]));
    if (i == 0 || i >= rank) continue;
    MUSA_REQUIRE(
        tensor.strides[i] != 0 && tensor.strides[i] % kAlignment == 0 && tensor.strides[i] < kStrideLimit,
        MUSA_ERROR_INVALID_VALUE,
        fmt::format("stride {} is {} bytes: 0, no multiple of {}, or not below 2^40", i, tensor.strides[i],
                    kAlignment));
  }
  return {};
}

}  // namespace

extern "C" {

MUresult muTensorDescriptorEncode(MUtensorDescriptor* tensorDesc, MUtensorDescriptorDataType tensorDataType,
                                  muuint32_t tensorRank, void* globalAddress, const muuint64_t* globalDim,
                                  const muuint64_t* globalStrides, MUtensorDescriptorInterleave interleave,
                                  muuint64_t oobConstantFill) {
  return apiCall<Needs::kNothing>(
      "muTensorDescriptorEncode",
      [&]() -> Result {
        MUSA_REQUIRE(tensorDesc, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(reinterpret_cast<uintptr_t>(tensorDesc) % alignof(MUtensorDescriptor) == 0,
                     MUSA_ERROR_INVALID_VALUE, "the descriptor's address is no multiple of 64");
        musashimTensor tensor;
        MUSA_TRY(encode(tensorDataType, tensorRank, globalAddress, globalDim, globalStrides, interleave,
                        oobConstantFill, tensor));
        static_assert(sizeof tensor <= sizeof tensorDesc->opaque);
        *tensorDesc = {};
        std::memcpy(tensorDesc->opaque, &tensor, sizeof tensor);
        return {};
      },
      tensorDesc, tensorDataType, tensorRank, globalAddress, globalDim, globalStrides, interleave,
      oobConstantFill);
}

}  // extern "C"
