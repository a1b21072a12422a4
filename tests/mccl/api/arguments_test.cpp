// Arguments, operations and handles of the user.
#include <chrono>
#include <cstring>
#include <thread>

#include "../world.h"

namespace musashim::mccl {
namespace {

using namespace std::chrono_literals;

TEST(Arguments, AreCheckedBeforeAnythingIsQueued) {
  World world(2);
  Rank& r = world.rank(0);
  char buffer[64];
  const auto allReduce = [&](mcclDataType_t type, mcclRedOp_t op, mcclComm_t comm) {
    return mcclAllReduce(buffer, buffer, 4, type, op, comm, r.stream);
  };
  EXPECT_EQ(allReduce(mcclFloat, mcclSum, nullptr), mcclInvalidArgument);
  EXPECT_EQ(allReduce(mcclNumTypes, mcclSum, r.comm), mcclInvalidArgument);
  EXPECT_EQ(allReduce(static_cast<mcclDataType_t>(13), mcclSum, r.comm), mcclInvalidArgument);
  EXPECT_EQ(allReduce(mcclFloat, mcclNumOps, r.comm), mcclInvalidArgument);
  EXPECT_EQ(mcclReduce(buffer, buffer, 4, mcclFloat, mcclSum, 2, r.comm, r.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclBroadcast(buffer, buffer, 4, mcclFloat, -1, r.comm, r.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclSend(buffer, 4, mcclFloat, 2, r.comm, r.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclRecv(buffer, 4, mcclFloat, -1, r.comm, r.stream), mcclInvalidArgument);
  int count = 0;
  EXPECT_EQ(mcclCommCount(r.comm, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclCommCount(nullptr, &count), mcclInvalidArgument);
  EXPECT_EQ(mcclGetVersion(nullptr), mcclInvalidArgument);
}

TEST(RedOp, MisuseIsAnInvalidArgument) {
  World world(2);
  Rank &r = world.rank(0), &other = world.rank(1);
  float scalar = 2;
  mcclRedOp_t op;
  EXPECT_EQ(mcclRedOpDestroy(mcclSum, r.comm), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(static_cast<mcclRedOp_t>(12345), r.comm), mcclInvalidArgument);
  ASSERT_MCCL(mcclRedOpCreatePreMulSum(&op, &scalar, mcclFloat, mcclScalarHostImmediate, r.comm));
  char buffer[64];
  EXPECT_EQ(mcclAllReduce(buffer, buffer, 4, mcclDouble, op, r.comm, r.stream), mcclInvalidArgument)
      << "another type";
  EXPECT_EQ(mcclAllReduce(buffer, buffer, 4, mcclFloat, op, other.comm, other.stream), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(op, nullptr), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpDestroy(op, other.comm), mcclInvalidArgument);
  EXPECT_MCCL(mcclRedOpDestroy(op, r.comm));
  EXPECT_EQ(mcclRedOpDestroy(op, r.comm), mcclInvalidArgument);
  EXPECT_EQ(mcclRedOpCreatePreMulSum(&op, nullptr, mcclFloat, mcclScalarHostImmediate, r.comm),
            mcclInvalidArgument);
}

TEST(RedOp, DeviceScalarIsReadWhenTheCollectiveRuns) {
  World world(2);
  Buffer data[] = {Buffer(0, 4), Buffer(1, 4)}, scalar[] = {Buffer(0, 4), Buffer(1, 4)};
  mcclRedOp_t ops[2];
  for (int r = 0; r < 2; ++r) {
    data[r].write(std::vector<float>{10});
    scalar[r].write(std::vector<float>{0});
    ASSERT_MCCL(
        mcclRedOpCreatePreMulSum(&ops[r], scalar[r].data(), mcclFloat, mcclScalarDevice, world.rank(r).comm));
    scalar[r].write(std::vector<float>{static_cast<float>(r + 2)});
  }
  world.each([&](Rank& r) {
    return mcclAllReduce(data[r.rank].data(), data[r.rank].data(), 1, mcclFloat, ops[r.rank], r.comm,
                         r.stream);
  });
  world.synchronize();
  EXPECT_EQ(data[0].read<float>()[0], 50.0f);
  for (int r = 0; r < 2; ++r) EXPECT_MCCL(mcclRedOpDestroy(ops[r], world.rank(r).comm));
}

TEST(Memory, IsAlignedForWindows) {
  void* pointer = nullptr;
  ASSERT_MCCL(mcclMemAlloc(&pointer, 100));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % MCCL_WIN_REQUIRED_ALIGNMENT, 0u);
  ASSERT_MUSA(musaMemset(pointer, 1, 100));
  EXPECT_MCCL(mcclMemFree(pointer));
  EXPECT_MCCL(mcclMemFree(nullptr));
  EXPECT_EQ(mcclMemAlloc(nullptr, 8), mcclUnhandledMusaError);
  EXPECT_EQ(mcclMemAlloc(&pointer, size_t{1} << 60), mcclUnhandledMusaError);
  EXPECT_EQ(pointer, nullptr);
  ASSERT_MUSA(musaMalloc(&pointer, 64));
  EXPECT_MCCL(mcclMemFree(pointer)) << "memory of musaMalloc";
}

TEST(Memory, RegistrationHandlesAreChecked) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  void *buffer = nullptr, *handle = nullptr;
  ASSERT_MCCL(mcclMemAlloc(&buffer, 8192));
  ASSERT_MCCL(mcclCommRegister(comm, buffer, 8192, &handle));
  EXPECT_MCCL(mcclCommDeregister(comm, handle));
  EXPECT_EQ(mcclCommDeregister(comm, handle), mcclInvalidUsage);
  EXPECT_MCCL(mcclCommDeregister(comm, nullptr)) << "what a library without registration gave";
  mcclWindow_t window = nullptr;
  ASSERT_MCCL(mcclCommWindowRegister(comm, buffer, 8192, &window, MCCL_WIN_COLL_SYMMETRIC));
  EXPECT_EQ(mcclCommDeregister(comm, window), mcclInvalidUsage) << "a window is no buffer";
  EXPECT_MCCL(mcclCommWindowDeregister(comm, window));
  EXPECT_EQ(mcclCommWindowDeregister(comm, window), mcclInvalidArgument);
  EXPECT_MCCL(mcclCommWindowDeregister(comm, nullptr));
  EXPECT_EQ(mcclCommWindowRegister(comm, static_cast<char*>(buffer) + 8, 64, &window, 0),
            mcclInvalidArgument);
  EXPECT_EQ(mcclCommWindowRegister(comm, buffer, 64, &window, 0x80), mcclInvalidArgument);
  EXPECT_MCCL(mcclMemFree(buffer));
}

TEST(Memory, PartsOfARegisteredBufferShareItsHandle) {
  World world(1);
  mcclComm_t comm = world.rank(0).comm;
  void *buffer = nullptr, *all = nullptr, *part = nullptr, *more = nullptr;
  ASSERT_MCCL(mcclMemAlloc(&buffer, 1 << 16));
  ASSERT_MCCL(mcclCommRegister(comm, buffer, 1 << 15, &all));
  ASSERT_MCCL(mcclCommRegister(comm, static_cast<char*>(buffer) + 5000, 100, &part));
  ASSERT_MCCL(mcclCommRegister(comm, buffer, 1 << 16, &more));
  EXPECT_EQ(part, all);
  EXPECT_NE(more, all);
  for (void* handle : {all, more, part}) EXPECT_MCCL(mcclCommDeregister(comm, handle));
  EXPECT_EQ(mcclCommDeregister(comm, all), mcclInvalidUsage) << "given back as often as handed out";
  EXPECT_MCCL(mcclMemFree(buffer));
}

TEST(Information, ErrorStringsAreFixed) {
  EXPECT_STREQ(mcclGetErrorString(mcclSuccess), "no error");
  EXPECT_STREQ(mcclGetErrorString(mcclInvalidUsage), "invalid usage (run with MCCL_DEBUG=WARN for details)");
  EXPECT_STREQ(mcclGetErrorString(static_cast<mcclResult_t>(9)), "unknown result code");
}

TEST(Information, TwinsExistAndVersionsAgree) {
  int version = 0, twin = 0;
  EXPECT_MCCL(mcclGetVersion(&version));
  EXPECT_MCCL(pmcclGetVersion(&twin));
  EXPECT_EQ(version, MCCL_VERSION_CODE);
  EXPECT_EQ(twin, version);
}

}  // namespace
}  // namespace musashim::mccl
