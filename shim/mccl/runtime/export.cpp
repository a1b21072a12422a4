#include "mccl/runtime/export.h"

#include <musa_runtime_api.h>

#include <array>
#include <cstring>

#include "mccl/core/log.h"
#include "mccl/runtime/attendant.h"
#include "mccl/runtime/driver_calls.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

static_assert(sizeof(musaIpcMemHandle_t) == kMemoryHandleBytes);

// An allocation that has been handed over. Its number is never used again, so this stays right when it is
// freed and another one has its addresses.
struct Exported {
  unsigned long long number = 0;
  MUdeviceptr base = 0;
  musaIpcMemHandle_t handle{};
};

// False when the memory cannot be handed to another process.
bool exportAllocation(MUdeviceptr address, Exported& exported) {
  if (musaIpcGetMemHandle(&exported.handle, reinterpret_cast<void*>(address)) != musaSuccess) {
    (void)musaGetLastError();
    return false;
  }
  size_t size = 0;
  return driverCalls().addressRange &&
         driverCalls().addressRange(&exported.base, &size, address) == MUSA_SUCCESS;
}

mcclResult_t exportOrStage(Buffer& buffer, size_t bytes, bool isRead, bool isWritten, Staging& staging) {
  if (!buffer.pointer || bytes == 0 || exportBuffer(buffer)) return mcclSuccess;
  void* standIn = nullptr;
  MCCL_RETURN_IF_ERROR(staging.add(buffer.pointer, bytes, isRead, isWritten, standIn));
  buffer = Buffer(standIn);
  if (exportBuffer(buffer)) return mcclSuccess;
  return fail(mcclSystemError, "device memory cannot be handed to another process");
}

}  // namespace

bool exportBuffer(Buffer& buffer) {
  constexpr size_t kKept = 64;
  static thread_local std::array<Exported, kKept> kept;  // by number
  const auto address = reinterpret_cast<MUdeviceptr>(buffer.pointer);
  unsigned long long number = 0;
  const auto pointerAttribute = driverCalls().pointerAttribute;
  const bool isNumbered =
      pointerAttribute &&
      pointerAttribute(&number, MU_POINTER_ATTRIBUTE_BUFFER_ID, address) == MUSA_SUCCESS && number != 0;
  Exported& exported = kept[number % kKept];
  if (!isNumbered || exported.number != number) {
    exported.number = 0;
    if (!exportAllocation(address, exported)) return false;
    exported.number = number;
  }
  std::memcpy(buffer.handle, &exported.handle, sizeof exported.handle);
  buffer.offset = address - exported.base;
  buffer.exported = true;
  return true;
}

Staging::~Staging() {
  for (const Copy& copy : copies_) {
    Attendant::post(Attendant::kCleanUp, [memory = copy.standIn] { (void)musaFree(memory); });
  }
}

mcclResult_t Staging::add(void* original, size_t bytes, bool isRead, bool isWritten, void*& standIn) {
  for (Copy& copy : copies_) {
    if (copy.original != original || copy.bytes != bytes) continue;
    copy.isRead = copy.isRead || isRead;
    copy.isWritten = copy.isWritten || isWritten;
    standIn = copy.standIn;
    return mcclSuccess;
  }
  MCCL_RETURN_IF_ERROR(checkMusa(musaMalloc(&standIn, bytes), "musaMalloc"));
  copies_.push_back({original, standIn, bytes, isRead, isWritten});
  return mcclSuccess;
}

void Staging::fill() {
  for (const Copy& copy : copies_) {
    if (copy.isRead) std::memcpy(copy.standIn, copy.original, copy.bytes);
  }
}

void Staging::drain() {
  for (const Copy& copy : copies_) {
    if (copy.isWritten) std::memcpy(copy.original, copy.standIn, copy.bytes);
  }
}

mcclResult_t exportBuffers(Work& work, Staging& staging) {
  const RelaxedCapture relaxed;  // memory of our own is none of the capture's affairs
  const int rank = work.member->rank(), ranks = work.member->ranks();
  for (CollectiveTask& task : work.collectives) {
    if (readsSendBuffer(task, rank)) {
      MCCL_RETURN_IF_ERROR(exportOrStage(task.send, sendBytes(task, ranks), true, false, staging));
    }
    if (writesRecvBuffer(task, rank)) {
      MCCL_RETURN_IF_ERROR(exportOrStage(task.recv, recvBytes(task, ranks), false, true, staging));
    }
  }
  for (TransferTask& task : work.transfers) {
    MCCL_RETURN_IF_ERROR(exportOrStage(task.buffer, task.bytes(), task.isSend, !task.isSend, staging));
  }
  return mcclSuccess;
}

}  // namespace musashim::mccl
