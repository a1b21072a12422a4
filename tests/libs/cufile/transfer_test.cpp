// cuFileRead and cuFileWrite: bytes, offsets, ends of files, mistakes.
#include <cerrno>
#include <cstring>
#include <thread>

#include "support.h"

namespace musashim::cufile {
namespace {

// Whether the folder for temporary files is on a file system with O_DIRECT (tmpfs has none before Linux 6.5).
bool hasDirect() {
  std::string path = testing::TempDir() + "cufile-XXXXXX";
  close(mkstemp(path.data()));
  const int direct = ::open(path.c_str(), O_RDWR | O_DIRECT);
  unlink(path.c_str());
  if (direct >= 0) close(direct);
  return direct >= 0;
}

class Transfers : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if ((GetParam() & O_DIRECT) != 0 && !hasDirect()) GTEST_SKIP() << "no O_DIRECT in " << testing::TempDir();
  }
};

INSTANTIATE_TEST_SUITE_P(Opened, Transfers, testing::Values(O_RDWR, O_RDWR | O_DIRECT));

TEST_P(Transfers, OfAnySizeAtAnyOffset) {
  const Bytes content = pattern((3u << 20) + 777);
  TestFile file(content, GetParam());
  for (const size_t size :
       {size_t{1}, size_t{511}, size_t{4096}, size_t{12288}, size_t{70001}, (size_t{2} << 20) + 13}) {
    for (const off_t fileOffset : {0, 1, 4096, 8191}) {
      for (const off_t bufferOffset : {0, 3, 4096}) {
        SCOPED_TRACE(testing::Message() << size << " bytes at " << fileOffset << " to " << bufferOffset);
        DeviceMemory memory(size + 8192);
        ASSERT_EQ(cuFileRead(file.handle, memory.pointer, size, fileOffset, bufferOffset),
                  static_cast<ssize_t>(size));
        Bytes expected(size + 8192, 0xee);
        std::copy_n(content.begin() + fileOffset, size, expected.begin() + bufferOffset);
        ASSERT_EQ(memory.get(), expected);
      }
    }
  }
}

TEST_P(Transfers, WrittenBytesAreInTheFile) {
  const Bytes before = pattern(100000, 5);
  for (const size_t size : {size_t{1}, size_t{4096}, size_t{50001}, size_t{1} << 20}) {
    for (const off_t fileOffset : {0, 5, 4096, 99999, 200000}) {
      SCOPED_TRACE(testing::Message() << size << " bytes at " << fileOffset);
      TestFile file(before, GetParam());
      DeviceMemory memory(size + 7);
      const Bytes given = pattern(size + 7, 9);
      memory.set(given);
      ASSERT_EQ(cuFileWrite(file.handle, memory.pointer, size, fileOffset, 7), static_cast<ssize_t>(size));
      Bytes expected = before;
      expected.resize(std::max(before.size(), static_cast<size_t>(fileOffset) + size));
      std::copy_n(given.begin() + 7, size, expected.begin() + fileOffset);
      ASSERT_EQ(file.content(), expected);
    }
  }
}

TEST_P(Transfers, ReadsEndWithTheFile) {
  TestFile file(pattern(10000), GetParam());
  DeviceMemory memory(65536);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 65536, 0, 0), 10000);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 4096, 8192, 0), 10000 - 8192);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 4096, 10000, 0), 0);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 4096, 1 << 30, 0), 0);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 0, 0, 0), 0);
}

TEST_P(Transfers, OtherKindsOfMemory) {
  const Bytes content = pattern(20000);
  TestFile file(content, GetParam());
  void *managed = nullptr, *pinned = nullptr;
  ASSERT_EQ(musaMallocManaged(&managed, 20000, musaMemAttachGlobal), musaSuccess);
  ASSERT_EQ(musaMallocHost(&pinned, 20000), musaSuccess);
  Bytes plain(20000);
  for (void* memory : {managed, pinned, static_cast<void*>(plain.data())}) {
    ASSERT_EQ(cuFileRead(file.handle, memory, 20000, 0, 0), 20000);
    EXPECT_EQ(std::memcmp(memory, content.data(), 20000), 0);
    std::memset(memory, 7, 20000);
    ASSERT_EQ(cuFileWrite(file.handle, memory, 99, 1, 5), 99);
    ASSERT_EQ(cuFileRead(file.handle, memory, 3, 99, 0), 3);
    EXPECT_EQ(static_cast<uint8_t*>(memory)[1 - 1], 7);
    EXPECT_EQ(static_cast<uint8_t*>(memory)[1], content[100]);
    ASSERT_EQ(pwrite(file.descriptor, content.data(), 0, 0), 0);
    DeviceMemory original(20000);
    original.set(content);
    ASSERT_EQ(cuFileWrite(file.handle, original.pointer, 20000, 0, 0), 20000);
  }
  EXPECT_EQ(musaFree(managed), musaSuccess);
  EXPECT_EQ(musaFreeHost(pinned), musaSuccess);
}

