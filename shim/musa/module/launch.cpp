#include "musa/module/launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "musa/api/api_call.h"
#include "musa/api/driver.h"
#include "musa/graph/capture/capture.h"

namespace musashim::musa {
namespace {

using backend::DeviceProfile;

uint64_t volume(const MusaDim3& d) { return uint64_t{d.x} * d.y * d.z; }

bool within(const MusaDim3& d, const uint32_t (&limit)[3]) {
  return d.x - 1 < limit[0] && d.y - 1 < limit[1] && d.z - 1 < limit[2];  // 0 wraps around
}

Result checkCooperative(const Function& function, const LaunchRequest& request,
                        const DeviceProfile& profile) {
  MUSA_REQUIRE(profile.cooperativeLaunch, MUSA_ERROR_NOT_SUPPORTED, "the device has no cooperative launch");
  uint64_t fits = uint64_t{profile.multiprocessors} *
                  activeBlocks(function, static_cast<uint32_t>(volume(request.block)), request.sharedBytes);
  MUSA_REQUIRE(volume(request.grid) <= fits, MUSA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
               fmt::format("{} blocks, {} fit", volume(request.grid), fits));
  return {};
}

Result checkLaunch(const Function& function, const LaunchRequest& request) {
  const DeviceProfile& profile = function.context().device().profile();
  const auto& [grid, block] = std::tie(request.grid, request.block);
  MUSA_REQUIRE(within(grid, profile.maxGrid), MUSA_ERROR_INVALID_VALUE,
               fmt::format("a grid of {}x{}x{}", grid.x, grid.y, grid.z));
  MUSA_REQUIRE(within(block, profile.maxBlock) && volume(block) <= profile.maxThreadsPerBlock,
               MUSA_ERROR_INVALID_VALUE, fmt::format("a block of {}x{}x{}", block.x, block.y, block.z));
  MUSA_REQUIRE(
      volume(block) <= function.maxThreads(), MUSA_ERROR_INVALID_VALUE,
      fmt::format("{} threads, the kernel's launch bounds say {}", volume(block), function.maxThreads()));
  MUSA_REQUIRE(request.sharedBytes <= function.maxDynamicShared(), MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes of dynamic shared memory, the limit is {}", request.sharedBytes,
                           function.maxDynamicShared()));
  return request.cooperative ? checkCooperative(function, request, profile) : Result();
}

// The buffer of MU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE. Hardware takes a buffer that is too short
// as well, and reads beyond it; here what is missing is zero.
Result packExtra(void** extra, backend::ParamBuffer& params) {
  const void* buffer = nullptr;
  size_t size = 0;
  for (; *extra != MU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == MU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[1];
    } else if (*extra == MU_LAUNCH_PARAM_BUFFER_SIZE) {
      size = *static_cast<size_t*>(extra[1]);
    } else {
      return {MUSA_ERROR_INVALID_VALUE, "an unknown entry in extra"};
    }
  }
  MUSA_REQUIRE(buffer, MUSA_ERROR_INVALID_VALUE, "no buffer of parameters");
  size_t given = std::min(size, params.size());
  std::memcpy(params.data(), buffer, given);
  std::memset(params.data() + given, 0, params.size() - given);
  return {};
}

Result packParams(const MusaKernelInfo& info, const LaunchRequest& request, backend::ParamBuffer& params) {
  MUSA_REQUIRE(!(request.params && request.extra), MUSA_ERROR_INVALID_VALUE, "both kernelParams and extra");
  if (request.extra) return packExtra(request.extra, params);
  if (info.param_count == 0) return {};
  MUSA_REQUIRE(request.params, MUSA_ERROR_INVALID_VALUE, "no parameters");
  for (uint32_t i = 0; i < info.param_count; ++i) {
    std::memcpy(params.data() + info.params[i].offset, request.params[i], info.params[i].size);
  }
  return {};
}

bool launchBlocking() {
  static const bool blocking = [] {
    const char* value = std::getenv("MUSA_LAUNCH_BLOCKING");
    return value && std::strcmp(value, "1") == 0;
  }();
  return blocking;
}

}  // namespace

Result prepareLaunch(Function& function, const LaunchRequest& request, backend::KernelLaunch& command) {
  MUSA_TRY(checkLaunch(function, request));
  command.kernel = &function.kernel();
  command.grid = request.grid;
  command.block = request.block;
  command.dynamicSharedBytes = request.sharedBytes;
  command.cooperative = request.cooperative;
  command.params = backend::ParamBuffer(function.info().param_bytes);
  return packParams(function.info(), request, command.params);
}

Result launch(Function& function, Stream& stream, const LaunchRequest& request) {
  MUSA_REQUIRE(&function.context() == &stream.context(), MUSA_ERROR_INVALID_HANDLE,
               "function and stream belong to different contexts");
  backend::KernelLaunch command;
  Result prepared = prepareLaunch(function, request, command);
  if (!prepared.isOk()) [[unlikely]] {
    invalidateCapture(stream);
    return prepared;
  }
  if (stream.isCapturing()) [[unlikely]]
    return captureWork(stream, kernelWorkOf(function, request, command.params));
  backend::Fence fence = stream.submit(std::move(command));
  if (!launchBlocking()) [[likely]]
    return {};
  fence.queue->wait(fence.value);
  return finishSynchronization(stream.context());
}

uint32_t activeBlocks(const Function& function, uint32_t blockSize, size_t dynamicShared) {
  const DeviceProfile& p = function.context().device().profile();
  if (blockSize == 0 || blockSize > p.maxThreadsPerBlock || dynamicShared > function.maxDynamicShared()) {
    return 0;
  }
  uint32_t threads = (blockSize + p.warpSize - 1) / p.warpSize * p.warpSize;
  size_t blocks = std::min(p.maxBlocksPerMultiprocessor, p.maxThreadsPerMultiprocessor / threads);
  size_t shared = function.info().static_shared_bytes + dynamicShared;
  if (shared != 0) blocks = std::min(blocks, p.sharedBytesPerMultiprocessor / shared);
  return static_cast<uint32_t>(blocks);
}

}  // namespace musashim::musa
