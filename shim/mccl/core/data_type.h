// Facts about MCCL's element types and operations.
#pragma once

#include <cstddef>

#include "mccl.h"

namespace musashim::mccl {

constexpr bool isDataType(int type) { return type >= 0 && type < mcclNumTypes; }

// Bytes of one element; `type` is valid.
constexpr size_t elementSize(mcclDataType_t type) {
  constexpr size_t kSizes[mcclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return kSizes[type];
}

constexpr bool isInteger(mcclDataType_t type) { return type <= mcclUint64; }

// Names as nccl-tests prints them.
constexpr const char* dataTypeName(mcclDataType_t type) {
  constexpr const char* kNames[mcclNumTypes] = {"int8", "uint8", "int32",  "uint32",   "int64",  "uint64",
                                                "half", "float", "double", "bfloat16", "f8e4m3", "f8e5m2"};
  return kNames[type];
}

constexpr const char* reductionName(mcclRedOp_t op) {
  constexpr const char* kNames[mcclNumOps] = {"sum", "prod", "max", "min", "avg"};
  return op < mcclNumOps ? kNames[op] : "premulsum";
}

}  // namespace musashim::mccl
