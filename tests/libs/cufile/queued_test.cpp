// Batches, and operations on streams.
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "support.h"

namespace musashim::cufile {
namespace {

CUfileIOParams_t operation(CUfileOpcode_t opcode, CUfileHandle_t handle, void* base, size_t size,
                           off_t fileOffset, off_t bufferOffset, size_t cookie) {
  CUfileIOParams_t params{};
  params.mode = CUFILE_BATCH;
  params.u.batch = {base, fileOffset, bufferOffset, size};
  params.fh = handle;
  params.opcode = opcode;
  params.cookie = reinterpret_cast<void*>(cookie);
  return params;
}

TEST(CuFileBatch, EachOperationEndsOnce) {
  constexpr unsigned kCount = 100;
  constexpr size_t kPart = 5003;
  const Bytes content = pattern(kCount * kPart);
  TestFile file(content);
  DeviceMemory memory(kCount * kPart);
  CUfileBatchHandle_t batch = nullptr;
  ASSERT_EQ(cuFileBatchIOSetUp(&batch, kCount).err, CU_FILE_SUCCESS);
  std::vector<CUfileIOParams_t> operations;
  for (unsigned i = 0; i < kCount; ++i) {
    const auto offset = static_cast<off_t>(i * kPart);
    operations.push_back(operation(CUFILE_READ, file.handle, memory.pointer, kPart, offset, offset, i));
  }
  ASSERT_EQ(cuFileBatchIOSubmit(batch, kCount, operations.data(), 0).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 1, operations.data(), 0).err, CU_FILE_BATCH_FULL);
  std::set<void*> cookies;
  while (cookies.size() < kCount) {
    CUfileIOEvents_t events[16];
    unsigned count = 16;
    ASSERT_EQ(cuFileBatchIOGetStatus(batch, 1, &count, events, nullptr).err, CU_FILE_SUCCESS);
    ASSERT_GE(count, 1u);
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_EQ(events[i].status, CUFILE_COMPLETE);
      EXPECT_EQ(events[i].ret, kPart);
      EXPECT_TRUE(cookies.insert(events[i].cookie).second);
    }
  }
  EXPECT_EQ(memory.get(), content);
  // There is room again, and nothing to wait for.
  CUfileIOEvents_t event;
  unsigned count = 1;
  ASSERT_EQ(cuFileBatchIOGetStatus(batch, 1, &count, &event, nullptr).err, CU_FILE_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 1, operations.data(), 0).err, CU_FILE_SUCCESS);
  cuFileBatchIODestroy(batch);
  EXPECT_EQ(cuFileBatchIOCancel(batch).err, CU_FILE_INVALID_VALUE);
}

TEST(CuFileBatch, WhatFailsIsTold) {
  TestFile file(pattern(1000), O_RDONLY);
  DeviceMemory memory(4096);
  CUfileBatchHandle_t batch = nullptr;
  ASSERT_EQ(cuFileBatchIOSetUp(&batch, 8).err, CU_FILE_SUCCESS);
  CUfileIOParams_t operations[] = {
      operation(CUFILE_READ, file.handle, memory.pointer, 4096, 0, 0, 0),
      operation(CUFILE_WRITE, file.handle, memory.pointer, 10, 0, 0, 1),
      operation(CUFILE_READ, nullptr, memory.pointer, 10, 0, 0, 2),
      operation(CUFILE_READ, file.handle, memory.pointer, 4097, 0, 0, 3),
  };
  ASSERT_EQ(cuFileBatchIOSubmit(batch, 4, operations, 0).err, CU_FILE_SUCCESS);
  CUfileIOEvents_t events[8];
  unsigned count = 8;
  ASSERT_EQ(cuFileBatchIOGetStatus(batch, 4, &count, events, nullptr).err, CU_FILE_SUCCESS);
  ASSERT_EQ(count, 4u);
  const ssize_t expected[] = {1000, -1, -CU_FILE_HANDLE_NOT_REGISTERED, -CU_FILE_CUDA_POINTER_RANGE_ERROR};
  for (unsigned i = 0; i < count; ++i) {
    const auto cookie = reinterpret_cast<size_t>(events[i].cookie);
    EXPECT_EQ(static_cast<ssize_t>(events[i].ret), expected[cookie]) << cookie;
    EXPECT_EQ(events[i].status, cookie == 0 ? CUFILE_COMPLETE : CUFILE_FAILED) << cookie;
  }
  operations[0].mode = static_cast<CUfileBatchMode_t>(0);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 1, operations, 0).err, CU_FILE_INVALID_VALUE);
  operations[1].opcode = static_cast<CUfileOpcode_t>(5);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 1, operations + 1, 0).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 1, operations + 2, 1).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 0, operations + 2, 0).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOSubmit(batch, 9, operations + 2, 0).err, CU_FILE_INVALID_VALUE)
      << "an unknown one among them";
  EXPECT_EQ(cuFileBatchIOGetStatus(batch, 2, &(count = 1), events, nullptr).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOGetStatus(nullptr, 0, &count, events, nullptr).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOSetUp(nullptr, 1).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOSetUp(&batch, 0).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBatchIOSetUp(&batch, 129).err, CU_FILE_INVALID_VALUE);
  cuFileBatchIODestroy(batch);
}

