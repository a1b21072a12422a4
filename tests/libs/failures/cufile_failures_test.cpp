// libcufile for want of memory: its entries return a status, and a queued transfer ends with one.
#include <functional>
#include <set>

#include "cufile/support.h"
#include "failures/refusals.h"

namespace musashim::test {
namespace {

using cufile::DeviceMemory;
using cufile::TestFile;

constexpr size_t kBytes = 70001;

struct Transfers {
  TestFile file{cufile::pattern(2 * kBytes)};
  DeviceMemory memory{2 * kBytes};
};

struct Call {
  const char* name;
  std::function<int(Transfers&)> make;  // a CUfileOpError, 0 for what has been done
};

int registerFile(Transfers& on) {
  CUfileDescr_t description{};
  description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
  description.handle.fd = dup(on.file.descriptor);
  CUfileHandle_t handle = nullptr;
  const CUfileOpError error = cuFileHandleRegister(&handle, &description).err;
  if (error == CU_FILE_SUCCESS) cuFileHandleDeregister(handle);
  close(description.handle.fd);
  return error;
}

int registerBuffer(Transfers& on) {
  const CUfileOpError error = cuFileBufRegister(on.memory.pointer, kBytes, 0).err;
  return error != CU_FILE_SUCCESS ? error : cuFileBufDeregister(on.memory.pointer).err;
}

// -1 and errno, or the negative of an error.
int transferred(ssize_t bytes) { return bytes == static_cast<ssize_t>(kBytes) ? 0 : CU_FILE_INTERNAL_ERROR; }

int queueRead(Transfers& on) {
  size_t size = kBytes;
  off_t zero = 0;
  ssize_t bytes = 0;
  const CUfileOpError error =
      cuFileReadAsync(on.file.handle, on.memory.pointer, &size, &zero, &zero, &bytes, nullptr).err;
  EXPECT_EQ(musaStreamSynchronize(nullptr), musaSuccess);
  return error != CU_FILE_SUCCESS ? error : transferred(bytes);
}

int submitBatch(Transfers& on) {
  CUfileBatchHandle_t batch = nullptr;
  CUfileOpError error = cuFileBatchIOSetUp(&batch, 1).err;
  if (error != CU_FILE_SUCCESS) return error;
  CUfileIOParams_t params{};
  params.mode = CUFILE_BATCH;
  params.u.batch = {on.memory.pointer, 0, 0, kBytes};
  params.fh = on.file.handle;
  params.opcode = CUFILE_READ;
  error = cuFileBatchIOSubmit(batch, 1, &params, 0).err;
  cuFileBatchIODestroy(batch);
  return error;
}

const Call kCalls[] = {
    {"cuFileHandleRegister", registerFile},
    {"cuFileBufRegister", registerBuffer},
    {"cuFileRead",
     [](Transfers& on) { return transferred(cuFileRead(on.file.handle, on.memory.pointer, kBytes, 0, 0)); }},
    {"cuFileWrite",
     [](Transfers& on) { return transferred(cuFileWrite(on.file.handle, on.memory.pointer, kBytes, 0, 0)); }},
    {"cuFileReadAsync", queueRead},
    {"cuFileBatchIOSubmit", submitBatch},
};

TEST(CufileFailures, EntriesTellOfMissingMemory) {
  const std::set<int> failures{CU_FILE_INTERNAL_ERROR, CU_FILE_CUDA_DRIVER_ERROR};
  std::set<int> seen;
  Transfers on;
  for (const Call& call : kCalls) {
    ASSERT_EQ(call.make(on), 0) << call.name;
    for (long n = 0;; ++n) {
      ASSERT_LT(n, 1000) << call.name;
      int status = 0;
      bool refused = false;
      {
        const RefuseOne refusal(n);
        status = call.make(on);
        refused = refusal.hasRefused();
      }
      if (!refused) {
        EXPECT_EQ(status, 0) << call.name;
        break;
      }
      if (status != 0) seen.insert(status);
      EXPECT_TRUE(status == 0 || failures.contains(status))
          << call.name << ": status " << status << ", " << n;
      EXPECT_EQ(musaDeviceSynchronize(), musaSuccess) << call.name << ", " << n;
    }
  }
  EXPECT_TRUE(seen.contains(CU_FILE_INTERNAL_ERROR));
}

TEST(CufileFailures, WhatElseIsThrownIsAnInternalError) {
  Transfers on;
  ASSERT_EQ(registerFile(on), 0);
  const RefuseOne refusal(0, Thrown::kOther);
  EXPECT_EQ(registerFile(on), CU_FILE_INTERNAL_ERROR);
  EXPECT_TRUE(refusal.hasRefused());
}

}  // namespace
}  // namespace musashim::test
