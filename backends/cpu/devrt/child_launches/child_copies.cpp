// Copies and fills that device code asks for: grids of one block, in order with those it launches.
#include <cstring>

#include "cpu/devrt/control.h"

namespace musashim::devrt {
namespace {

struct CopyParams {
  std::byte* to;
  const std::byte* from;
  uint64_t toPitch, fromPitch, width, height;
};
struct FillParams {
  std::byte* to;
  uint64_t pitch, width, height;
  int32_t value;
};

void copyRows(const MusaBlockContext* block) {
  const auto& rows = *static_cast<const CopyParams*>(block->params);
  for (uint64_t y = 0; y < rows.height; ++y)
    std::memmove(rows.to + y * rows.toPitch, rows.from + y * rows.fromPitch, rows.width);
}

void fillRows(const MusaBlockContext* block) {
  const auto& rows = *static_cast<const FillParams*>(block->params);
  for (uint64_t y = 0; y < rows.height; ++y) std::memset(rows.to + y * rows.pitch, rows.value, rows.width);
}

constexpr MusaParamInfo kCopyParams[] = {{0, sizeof(CopyParams)}};
constexpr MusaParamInfo kFillParams[] = {{0, sizeof(FillParams)}};
constexpr MusaKernelInfo kCopy = {
    "musaMemcpyAsync", copyRows, kCopyParams, 1, sizeof(CopyParams), 0, 0, 0, 0, nullptr};
constexpr MusaKernelInfo kFill = {
    "musaMemsetAsync", fillRows, kFillParams, 1, sizeof(FillParams), 0, 0, 0, 0, nullptr};

int32_t enqueue(const MusaKernelInfo& kernel, const void* params, uint64_t stream) {
  const auto* bytes = static_cast<const std::byte*>(params);
  ChildLaunch launch{&kernel, {1, 1, 1}, {1, 1, 1}, 0, {bytes, bytes + kernel.param_bytes}};
  const auto* state = static_cast<const GridState*>(__musa_thread.block->grid_state);
  return state->children->add(std::move(launch), stream);
}

}  // namespace
}  // namespace musashim::devrt

extern "C" {

MUSADEVRT_API int32_t __musa_device_copy(void* to, uint64_t to_pitch, const void* from, uint64_t from_pitch,
                                         uint64_t width, uint64_t height, uint64_t stream) {
  using namespace musashim::devrt;
  const CopyParams params{
      static_cast<std::byte*>(to), static_cast<const std::byte*>(from), to_pitch, from_pitch, width, height};
  return enqueue(kCopy, &params, stream);
}

MUSADEVRT_API int32_t __musa_device_fill(void* to, uint64_t pitch, int32_t value, uint64_t width,
                                         uint64_t height, uint64_t stream) {
  using namespace musashim::devrt;
  const FillParams params{static_cast<std::byte*>(to), pitch, width, height, value};
  return enqueue(kFill, &params, stream);
}
}