TEST(CuFile, Mistakes) {
  TestFile file(pattern(10000));
  DeviceMemory memory(8192);
  EXPECT_EQ(cuFileRead(nullptr, memory.pointer, 1, 0, 0), -CU_FILE_HANDLE_NOT_REGISTERED);
  EXPECT_EQ(cuFileRead(&file, memory.pointer, 1, 0, 0), -CU_FILE_HANDLE_NOT_REGISTERED);
  EXPECT_EQ(cuFileRead(file.handle, nullptr, 1, 0, 0), -CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 1, -1, 0), -CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 1, 0, -1), -CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 8193, 0, 0), -CU_FILE_CUDA_POINTER_RANGE_ERROR);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 1, 0, 8192), -CU_FILE_CUDA_POINTER_RANGE_ERROR);
  EXPECT_EQ(cuFileWrite(file.handle, memory.pointer, SIZE_MAX, 0, 1), -CU_FILE_CUDA_POINTER_RANGE_ERROR);
  EXPECT_EQ(memory.get(), Bytes(8192, 0xee));
  EXPECT_EQ(musaGetLastError(), musaSuccess);
  EXPECT_TRUE(IS_CUFILE_ERR(cuFileRead(nullptr, memory.pointer, 1, 0, 0)));
  EXPECT_STREQ(CUFILE_ERRSTR(-CU_FILE_HANDLE_NOT_REGISTERED), "the file is not registered");
  EXPECT_STREQ(CUFILE_ERRSTR(1), "unknown cuFile error");
}

TEST(CuFile, TheSystemsErrorsAreInErrno) {
  DeviceMemory memory(8192);
  TestFile readable(pattern(10000), O_RDONLY);
  errno = 0;
  EXPECT_EQ(cuFileWrite(readable.handle, memory.pointer, 10, 0, 0), -1);
  EXPECT_EQ(errno, EBADF);
  {
    TestFile closed(pattern(10000));
    close(closed.descriptor);
    closed.descriptor = -1;
    errno = 0;
    EXPECT_EQ(cuFileRead(closed.handle, memory.pointer, 10, 0, 0), -1);
    EXPECT_EQ(errno, EBADF);
  }
  TestFile file(pattern(10000));
  errno = 0;
  EXPECT_EQ(cuFileRead(file.handle, reinterpret_cast<void*>(64), 10, 0, 0), -1) << "memory that is not there";
  EXPECT_EQ(errno, EFAULT);
}

TEST(CuFile, HandlesAreOfFilesOnly) {
  CUfileDescr_t description{};
  CUfileHandle_t handle = nullptr;
  const auto registered = [&](CUfileFileHandleType type, int descriptor) {
    description.type = type;
    description.handle.fd = descriptor;
    return cuFileHandleRegister(&handle, &description).err;
  };
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  EXPECT_EQ(registered(CU_FILE_HANDLE_TYPE_OPAQUE_FD, pipes[0]), CU_FILE_INVALID_FILE_TYPE);
  EXPECT_EQ(registered(CU_FILE_HANDLE_TYPE_OPAQUE_FD, -1), CU_FILE_INVALID_FILE_TYPE);
  EXPECT_EQ(registered(CU_FILE_HANDLE_TYPE_OPAQUE_WIN32, pipes[0]), CU_FILE_PLATFORM_NOT_SUPPORTED);
  EXPECT_EQ(registered(CU_FILE_HANDLE_TYPE_USERSPACE_FS, pipes[0]), CU_FILE_IO_NOT_SUPPORTED);
  EXPECT_EQ(registered(static_cast<CUfileFileHandleType>(77), pipes[0]), CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileHandleRegister(nullptr, &description).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileHandleRegister(&handle, nullptr).err, CU_FILE_INVALID_VALUE);
  TestFile file(pattern(10));
  EXPECT_EQ(registered(CU_FILE_HANDLE_TYPE_OPAQUE_FD, file.descriptor), CU_FILE_HANDLE_ALREADY_REGISTERED);
  const int appended =
      ::open(("/proc/self/fd/" + std::to_string(file.descriptor)).c_str(), O_RDWR | O_APPEND);
  EXPECT_EQ(registered(CU_FILE_HANDLE_TYPE_OPAQUE_FD, appended), CU_FILE_INVALID_FILE_OPEN_FLAG);
  for (const int one : {pipes[0], pipes[1], appended}) close(one);
}

