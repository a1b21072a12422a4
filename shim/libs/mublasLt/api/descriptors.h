// What is in the descriptors, whose memory programs may own: read and written as a whole.
#pragma once

#include <mublasLt.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace musashim::mublasLt {

// The numbers below are of the enumerations of mublasLt.h, and whatever else a program stores: they are
// checked when they are used, as cuBLASLt does it.
struct Layout {
  uint32_t type = 0;
  int32_t order = MUBLASLT_ORDER_COL;
  uint64_t rows = 0, columns = 0;
  int64_t ld = 0;
  int32_t batchCount = 1;
  uint32_t batchMode = MUBLASLT_BATCH_MODE_STRIDED;
  int64_t batchOffset = 0, planeOffset = 0;
};

struct Operation {
  int32_t computeType = 0, scaleType = 0;
  int32_t pointerMode = MUBLASLT_POINTER_MODE_HOST;
  int32_t transa = MUBLAS_OP_N, transb = MUBLAS_OP_N, transc = MUBLAS_OP_N;
  int32_t fillMode = MUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = MUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  int64_t biasStride = 0;
  void* aux = nullptr;
  int64_t auxLd = 0, auxStride = 0, alphaStride = 0;
  int32_t smCount = 0, auxType = -1, biasType = -1;
  int8_t fastAccumulation = 0;
  void *scaleA = nullptr, *scaleB = nullptr, *scaleC = nullptr, *scaleD = nullptr;
  void *amaxD = nullptr, *auxScale = nullptr, *auxAmax = nullptr, *outScaleD = nullptr;
  int32_t scaleModeA = 0, scaleModeB = 0, scaleModeC = 0, scaleModeD = 0, auxScaleMode = 0, outScaleModeD = 0;
};

struct Transform {
  int32_t scaleType = 0, pointerMode = MUBLASLT_POINTER_MODE_HOST;
  int32_t transa = MUBLAS_OP_N, transb = MUBLAS_OP_N;
};

struct Preference {
  uint32_t searchMode = MUBLASLT_SEARCH_BEST_FIT;
  uint32_t reductionMask = MUBLASLT_REDUCTION_SCHEME_MASK;
  uint64_t maxWorkspace = 0;
  uint32_t alignmentA = 256, alignmentB = 256, alignmentC = 256, alignmentD = 256;
  float maxWaves = 0;
  uint64_t implementations = ~uint64_t{0};
};

// The types that an algorithm was made for.
struct Types {
  int32_t compute = 0, scale = 0, a = 0, b = 0, c = 0, d = 0;
  friend bool operator==(const Types&, const Types&) = default;
};

struct Algorithm {
  int32_t isMade = 0;  // kMade; algorithms are bytes that programs copy, and clear
  int32_t id = 0;
  uint32_t tile = MUBLASLT_MATMUL_TILE_UNDEFINED;
  int32_t splitK = 1;
  uint32_t reduction = MUBLASLT_REDUCTION_SCHEME_NONE, swizzling = 0, custom = 0;
  uint32_t stages = MUBLASLT_MATMUL_STAGES_UNDEFINED;
  uint16_t innerShape = 0, cluster = 0;
  Types types;
  static constexpr int32_t kMade = 0x6c54;
};

template <class Content, class Memory>
Content load(const Memory* memory) {
  static_assert(sizeof(Content) <= sizeof(Memory) && std::is_trivially_copyable_v<Content>);
  Content content;
  std::memcpy(&content, memory, sizeof content);
  return content;
}

template <class Content, class Memory>
void store(Memory* memory, const Content& content) {
  static_assert(sizeof(Content) <= sizeof(Memory) && std::is_trivially_copyable_v<Content>);
  std::memset(static_cast<void*>(memory), 0, sizeof *memory);
  std::memcpy(static_cast<void*>(memory), &content, sizeof content);
}

// An attribute's number, and where it is in its descriptor.
struct Field {
  int attribute;
  size_t offset, size;
};

// The answer to a question for an attribute: `size` 0 asks how large it is.
template <size_t kFields>
mublasStatus_t getField(const Field (&fields)[kFields], const void* content, int attribute, void* buffer,
                        size_t size, size_t* written) {
  for (const Field& field : fields) {
    if (field.attribute != attribute) continue;
    if (size == 0 && written) {
      *written = field.size;
      return MUBLAS_STATUS_SUCCESS;
    }
    if (!buffer || size != field.size) return MUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(buffer, static_cast<const char*>(content) + field.offset, field.size);
    if (written) *written = field.size;
    return MUBLAS_STATUS_SUCCESS;
  }
  return MUBLAS_STATUS_INVALID_VALUE;
}

template <size_t kFields>
mublasStatus_t setField(const Field (&fields)[kFields], void* content, int attribute, const void* buffer,
                        size_t size) {
  for (const Field& field : fields) {
    if (field.attribute != attribute) continue;
    if (!buffer || size != field.size) return MUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(static_cast<char*>(content) + field.offset, buffer, field.size);
    return MUBLAS_STATUS_SUCCESS;
  }
  return MUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace musashim::mublasLt

// NOLINTBEGIN(bugprone-macro-parentheses): arguments are types and members
#define MUBLASLT_FIELD(attribute, Content, member) \
  { attribute, offsetof(Content, member), sizeof(Content::member) }
// NOLINTEND(bugprone-macro-parentheses)