TEST(CuFileBatch, CancelledOperationsHaveEventsToo) {
  const Bytes content = pattern(64u << 20);
  TestFile file(content);
  DeviceMemory memory(64u << 20);
  CUfileBatchHandle_t batch = nullptr;
  ASSERT_EQ(cuFileBatchIOSetUp(&batch, 128).err, CU_FILE_SUCCESS);
  const std::vector<CUfileIOParams_t> operations(
      128, operation(CUFILE_READ, file.handle, memory.pointer, content.size(), 0, 0, 0));
  ASSERT_EQ(cuFileBatchIOSubmit(batch, 128, const_cast<CUfileIOParams_t*>(operations.data()), 0).err,
            CU_FILE_SUCCESS);
  timespec soon{0, 1000};
  CUfileIOEvents_t events[128];
  unsigned early = 128, late = 128;
  ASSERT_EQ(cuFileBatchIOGetStatus(batch, 128, &early, events, &soon).err, CU_FILE_SUCCESS);
  EXPECT_LT(early, 128u) << "eight gigabytes in a microsecond";
  ASSERT_EQ(cuFileBatchIOCancel(batch).err, CU_FILE_SUCCESS);
  ASSERT_EQ(cuFileBatchIOGetStatus(batch, 128 - early, &late, events, nullptr).err, CU_FILE_SUCCESS);
  EXPECT_EQ(early + late, 128u);
  EXPECT_TRUE(
      std::any_of(events, events + late, [](const auto& event) { return event.status == CUFILE_CANCELED; }));
  for (unsigned i = 0; i < late; ++i)
    EXPECT_EQ(events[i].ret, events[i].status == CUFILE_CANCELED ? 0 : content.size());
  cuFileBatchIODestroy(batch);
}

class Stream {
 public:
  Stream() { EXPECT_EQ(musaStreamCreate(&stream_), musaSuccess); }
  ~Stream() { (void)musaStreamDestroy(stream_); }
  operator musaStream_t() const { return stream_; }
  MUstream drivers() const { return reinterpret_cast<MUstream>(stream_); }

 private:
  musaStream_t stream_ = nullptr;
};

TEST(CuFileStream, OperationsAreInTheStreamsOrder) {
  const Bytes content = pattern(1 << 20);
  TestFile source(content), copy;
  DeviceMemory memory(1 << 20);
  const Stream stream;
  size_t size = content.size();
  off_t zero = 0;
  ssize_t read = 0, written = 0;
  std::atomic<bool> go = false;
  ASSERT_EQ(musaLaunchHostFunc(
                stream,
                [](void* flag) {
                  while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
                },
                &go),
            musaSuccess);
  ASSERT_EQ(cuFileReadAsync(source.handle, memory.pointer, &size, &zero, &zero, &read, stream.drivers()).err,
            CU_FILE_SUCCESS);
  ASSERT_EQ(musaMemsetAsync(memory.pointer, 0x55, 100, stream), musaSuccess);
  ASSERT_EQ(
      cuFileWriteAsync(copy.handle, memory.pointer, &size, &zero, &zero, &written, stream.drivers()).err,
      CU_FILE_SUCCESS);
  EXPECT_EQ(read, 0) << "nothing runs before what was queued earlier";
  go = true;
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(read, 1 << 20);
  EXPECT_EQ(written, 1 << 20);
  Bytes expected = content;
  std::fill_n(expected.begin(), 100, 0x55);
  EXPECT_EQ(copy.content(), expected);
}

