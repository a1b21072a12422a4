// One call of the user, validated, as its stream will run it. Plain data: it is copied as it
// is into memory that processes share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mccl.h"
#include "mccl/kernels/reduce.h"

namespace musashim::mccl {

inline constexpr size_t kMemoryHandleBytes = 64;

// A rank's buffer. Other processes reach it by the handle of the allocation that holds it.
struct Buffer {
  Buffer() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a buffer of one's own process is its address
  Buffer(const void* address) : pointer(const_cast<void*>(address)) {}

  void* pointer = nullptr;  // in the rank's own process
  bool exported = false;    // the next two are set
  char handle[kMemoryHandleBytes] = {};
  uint64_t offset = 0;  // bytes from the allocation's begin

  bool operator==(const Buffer&) const = default;
};

enum class CollectiveKind : uint8_t {
  kAllReduce,
  kReduce,
  kBroadcast,
  kAllGather,
  kReduceScatter,
  kAllToAll
};

const char* collectiveName(CollectiveKind kind);

struct CollectiveTask {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  Buffer send;
  Buffer recv;
  size_t count = 0;  // elements, as in the call: per rank for AllGather, ReduceScatter and AlltoAll
  mcclDataType_t type = mcclInt8;
  mcclRedOp_t op = mcclSum;  // reductions
  Reduction reduction = Reduction::kSum;
  uint64_t factor = 0;                 // kPreMulSum: an element in the low bytes
  const void* deviceFactor = nullptr;  // if set, the rank reads the factor here when the task runs
  int root = 0;                        // Reduce, Broadcast

  bool operator==(const CollectiveTask&) const = default;

  // "AllReduce(count 4, float, sum)", for messages.
  std::string describe() const;
};

bool reduces(CollectiveKind kind);

// Whether `rank` gives data to, or gets data from, the others.
bool readsSendBuffer(const CollectiveTask& task, int rank);
bool writesRecvBuffer(const CollectiveTask& task, int rank);

// Bytes of the whole send and receive buffer of one rank.
size_t sendBytes(const CollectiveTask& task, int ranks);
size_t recvBytes(const CollectiveTask& task, int ranks);

// Whether the calls of two ranks belong together.
bool sameSignature(const CollectiveTask& a, const CollectiveTask& b);

struct TransferTask {
  bool isSend = false;
  Buffer buffer;  // only read when isSend
  size_t count = 0;
  mcclDataType_t type = mcclInt8;
  int peer = 0;

  size_t bytes() const;
  // "Send(count 4, float) of rank 0 to rank 1"
  std::string describe(int rank, int other) const;
};

// Whether the buffers of two tasks of one rank do.
bool overlap(const TransferTask& a, const TransferTask& b);

}  // namespace musashim::mccl