TEST(CuFile, RegisteredMemory) {
  DeviceMemory memory(1 << 20);
  EXPECT_EQ(cuFileBufRegister(nullptr, 1, 0).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, 0, 0).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, 1, 8).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, (1 << 20) + 1, 0).err, CU_FILE_CUDA_POINTER_RANGE_ERROR);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, 1 << 20, CU_FILE_RDMA_REGISTER).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, 4096, 0).err, CU_FILE_MEMORY_ALREADY_REGISTERED);
  TestFile file(pattern(5000));
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 5000, 0, 1), 5000);
  EXPECT_EQ(cuFileBufDeregister(memory.pointer).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileBufDeregister(memory.pointer).err, CU_FILE_INVALID_VALUE);
  ASSERT_EQ(cuFileDriverSetMaxPinnedMemSize(512).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, 1 << 20, 0).err, CU_FILE_GPU_MEMORY_PINNING_FAILED);
  EXPECT_EQ(cuFileBufRegister(memory.pointer, 512 << 10, 0).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileBufDeregister(memory.pointer).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverSetMaxPinnedMemSize(33554432).err, CU_FILE_SUCCESS);
}

TEST(CuFile, TheDriverCountsItsUses) {
  while (cuFileUseCount() > 0) ASSERT_EQ(cuFileDriverClose().err, CU_FILE_SUCCESS);
  CUfileDrvProps_t props{};
  EXPECT_EQ(cuFileDriverGetProperties(&props).err, CU_FILE_DRIVER_NOT_INITIALIZED);
  EXPECT_EQ(cuFileDriverClose().err, CU_FILE_DRIVER_NOT_INITIALIZED);
  EXPECT_EQ(cuFileDriverOpen().err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverOpen().err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileUseCount(), 2);
  ASSERT_EQ(cuFileDriverGetProperties(&props).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverGetProperties(nullptr).err, CU_FILE_INVALID_VALUE);
  EXPECT_EQ(props.nvfs.dcontrolflags, 1u << CU_FILE_ALLOW_COMPAT_MODE);
  EXPECT_EQ(props.nvfs.max_direct_io_size, 16384u);
  EXPECT_EQ(props.max_batch_io_size, 128u);
  EXPECT_EQ(cuFileDriverSetPollMode(true, 8).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverSetPollMode(true, 7).err, CU_FILE_DRIVER_UNSUPPORTED_LIMIT);
  EXPECT_EQ(cuFileDriverSetMaxDirectIOSize(1024).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverSetMaxDirectIOSize(0).err, CU_FILE_DRIVER_UNSUPPORTED_LIMIT);
  EXPECT_EQ(cuFileDriverSetMaxCacheSize(4096).err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverSetMaxCacheSize(512).err, CU_FILE_DRIVER_UNSUPPORTED_LIMIT);
  ASSERT_EQ(cuFileDriverGetProperties(&props).err, CU_FILE_SUCCESS);
  EXPECT_EQ(props.nvfs.dcontrolflags, 1u << CU_FILE_ALLOW_COMPAT_MODE | 1u << CU_FILE_USE_POLL_MODE);
  EXPECT_EQ(props.nvfs.poll_thresh_size, 8u);
  EXPECT_EQ(props.nvfs.max_direct_io_size, 1024u);
  EXPECT_EQ(props.max_device_cache_size, 4096u);
  int version = 0;
  EXPECT_EQ(cuFileGetVersion(&version).err, CU_FILE_SUCCESS);
  EXPECT_EQ(version, 1090);
  EXPECT_EQ(cuFileGetVersion(nullptr).err, CU_FILE_INVALID_VALUE);
  TestFile file(pattern(10));
  EXPECT_EQ(cuFileDriverClose().err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileDriverClose().err, CU_FILE_SUCCESS);
  EXPECT_EQ(cuFileUseCount(), 0);
  DeviceMemory memory(16);
  EXPECT_EQ(cuFileRead(file.handle, memory.pointer, 10, 0, 0), -CU_FILE_HANDLE_NOT_REGISTERED);
  // What needs the driver opens it.
  TestFile other(pattern(10));
  EXPECT_EQ(cuFileUseCount(), 1);
  EXPECT_EQ(cuFileRead(other.handle, memory.pointer, 10, 0, 0), 10);
}

TEST(CuFile, ThreadsShareAFile) {
  constexpr size_t kParts = 8, kPart = 300000;
  const Bytes content = pattern(kParts * kPart, 3);
  TestFile source(content), copy;
  std::vector<std::thread> threads;
  for (size_t part = 0; part < kParts; ++part) {
    threads.emplace_back([&, part] {
      DeviceMemory memory(kPart);
      const auto offset = static_cast<off_t>(part * kPart);
      EXPECT_EQ(cuFileRead(source.handle, memory.pointer, kPart, offset, 0), static_cast<ssize_t>(kPart));
      EXPECT_EQ(cuFileWrite(copy.handle, memory.pointer, kPart, offset, 0), static_cast<ssize_t>(kPart));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(copy.content(), content);
}

}  // namespace
}  // namespace musashim::cufile
