// One call of the user, validated, as its stream will run it. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mccl.h"
#include "mccl/kernels/reduce.h"

namespace musashim::mccl {

enum class CollectiveKind : uint8_t { kAllReduce, kReduce, kBroadcast, kAllGather, kReduceScatter };

const char* collectiveName(CollectiveKind kind);

struct CollectiveTask {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  const void* send = nullptr;
  void* recv = nullptr;
  size_t count = 0;  // elements, as in the call: per rank for AllGather and ReduceScatter
  mcclDataType_t type = mcclInt8;
  mcclRedOp_t op = mcclSum;  // reductions
  Reduction reduction = Reduction::kSum;
  uint64_t factor = 0;                 // kPreMulSum: an element in the low bytes
  const void* deviceFactor = nullptr;  // if set, the factor is read here when the task runs
  int root = 0;                        // Reduce, Broadcast

  // "AllReduce(count 4, float, sum)", for messages.
  std::string describe() const;
};

// Whether the calls of two ranks belong together.
bool sameSignature(const CollectiveTask& a, const CollectiveTask& b);

struct TransferTask {
  bool isSend = false;
  void* buffer = nullptr;  // only read when isSend
  size_t count = 0;
  mcclDataType_t type = mcclInt8;
  int peer = 0;

  size_t bytes() const;
  std::string describe(int rank) const;  // "Send(count 4, float) of rank 0 to rank 1"
};

}  // namespace musashim::mccl
