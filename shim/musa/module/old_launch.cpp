#include "musa/module/old_launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "musa/api/driver.h"
#include "musa/context/context.h"
#include "musa/module/launch.h"

namespace musashim::musa {
namespace {

constexpr size_t kMaxParameterBytes = 4096;

}  // namespace

Result OldLaunch::setBlock(const Function& function, int x, int y, int z) {
  const uint32_t(&limit)[3] = function.context().device().profile().maxBlock;
  const auto fits = [](int size, uint32_t most) { return size > 0 && static_cast<uint32_t>(size) <= most; };
  MUSA_REQUIRE(fits(x, limit[0]) && fits(y, limit[1]) && fits(z, limit[2]) &&
                   int64_t{x} * y * z <= function.maxThreads(),
               MUSA_ERROR_INVALID_VALUE, fmt::format("a block of {}x{}x{}", x, y, z));
  std::lock_guard lock(mutex_);
  block_ = {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
  return {};
}

Result OldLaunch::setShared(const Function& function, unsigned int bytes) {
  MUSA_REQUIRE(
      bytes <= function.maxDynamicShared(), MUSA_ERROR_INVALID_VALUE,
      fmt::format("{} bytes of dynamic shared memory, the limit is {}", bytes, function.maxDynamicShared()));
  std::lock_guard lock(mutex_);
  shared_ = bytes;
  return {};
}

Result OldLaunch::setSize(unsigned int bytes) {
  MUSA_REQUIRE(bytes <= kMaxParameterBytes, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes of parameters, the limit is {}", bytes, kMaxParameterBytes));
  std::lock_guard lock(mutex_);
  size_ = bytes;
  return {};
}

Result OldLaunch::setBytes(int offset, const void* bytes, size_t count) {
  MUSA_REQUIRE(bytes, MUSA_ERROR_INVALID_VALUE, "null pointer");
  MUSA_REQUIRE(offset >= 0 && static_cast<size_t>(offset) + count <= kMaxParameterBytes,
               MUSA_ERROR_INVALID_VALUE, fmt::format("{} bytes at {} of the parameters", count, offset));
  std::lock_guard lock(mutex_);
  if (parameters_.size() < static_cast<size_t>(offset) + count)
    parameters_.resize(static_cast<size_t>(offset) + count);
  std::memcpy(parameters_.data() + offset, bytes, count);
  return {};
}

Result OldLaunch::launch(Function& function, Stream& stream, int width, int height) {
  MUSA_REQUIRE(width > 0 && height > 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("a grid of {}x{}", width, height));
  std::lock_guard lock(mutex_);
  parameters_.resize(std::max(parameters_.size(), size_));
  size_t size = size_;
  void* extra[] = {MU_LAUNCH_PARAM_BUFFER_POINTER, parameters_.data(), MU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   MU_LAUNCH_PARAM_END};
  const LaunchRequest request{.grid = {static_cast<uint32_t>(width), static_cast<uint32_t>(height), 1},
                              .block = block_,
                              .sharedBytes = shared_,
                              .extra = parameters_.empty() ? nullptr : extra};
  return musa::launch(function, stream, request);
}

}  // namespace musashim::musa
