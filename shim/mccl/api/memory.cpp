// Memory for communication, and its registration.
//
// What registering does is told in comm/registrations.h, what a window is in device/window.h.
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "mccl/api/entry.h"
#include "mccl/core/log.h"
#include "mccl/device/window.h"
#include "mccl/group/group.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

constexpr size_t kAlignment = MCCL_WIN_REQUIRED_ALIGNMENT;

// What musaMalloc gave, by what mcclMemAlloc made of it.
struct Allocations {
  std::mutex mutex;
  std::unordered_map<void*, void*> raw;
};

Allocations& allocations() {
  static Allocations* const kAllocations = new Allocations;
  return *kAllocations;
}

void* takeRaw(void* pointer) {
  std::lock_guard lock(allocations().mutex);
  auto node = allocations().raw.extract(pointer);
  return node.empty() ? pointer : node.mapped();
}

}  // namespace
}  // namespace musashim::mccl

using namespace musashim::mccl;

// Aligned so that a window can be made of it.
MCCL_API(mcclResult_t, mcclMemAlloc, (void** ptr, size_t size)) {
  // NCCL lets the runtime find out, and so reports the runtime's error.
  if (!ptr) return fail(mcclUnhandledMusaError, "MemAlloc : ptr argument is NULL");
  *ptr = nullptr;
  if (size == 0) return mcclSuccess;
  if (size > SIZE_MAX - kAlignment) return fail(mcclInvalidArgument, "MemAlloc : size {} is too large", size);
  void* raw = nullptr;
  const RelaxedCapture relaxed;
  MCCL_RETURN_IF_ERROR(checkMusa(musaMalloc(&raw, size + kAlignment), "musaMalloc"));
  const auto address = reinterpret_cast<uintptr_t>(raw);
  void* aligned = reinterpret_cast<void*>((address + kAlignment - 1) & ~(kAlignment - 1));
  std::lock_guard lock(allocations().mutex);
  allocations().raw.emplace(aligned, raw);
  *ptr = aligned;
  return mcclSuccess;
}
MCCL_END

// Also takes what musaMalloc gave, as NCCL does.
MCCL_API(mcclResult_t, mcclMemFree, (void* ptr)) {
  if (!ptr) return mcclSuccess;
  const RelaxedCapture relaxed;
  return checkMusa(musaFree(takeRaw(ptr)), "musaFree");
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommRegister, (const mcclComm_t comm, void* buff, size_t size, void** handle)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUpReady(comm, "CommRegister", member));
  MCCL_RETURN_IF_ERROR(checkNotNull(handle, "CommRegister", "handle"));
  MCCL_RETURN_IF_ERROR(checkNotNull(buff, "CommRegister", "buff"));
  *handle = member->registrations().addBuffer(buff, size);
  return mcclSuccess;
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommDeregister, (const mcclComm_t comm, void* handle)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommDeregister", member));
  if (!handle || member->registrations().removeBuffer(handle)) return mcclSuccess;
  return fail(mcclInvalidUsage, "CommDeregister : unknown handle {}", handle);
}
MCCL_END

// Collective. In a group, the window is there at its end.
MCCL_API(mcclResult_t, mcclCommWindowRegister,
         (mcclComm_t comm, void* buff, size_t size, mcclWindow_t* win, int winFlags)) {
  constexpr const char* kName = "CommWindowRegister";
  return groupCall([&](Group& group) -> mcclResult_t {
    std::shared_ptr<Member> member;
    MCCL_RETURN_IF_ERROR(lookUpReady(comm, kName, member));
    MCCL_RETURN_IF_ERROR(checkNotNull(win, kName, "win"));
    *win = nullptr;
    MCCL_RETURN_IF_ERROR(checkNotNull(buff, kName, "buff"));
    if (reinterpret_cast<uintptr_t>(buff) % kAlignment != 0) {
      return fail(mcclInvalidArgument, "{} : buffer {} is not aligned to {} bytes", kName, buff, kAlignment);
    }
    if (winFlags & ~MCCL_WIN_COLL_SYMMETRIC)
      return fail(mcclInvalidArgument, "{} : invalid flags {}", kName, winFlags);
    auto window = std::make_shared<Window>(*member, MemoryCard::kWindow, kName);
    group.add(JointCall{member, [=](int step) {
                          if (step == 0) return window->tell(buff, size, mcclSuccess);
                          if (step == 1) return window->map();
                          MCCL_RETURN_IF_ERROR(window->settle());
                          *win = window->handle();
                          member->registrations().keep(Registrations::kWindow, *win, window);
                          return mcclSuccess;
                        }});
    return mcclSuccess;
  });
}
MCCL_END

MCCL_API(mcclResult_t, mcclCommWindowDeregister, (mcclComm_t comm, mcclWindow_t win)) {
  std::shared_ptr<Member> member;
  MCCL_RETURN_IF_ERROR(lookUp(comm, "CommWindowDeregister", member));
  if (!win || member->registrations().take(Registrations::kWindow, win)) return mcclSuccess;
  return fail(mcclInvalidArgument, "CommWindowDeregister : unknown window {}", static_cast<void*>(win));
}
MCCL_END