TEST(CuFileStream, NumbersAreReadWhenAnOperationRuns) {
  const Bytes content = pattern(10000);
  TestFile file(content);
  DeviceMemory memory(10000);
  const Stream stream;
  for (const bool fixed : {false, true}) {
    if (fixed) {
      ASSERT_EQ(cuFileStreamRegister(stream.drivers(), CU_FILE_STREAM_FIXED_BUF_OFFSET |
                                                           CU_FILE_STREAM_FIXED_FILE_OFFSET |
                                                           CU_FILE_STREAM_FIXED_FILE_SIZE)
                    .err,
                CU_FILE_SUCCESS);
    }
    ASSERT_EQ(musaMemset(memory.pointer, 0, 10000), musaSuccess);
    ASSERT_EQ(musaDeviceSynchronize(), musaSuccess);
    size_t size = 100;
    off_t fileOffset = 1000, bufferOffset = 10;
    ssize_t done = 0;
    std::atomic<bool> go = false;
    ASSERT_EQ(musaLaunchHostFunc(
                  stream,
                  [](void* flag) {
                    while (!*static_cast<std::atomic<bool>*>(flag)) std::this_thread::yield();
                  },
                  &go),
              musaSuccess);
    ASSERT_EQ(cuFileReadAsync(file.handle, memory.pointer, &size, &fileOffset, &bufferOffset, &done,
                              stream.drivers())
                  .err,
              CU_FILE_SUCCESS);
    size = 300;
    fileOffset = 2000;
    bufferOffset = 20;
    go = true;
    ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
    Bytes expected(10000);
    fixed ? std::copy_n(content.begin() + 1000, 100, expected.begin() + 10)
          : std::copy_n(content.begin() + 2000, 300, expected.begin() + 20);
    EXPECT_EQ(done, fixed ? 100 : 300);
    EXPECT_EQ(memory.get(), expected);
  }
  EXPECT_EQ(cuFileStreamDeregister(stream.drivers()).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileStreamDeregister(stream.drivers()).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileStreamRegister(stream.drivers(), 16).err, CU_FILE_INVALID_VALUE);
}

TEST(CuFileStream, Mistakes) {
  TestFile file(pattern(100), O_RDONLY);
  DeviceMemory memory(50);
  const Stream stream;
  size_t size = 100;
  off_t zero = 0;
  ssize_t done = 0;
  const auto read = [&](CUfileHandle_t handle, void* base, size_t* bytes, MUstream on) {
    return cuFileReadAsync(handle, base, bytes, &zero, &zero, &done, on);
  };
  EXPECT_EQ(read(nullptr, memory.pointer, &size, stream.drivers()).err, CU_FILE_HANDLE_NOT_REGISTERED);
  EXPECT_EQ(read(file.handle, nullptr, &size, stream.drivers()).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(read(file.handle, memory.pointer, nullptr, stream.drivers()).err, CU_FILE_INVALID_VALUE);
  const CUfileError_t noStream =
      read(file.handle, memory.pointer, &size, reinterpret_cast<MUstream>(0x1234560));
  EXPECT_TRUE(IS_CUDA_ERR(noStream));
  EXPECT_NE(CU_FILE_CUDA_ERR(noStream), MUSA_SUCCESS);
  (void)musaGetLastError();
  // These show when the operation runs.
  ASSERT_EQ(read(file.handle, memory.pointer, &size, stream.drivers()).err, CU_FILE_SUCCESS);
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(done, -CU_FILE_CUDA_POINTER_RANGE_ERROR);
  size = 50;
  ASSERT_EQ(cuFileWriteAsync(file.handle, memory.pointer, &size, &zero, &zero, &done, stream.drivers()).err,
            CU_FILE_SUCCESS);
  ASSERT_EQ(musaStreamSynchronize(stream), musaSuccess);
  EXPECT_EQ(done, -1);
}

}  // namespace
}  // namespace musashim::cufile
