#include "musa/memory/copy/copy.h"

#include <fmt/core.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "musa/api/api_call.h"
#include "musa/api/driver.h"
#include "musa/graph/capture/capture.h"
#include "musa/memory/extent.h"

namespace musashim::musa {
namespace {

// CUDA copies pageable sources of up to 64 KiB into its own buffer and returns.
constexpr size_t kStagingLimit = 64 << 10;

// Bytes from the first to the last one a strided access touches.
size_t extentOf(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) {
  if (width == 0 || height == 0 || depth == 0) return 0;
  return addSaturated(addSaturated(multiplySaturated(depth - 1, slice), multiplySaturated(height - 1, pitch)),
                      width);
}

// Fails when [pointer, pointer + bytes) leaves the allocation it starts in, or is not
// what `side` says. Gives the kind of memory it is.
Result checkRange(const void* pointer, size_t bytes, Side side, const char* what, MemoryKind& kind) {
  auto address = reinterpret_cast<uintptr_t>(pointer);
  MUSA_REQUIRE(pointer, MUSA_ERROR_INVALID_VALUE, fmt::format("{} is null", what));
  MUSA_REQUIRE(bytes <= UINTPTR_MAX - address, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes at {} {} leave the address space", bytes, what, pointer));
  std::optional<Allocation> allocation = driver().allocations().find(address);
  if (!allocation) {
    kind = MemoryKind::kPageable;
    MUSA_REQUIRE(side != Side::kDevice, MUSA_ERROR_INVALID_VALUE,
                 fmt::format("{} {} is no device memory", what, pointer));
    return {};
  }
  kind = allocation->kind;
  bool fits = driver().allocations().contains(*allocation, address, bytes);
  // Beyond registered memory there may be more ordinary memory.
  MUSA_REQUIRE(
      fits || allocation->kind == MemoryKind::kRegistered, MUSA_ERROR_INVALID_VALUE,
      fmt::format("{} bytes at {} {} leave its allocation of {}", bytes, what, pointer, allocation->size));
  if (!fits) kind = MemoryKind::kPageable;
  return {};
}

// A device fills its own memory, the host's, and that of peers it has access to.
Result checkReach(const Context& context, const void* pointer) {
  auto allocation = driver().allocations().find(reinterpret_cast<uintptr_t>(pointer));
  bool reached = !allocation || !allocation->isDevice() ||
                 &allocation->context->device() == &context.device() || context.hasPeer(*allocation->context);
  MUSA_REQUIRE(reached, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} is memory of another device without peer access", pointer));
  return {};
}

struct CopyPlan {
  MemoryKind dst = MemoryKind::kPageable;
  MemoryKind src = MemoryKind::kPageable;
  bool empty = false;

  static bool isDevice(MemoryKind kind) {
    return kind == MemoryKind::kDevice || kind == MemoryKind::kVariable;
  }
  bool betweenDevices() const { return isDevice(dst) && isDevice(src); }
};

Result plan(const CopyRequest& request, CopyPlan& result) {
  const backend::Copy& c = request.copy;
  size_t dstBytes = extentOf(c.width, c.height, c.depth, c.dstPitch, c.dstSlice);
  size_t srcBytes = extentOf(c.width, c.height, c.depth, c.srcPitch, c.srcSlice);
  result.empty = dstBytes == 0;
  if (result.empty) return {};
  MUSA_TRY(checkRange(c.dst, dstBytes, request.dst, "dst", result.dst));
  return checkRange(c.src, srcBytes, request.src, "src", result.src);
}

// The source's bytes without gaps, and a copy that reads them from there.
std::shared_ptr<std::byte[]> stage(backend::Copy& copy) {
  std::shared_ptr<std::byte[]> buffer(new std::byte[copy.width * copy.height * copy.depth]);
  std::byte* to = buffer.get();
  for (size_t z = 0; z < copy.depth; ++z) {
    for (size_t y = 0; y < copy.height; ++y, to += copy.width) {
      const auto* from = static_cast<const std::byte*>(copy.src) + z * copy.srcSlice + y * copy.srcPitch;
      std::memcpy(to, from, copy.width);
    }
  }
  copy.src = buffer.get();
  copy.srcPitch = copy.width;
  copy.srcSlice = copy.width * copy.height;
  return buffer;
}

Result waitFor(const backend::Fence& fence, Context& context) {
  fence.queue->wait(fence.value);
  return finishSynchronization(context);
}

// What a call leaves to the device although it is no asynchronous one. Hardware has done that little, where
// nothing stands before it, about when the call returns, and programs count on it: another device may write
// to the same place after a barrier of the host. So the caller does it.
class ShortWork {
 public:
  ShortWork(Stream& stream, size_t bytes) : isAtOnce_(bytes <= kMostBytes && stream.isCaughtUp()) {}
  Result submitted(const backend::Fence& fence) const {
    if (isAtOnce_) fence.queue->wait(fence.value);
    return {};
  }

 private:
  static constexpr size_t kMostBytes = 64 << 10;
  bool isAtOnce_;
};

}  // namespace

Result checkCopy(const CopyRequest& request) {
  CopyPlan sides;
  return plan(request, sides);
}

Result copySynchronously(Context& context, const CopyRequest& request) {
  CopyPlan sides;
  MUSA_TRY(plan(request, sides));
  Stream& stream = context.legacyStream();
  if (sides.empty) return {};
  const backend::Copy& copy = request.copy;
  const ShortWork shortWork(stream, copy.width * copy.height * copy.depth);
  backend::Fence fence = stream.submit(copy);
  return sides.betweenDevices() ? shortWork.submitted(fence) : waitFor(fence, context);
}

Result copyAsynchronously(Stream& stream, const CopyRequest& request, ReadSource when) {
  CopyPlan sides;
  MUSA_TRY(plan(request, sides));
  if (sides.empty) return {};
  backend::Copy copy = request.copy;
  if (stream.isCapturing()) {  // pageable memory is looked at by each launch
    return captureWork(stream, CopyWork{stream.context(), copy, describe(copy)});
  }
  bool readsPageable = sides.src == MemoryKind::kPageable;
  bool writesPageable = sides.dst == MemoryKind::kPageable;
  const bool small = copy.width * copy.height * copy.depth <= kStagingLimit;
  if (when == ReadSource::kNow || (readsPageable && !writesPageable && small)) {
    std::shared_ptr<std::byte[]> buffer = stage(copy);
    stream.submitKeeping(copy, std::move(buffer));
    return writesPageable ? waitFor(stream.frontier(), stream.context()) : Result();
  }
  backend::Fence fence = stream.submit(copy);
  return readsPageable || writesPageable ? waitFor(fence, stream.context()) : Result();
}

Result copyBetweenContexts(Context& current, Context& dst, Context& src, const CopyRequest& request) {
  CopyPlan sides;
  MUSA_TRY(plan(request, sides));
  if (sides.empty) return {};
  std::vector<backend::Fence> before;
  for (Context* other : {&dst, &src}) {
    if (other != &current) before.push_back(other->legacyStream().frontier());
  }
  backend::Fence fence = current.legacyStream().submit(request.copy, before);
  for (Context* other : {&dst, &src}) {
    if (other != &current) other->legacyStream().join(fence);
  }
  return sides.betweenDevices() ? Result() : waitFor(fence, current);
}

namespace {

Result checkFill(const Context& context, const backend::Fill& fill, MemoryKind& kind) {
  auto address = reinterpret_cast<uintptr_t>(fill.dst);
  MUSA_REQUIRE(address % fill.elementBytes == 0 && fill.pitch % fill.elementBytes == 0,
               MUSA_ERROR_INVALID_VALUE, "not aligned to the element");
  const size_t row = multiplySaturated(fill.width, fill.elementBytes);
  MUSA_REQUIRE(fill.height == 1 || fill.pitch >= row, MUSA_ERROR_INVALID_VALUE,
               "the pitch is smaller than a row");
  MUSA_TRY(checkReach(context, fill.dst));
  return checkRange(fill.dst, extentOf(row, fill.height, 1, fill.pitch, 0), Side::kDevice, "dst", kind);
}

}  // namespace

Result checkFill(const Context& context, const backend::Fill& fill) {
  MemoryKind kind;
  return checkFill(context, fill, kind);
}

Result fill(Stream& stream, const backend::Fill& fill, bool synchronous) {
  if (fill.width == 0 || fill.height == 0) return {};
  MemoryKind kind;
  MUSA_TRY(checkFill(stream.context(), fill, kind));
  if (stream.isCapturing()) return captureWork(stream, FillWork{stream.context(), fill, describe(fill)});
  const ShortWork shortWork(stream, fill.width * fill.elementBytes * fill.height);
  backend::Fence fence = stream.submit(fill);
  if (!synchronous) return {};
  return CopyPlan::isDevice(kind) ? shortWork.submitted(fence) : waitFor(fence, stream.context());
}

}  // namespace musashim::musa
