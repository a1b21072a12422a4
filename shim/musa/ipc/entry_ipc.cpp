// Memory and events of other processes.
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <mutex>

#include "musa/api/api_call.h"

using namespace musashim::musa;
using musashim::Status;
using musashim::StatusCode;
namespace backend = musashim::backend;

namespace {

// Opening and closing, so that the table of allocations knows a mapping exactly while it exists.
std::mutex openMutex;

template <class Handle>
backend::ShareTicket ticketOf(const Handle& handle) {
  static_assert(sizeof handle == sizeof(backend::ShareTicket));
  backend::ShareTicket ticket;
  memcpy(ticket.bytes, &handle, sizeof handle);
  return ticket;
}

// What a handle names may be gone with its process.
Result opened(const Status& status) {
  if (status.code() == StatusCode::kNotFound) return {MUSA_ERROR_INVALID_HANDLE, status.message()};
  return status;
}

Result openMemory(Context& context, const backend::ShareTicket& ticket, MUdeviceptr& address) {
  std::lock_guard lock(openMutex);
  backend::OpenedMemory memory;
  MUSA_TRY(opened(driver().backend().openMemory(ticket, memory)));
  address = toDevicePtr(memory.base);
  if (driver().allocations().find(address)) return {};  // opened before
  // Of a device that is hidden from this process: the memory counts as the current device's.
  DeviceState* owner = driver().deviceOfBackend(memory.device);
  if (!owner) owner = &context.device();
  driver().allocations().insert({.base = address,
                                 .size = memory.bytes,
                                 .kind = MemoryKind::kDevice,
                                 .context = &context,
                                 // As hardware has it: that of whoever opens it.
                                 .device = context.device().ordinal(),
                                 .imported = true});
  return {};
}

}  // namespace

extern "C" {

MUresult muIpcGetMemHandle(MUipcMemHandle* pHandle, MUdeviceptr dptr) {
  return apiCall(
      "muIpcGetMemHandle",
      [&]() -> Result {
        MUSA_REQUIRE(pHandle, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        auto allocation = driver().allocations().find(dptr);
        bool shareable = allocation && allocation->kind == MemoryKind::kDevice && !allocation->imported &&
                         !allocation->pooled && !allocation->mapped;
        MUSA_REQUIRE(shareable, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("{:#x} is not in an allocation of muMemAlloc", dptr));
        backend::ShareTicket ticket;
        MUSA_TRY(allocation->context->device().backend().shareMemory(
            reinterpret_cast<void*>(allocation->base), allocation->size, ticket));
        memcpy(pHandle, ticket.bytes, sizeof *pHandle);
        return {};
      },
      pHandle, dptr);
}

MUresult muIpcOpenMemHandle(MUdeviceptr* pdptr, MUipcMemHandle handle, unsigned int Flags) {
  return apiCall(
      "muIpcOpenMemHandle",
      [&]() -> Result {
        MUSA_REQUIRE(pdptr && Flags == MU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("null pointer, or flags {:#x}", Flags));
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        return openMemory(*context, ticketOf(handle), *pdptr);
      },
      pdptr, Flags);
}

MUresult muIpcCloseMemHandle(MUdeviceptr dptr) {
  return apiCall(
      "muIpcCloseMemHandle",
      [&]() -> Result {
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        auto allocation = driver().allocations().find(dptr);
        MUSA_REQUIRE(allocation && allocation->imported && allocation->base == dptr, MUSA_ERROR_INVALID_VALUE,
                     fmt::format("{:#x} was not opened", dptr));
        driver().synchronizeContexts(nullptr);
        std::lock_guard lock(openMutex);
        bool last = false;
        MUSA_TRY(driver().backend().closeMemory(toPointer(dptr), last));
        if (last) driver().allocations().erase(dptr);
        return {};
      },
      dptr);
}

MUresult muIpcGetEventHandle(MUipcEventHandle* pHandle, MUevent event) {
  return apiCall(
      "muIpcGetEventHandle",
      [&]() -> Result {
        MUSA_REQUIRE(pHandle, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Event* found = nullptr;
        MUSA_TRY(findEvent(event, found));
        MUSA_REQUIRE(found->shared(), MUSA_ERROR_INVALID_HANDLE,
                     "the event was not made for several processes");
        backend::ShareTicket ticket = found->shared()->ticket();
        memcpy(pHandle, ticket.bytes, sizeof *pHandle);
        return {};
      },
      pHandle, event);
}

MUresult muIpcOpenEventHandle(MUevent* phEvent, MUipcEventHandle handle) {
  return apiCall(
      "muIpcOpenEventHandle",
      [&]() -> Result {
        MUSA_REQUIRE(phEvent, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Context* context = nullptr;
        MUSA_TRY(currentContext(context));
        std::unique_ptr<backend::SharedEvent> shared;
        MUSA_TRY(opened(driver().backend().openSharedEvent(ticketOf(handle), shared)));
        Event* event = driver().events.create(*context, MU_EVENT_DISABLE_TIMING | MU_EVENT_INTERPROCESS,
                                              std::move(shared));
        context->addEvent(event);
        *phEvent = reinterpret_cast<MUevent>(event);
        return {};
      },
      phEvent);
}

}  // extern "C"
