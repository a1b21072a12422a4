// Files and device memory for the tests of libcufile.
#pragma once

#include <cufile.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <musa_runtime_api.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace musashim::cufile {

using Bytes = std::vector<uint8_t>;

inline Bytes pattern(size_t size, unsigned seed = 1) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>((i * 2654435761u + seed) >> 7);
  return bytes;
}

// A file of a temporary folder, registered; gone at the end of the scope.
class TestFile {
 public:
  explicit TestFile(const Bytes& content = {}, int flags = O_RDWR) {
    std::string path = testing::TempDir() + "cufile-XXXXXX";
    const int made = mkstemp(path.data());
    EXPECT_GE(made, 0);
    EXPECT_EQ(::write(made, content.data(), content.size()), static_cast<ssize_t>(content.size()));
    close(made);
    descriptor = ::open(path.c_str(), flags);
    EXPECT_GE(descriptor, 0) << path;
    unlink(path.c_str());
    CUfileDescr_t description{};
    description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = descriptor;
    EXPECT_EQ(cuFileHandleRegister(&handle, &description).err, CU_FILE_SUCCESS);
  }
  ~TestFile() {
    cuFileHandleDeregister(handle);
    if (descriptor >= 0) close(descriptor);
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  Bytes content() const {
    Bytes bytes(static_cast<size_t>(lseek(descriptor, 0, SEEK_END)));
    const int plain = ::open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_RDONLY);
    EXPECT_EQ(pread(plain, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    close(plain);
    return bytes;
  }

  int descriptor = -1;
  CUfileHandle_t handle = nullptr;
};

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t size) : size_(size) {
    EXPECT_EQ(musaMalloc(&pointer, size), musaSuccess);
    EXPECT_EQ(musaMemset(pointer, 0xee, size), musaSuccess);
    EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << "cuFileRead is in no stream's order";
  }
  ~DeviceMemory() { (void)musaFree(pointer); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  void set(const Bytes& bytes) {
    EXPECT_EQ(musaMemcpy(pointer, bytes.data(), bytes.size(), musaMemcpyHostToDevice), musaSuccess);
  }
  Bytes get() const {
    Bytes bytes(size_);
    EXPECT_EQ(musaMemcpy(bytes.data(), pointer, size_, musaMemcpyDeviceToHost), musaSuccess);
    return bytes;
  }

  void* pointer = nullptr;

 private:
  const size_t size_;
};

}  // namespace musashim::cufile
