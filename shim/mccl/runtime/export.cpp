#include "mccl/runtime/export.h"

#include <musa.h>
#include <musa_runtime_api.h>

#include <cstring>

#include "mccl/core/log.h"
#include "mccl/runtime/attendant.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

static_assert(sizeof(musaIpcMemHandle_t) == kMemoryHandleBytes);

// The runtime interface has no call for the begin of an allocation; the driver's is reached through it.
using GetAddressRange = decltype(&muMemGetAddressRange);

GetAddressRange addressRangeCall() {
  static const GetAddressRange kCall = [] {
    void* call = nullptr;
    musaDriverEntryPointQueryResult found{};
    if (musaGetDriverEntryPoint("muMemGetAddressRange", &call, 0, &found) != musaSuccess) call = nullptr;
    (void)musaGetLastError();
    return reinterpret_cast<GetAddressRange>(call);
  }();
  return kCall;
}

// False when the memory cannot be handed to another process.
bool exportBuffer(Buffer& buffer) {
  musaIpcMemHandle_t handle;
  if (musaIpcGetMemHandle(&handle, buffer.pointer) != musaSuccess) {
    (void)musaGetLastError();
    return false;
  }
  MUdeviceptr base = 0;
  size_t size = 0;
  const auto address = reinterpret_cast<MUdeviceptr>(buffer.pointer);
  if (!addressRangeCall() || addressRangeCall()(&base, &size, address) != MUSA_SUCCESS) return false;
  std::memcpy(buffer.handle, &handle, sizeof handle);
  buffer.offset = address - base;
  buffer.exported = true;
  return true;
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
