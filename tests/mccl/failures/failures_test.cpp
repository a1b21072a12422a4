// What throws below the library never leaves it: calls return a result. Each allocation of the calling thread
// is refused once, those of what MCCL calls as well.
#include <gtest/gtest.h>
#include <musa_runtime_api.h>

#include <functional>
#include <set>

#include "libs/failures/refusals.h"
#include "mccl.h"

namespace musashim::test {
namespace {

constexpr size_t kCount = 1000;

// A communicator of one rank, and memory.
struct Room {
  Room() {
    EXPECT_EQ(musaStreamCreate(&stream), musaSuccess);
    EXPECT_EQ(mcclMemAlloc(&memory, size_t{1} << 20), mcclSuccess);
    EXPECT_EQ(mcclCommInitAll(&comm, 1, nullptr), mcclSuccess);
  }
  ~Room() {
    EXPECT_EQ(musaStreamSynchronize(stream), musaSuccess);
    // It has failed where work could not be begun.
    mcclResult_t state = mcclSuccess;
    EXPECT_EQ(mcclCommGetAsyncError(comm, &state), mcclSuccess);
    EXPECT_EQ(state == mcclSuccess ? mcclCommDestroy(comm) : mcclCommAbort(comm), mcclSuccess);
    EXPECT_EQ(mcclMemFree(memory), mcclSuccess);
    EXPECT_EQ(musaStreamDestroy(stream), musaSuccess);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  float* at(size_t index) const { return static_cast<float*>(memory) + index * kCount; }

  void* memory = nullptr;
  mcclComm_t comm = nullptr;
  musaStream_t stream = nullptr;
};

struct Call {
  const char* name;
  std::function<mcclResult_t(Room&)> make;
};

mcclResult_t initAndDestroy(Room&) {
  mcclUniqueId id;
  mcclResult_t result = mcclGetUniqueId(&id);
  if (result != mcclSuccess) return result;
  mcclComm_t comm = nullptr;
  result = mcclCommInitRank(&comm, 1, id, 0);
  if (result != mcclSuccess) {
    EXPECT_EQ(comm, nullptr);
    return result;
  }
  const mcclResult_t destroyed = mcclCommDestroy(comm);
  if (destroyed != mcclSuccess) EXPECT_EQ(mcclCommAbort(comm), mcclSuccess);
  return destroyed;
}

mcclResult_t splitOff(Room& room) {
  mcclComm_t part = nullptr;
  const mcclResult_t result = mcclCommSplit(room.comm, 0, 0, &part, nullptr);
  if (result != mcclSuccess) return result;
  const mcclResult_t destroyed = mcclCommDestroy(part);
  if (destroyed != mcclSuccess) EXPECT_EQ(mcclCommAbort(part), mcclSuccess);
  return destroyed;
}

mcclResult_t sendToSelf(Room& room) {
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  const mcclResult_t sent = mcclSend(room.at(0), kCount, mcclFloat, 0, room.comm, room.stream);
  const mcclResult_t received = mcclRecv(room.at(1), kCount, mcclFloat, 0, room.comm, room.stream);
  const mcclResult_t ended = mcclGroupEnd();
  return sent != mcclSuccess ? sent : received != mcclSuccess ? received : ended;
}

mcclResult_t simulate(Room& room) {
  EXPECT_EQ(mcclGroupStart(), mcclSuccess);
  const mcclResult_t called =
      mcclAllReduce(room.at(0), room.at(1), kCount, mcclFloat, mcclSum, room.comm, room.stream);
  mcclSimInfo_t info = MCCL_SIM_INFO_INITIALIZER;
  const mcclResult_t ended = mcclGroupSimulateEnd(&info);
  return called != mcclSuccess ? called : ended;
}

mcclResult_t makeReduction(Room& room) {
  float factor = 2;
  mcclRedOp_t op = mcclSum;
  const mcclResult_t made =
      mcclRedOpCreatePreMulSum(&op, &factor, mcclFloat, mcclScalarHostImmediate, room.comm);
  if (made != mcclSuccess) return made;
  const mcclResult_t destroyed = mcclRedOpDestroy(op, room.comm);
  return destroyed;
}

mcclResult_t allocate(Room&) {
  void* memory = nullptr;
  const mcclResult_t result = mcclMemAlloc(&memory, 4096);
  return result != mcclSuccess ? result : mcclMemFree(memory);
}

mcclResult_t registerMemory(Room& room) {
  void* handle = nullptr;
  const mcclResult_t result = mcclCommRegister(room.comm, room.memory, size_t{1} << 20, &handle);
  return result != mcclSuccess ? result : mcclCommDeregister(room.comm, handle);
}

const Call kCalls[] = {
    {"mcclCommInitRank", initAndDestroy},
    {"mcclCommSplit", splitOff},
    {"mcclAllReduce",
     [](Room& room) {
       return mcclAllReduce(room.at(0), room.at(1), kCount, mcclFloat, mcclSum, room.comm, room.stream);
     }},
    {"mcclReduceScatter",
     [](Room& room) {
       return mcclReduceScatter(room.at(0), room.at(1), kCount, mcclFloat, mcclMax, room.comm, room.stream);
     }},
    {"mcclBroadcast",
     [](Room& room) {
       return mcclBroadcast(room.at(0), room.at(1), kCount, mcclFloat, 0, room.comm, room.stream);
     }},
    {"mcclSend", sendToSelf},
    {"mcclGroupSimulateEnd", simulate},
    {"mcclRedOpCreatePreMulSum", makeReduction},
    {"mcclMemAlloc", allocate},
    {"mcclCommRegister", registerMemory},
};

TEST(Failures, CallsTellOfMissingMemory) {
  const std::set<mcclResult_t> failures{mcclSystemError, mcclUnhandledMusaError};
  std::set<mcclResult_t> seen;
  for (const Call& call : kCalls) {
    for (long n = 0;; ++n) {
      ASSERT_LT(n, 2000) << call.name;
      Room room;
      ASSERT_EQ(call.make(room), mcclSuccess) << call.name;
      mcclResult_t result = mcclSuccess;
      bool refused = false;
      {
        const RefuseOne refusal(n);
        result = call.make(room);
        refused = refusal.hasRefused();
      }
      EXPECT_EQ(musaStreamSynchronize(room.stream), musaSuccess) << call.name << ", " << n;
      if (!refused) {
        EXPECT_EQ(result, mcclSuccess) << call.name;
        break;
      }
      if (result != mcclSuccess) seen.insert(result);
      EXPECT_TRUE(result == mcclSuccess || failures.contains(result))
          << call.name << ": " << result << ", " << n << ", " << mcclGetLastError(nullptr);
      // No group is left open.
      EXPECT_EQ(mcclGroupEnd(), mcclInvalidUsage) << call.name << ", " << n;
    }
  }
  EXPECT_TRUE(seen.contains(mcclSystemError));
}

TEST(Failures, WhatElseIsThrownIsAnInternalError) {
  Room room;
  ASSERT_EQ(initAndDestroy(room), mcclSuccess);
  const RefuseOne refusal(0, Thrown::kOther);
  EXPECT_EQ(initAndDestroy(room), mcclInternalError);
  EXPECT_TRUE(refusal.hasRefused());
}

}  // namespace
}  // namespace musashim::test
