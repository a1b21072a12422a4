#include "torch_musa/csrc/core/Device.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "torch_musa/csrc/core/Older.h"

namespace c10::musa {
namespace {

// Streams are never destroyed: tensors and works may know their ids for ever.
struct Streams {
  std::mutex mutex;
  std::vector<musaStream_t> all{nullptr};    // by id
  std::vector<std::vector<StreamId>> pools;  // by device
  std::vector<std::size_t> next;
};

Streams& streams() {
  static Streams* const kStreams = new Streams;
  return *kStreams;
}

thread_local std::array<StreamId, 64> tCurrent{};

StreamId create(DeviceIndex device, int priority) {
  const DeviceScope scope(device);
  musaStream_t stream = nullptr;
  C10_MUSA_CHECK(musaStreamCreateWithPriority(&stream, musaStreamNonBlocking, priority));
  Streams& all = streams();
  all.all.push_back(stream);
  return static_cast<StreamId>(all.all.size() - 1);
}

std::atomic<bool> theUse{false};
std::atomic<bool> theForkedUse{false};  // the parent had used a device before this process was forked

void beginUse() {
  if (theForkedUse.load(std::memory_order_relaxed)) [[unlikely]]
    TORCH_CHECK(false,
                "Cannot re-initialize MUSA in forked subprocess. To use MUSA with multiprocessing, you must "
                "use the 'spawn' "
                "start method");
  if (theUse.load(std::memory_order_relaxed)) return;
  if (!theUse.exchange(true)) pthread_atfork(nullptr, nullptr, [] { theForkedUse = true; });
}

}  // namespace

void throwError(musaError_t error, const char* expression) {
  const std::string text = c10::str("MUSA error: ", musaGetErrorString(error), " (", expression, ")");
#if TORCH_MUSA_AT_LEAST(8)
  throw AcceleratorError({__func__, __FILE__, static_cast<std::uint32_t>(__LINE__)},
                         static_cast<std::int32_t>(error), text);
#else
  TORCH_CHECK(false, text);
#endif
}

bool used() noexcept { return theUse.load() && !theForkedUse.load(); }

bool usedBeforeFork() noexcept { return theForkedUse.load(); }

DeviceIndex device_count() noexcept {
  int count = 0;
  if (musaGetDeviceCount(&count) != musaSuccess) {
    (void)musaGetLastError();
    return 0;
  }
  return static_cast<DeviceIndex>(std::min(count, 64));
}

DeviceIndex current_device() {
  beginUse();
  int device = 0;
  C10_MUSA_CHECK(musaGetDevice(&device));
  return static_cast<DeviceIndex>(device);
}

void set_device(DeviceIndex device) {
  beginUse();
  C10_MUSA_CHECK(musaSetDevice(device));
}

musaStream_t nativeStream(const Stream& stream) {
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  const auto id = static_cast<std::size_t>(stream.id());
  TORCH_CHECK(id < all.all.size(), "there is no MUSA stream of the id ", stream.id());
  return all.all[id];
}

Stream currentStream(DeviceIndex device) {
  if (device < 0) device = current_device();
  return Stream(Stream::UNSAFE, {kDevice, device}, tCurrent.at(static_cast<std::size_t>(device)));
}

void setCurrentStream(const Stream& stream) {
  tCurrent.at(static_cast<std::size_t>(stream.device_index())) = stream.id();
}

Stream newStream(DeviceIndex device, int priority) {
  if (device < 0) device = current_device();
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  return Stream(Stream::UNSAFE, {kDevice, device}, create(device, priority));
}

Stream externalStream(musaStream_t native, DeviceIndex device) {
  if (device < 0) device = current_device();
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  auto known = std::find(all.all.begin(), all.all.end(), native);
  if (known == all.all.end()) known = all.all.insert(all.all.end(), native);
  return Stream(Stream::UNSAFE, {kDevice, device}, known - all.all.begin());
}

Stream pooledStream(DeviceIndex device, bool highPriority) {
  constexpr std::size_t kPool = 32;
  if (device < 0) device = current_device();
  Streams& all = streams();
  const std::lock_guard lock(all.mutex);
  const auto at = static_cast<std::size_t>(device) * 2 + (highPriority ? 1 : 0);
  if (all.pools.size() <= at) all.pools.resize(at + 1), all.next.resize(at + 1);
  auto& pool = all.pools[at];
  const std::size_t turn = all.next[at]++ % kPool;
  if (turn >= pool.size()) pool.push_back(create(device, highPriority ? -1 : 0));
  return Stream(Stream::UNSAFE, {kDevice, device}, pool[turn]);
}

}  // namespace c10::musa
