// Copies of 1 MiB and more beside memcpy of as many bytes between two host buffers, turn and turn about.
// Those of rows also beside a loop of one memcpy a row over host buffers of the same pitches: caches and
// prefetchers make gaps between short rows cost that loop as much as anyone.
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "bench.h"

namespace musashim::bench {
namespace {

constexpr size_t kMiB = 1 << 20;

// Host memory as programs have it, touched.
struct HostBuffer {
  explicit HostBuffer(size_t bytes) : data(std::make_unique<char[]>(bytes)) {
    std::memset(data.get(), 1, bytes);
  }
  void* get() const { return data.get(); }
  std::unique_ptr<char[]> data;
};

// Memory of the runtime, freed by the call that belongs to how it was allocated.
class RuntimeBuffer {
 public:
  static RuntimeBuffer pinned(size_t bytes) {
    RuntimeBuffer buffer(musaFreeHost);
    check(::musaMallocHost(&buffer.pointer_, bytes));
    std::memset(buffer.pointer_, 1, bytes);
    return buffer;
  }
  static RuntimeBuffer onDevice(int device, size_t bytes) {
    RuntimeBuffer buffer(musaFree);
    check(musaSetDevice(device));
    check(::musaMalloc(&buffer.pointer_, bytes));
    check(musaMemset(buffer.pointer_, 1, bytes));
    check(musaDeviceSynchronize());
    check(musaSetDevice(0));
    return buffer;
  }
  ~RuntimeBuffer() { check(free_(pointer_)); }
  RuntimeBuffer(const RuntimeBuffer&) = delete;
  RuntimeBuffer& operator=(const RuntimeBuffer&) = delete;
  RuntimeBuffer(RuntimeBuffer&& other) noexcept
      : free_(other.free_), pointer_(std::exchange(other.pointer_, nullptr)) {}
  void* get() const { return pointer_; }

 private:
  using Free = musaError_t (*)(void*);
  explicit RuntimeBuffer(Free free) : free_(free) {}

  Free free_;
  void* pointer_ = nullptr;
};

void keep(const void* written) { asm volatile("" : : "r"(written) : "memory"); }

// Rows a loop copies from one host buffer to another.
class HostRows {
 public:
  HostRows(size_t width, size_t height, size_t pitch)
      : width_(width), height_(height), to_(pitch * height), from_(pitch * height) {}
  void copy(size_t toPitch, size_t fromPitch) const {
    char* to = static_cast<char*>(to_.get());
    const char* from = static_cast<const char*>(from_.get());
    for (size_t row = 0; row < height_; ++row)
      std::memcpy(to + row * toPitch, from + row * fromPitch, width_);
    keep(to);
  }

 private:
  size_t width_, height_;
  HostBuffer to_, from_;
};

// Turns of memcpy and of `copy` alternate, so that whatever else the machine does meets both alike.
class Comparison {
 public:
  explicit Comparison(size_t bytes) : bytes_(bytes), from_(bytes), to_(bytes) {}

  using Rowwise = std::function<void()>;
  void report(const char* what, double bar, const std::function<musaError_t()>& copy,
              const Rowwise& rowwise = {}) {
    const int times = static_cast<int>(std::max<size_t>(1, 16 * kMiB / bytes_));
    const int rounds = bytes_ >= 64 * kMiB ? 15 : 41;
    const std::vector<std::function<void()>> ways = {[&] {
                                                       for (int i = 0; i < times; ++i) check(copy());
                                                       check(musaDeviceSynchronize());
                                                     },
                                                     [&] {
                                                       for (int i = 0; i < times; ++i) {
                                                         std::memcpy(to_.get(), from_.get(), bytes_);
                                                         keep(to_.get());
                                                       }
                                                     },
                                                     [&] {
                                                       for (int i = 0; rowwise && i < times; ++i) rowwise();
                                                     }};
    std::array<std::vector<double>, 3> samples;
    for (const auto& way : ways) way();
    for (int i = 0; i < rounds; ++i) {
      for (size_t way = 0; way < ways.size(); ++way) samples[way].push_back(nanoseconds(ways[way]));
    }
    auto speed = [&](size_t way) { return static_cast<double>(bytes_) * times / median(samples[way]); };
    const double ratio = speed(0) / speed(1);
    std::printf("%-40s %6zu MiB %7.2f GB/s %7.2f GB/s %7.2f", what, (bytes_ + kMiB / 2) / kMiB, speed(0),
                speed(1), ratio);
    if (rowwise) std::printf(" %9.2f", speed(0) / speed(2));
    std::printf("%s\n", ratio >= bar ? "" : "   BELOW THE BAR");
  }

 private:
  size_t bytes_;
  HostBuffer from_, to_;
};

void plainCopies(size_t bytes) {
  constexpr double kBar = 0.95;
  Comparison beside(bytes);
  HostBuffer host(bytes), otherHost(bytes);
  const auto pinned = RuntimeBuffer::pinned(bytes);
  const auto device = RuntimeBuffer::onDevice(0, bytes), second = RuntimeBuffer::onDevice(0, bytes),
             peer = RuntimeBuffer::onDevice(1, bytes);
  beside.report("host to device", kBar,
                [&] { return musaMemcpy(device.get(), host.get(), bytes, musaMemcpyHostToDevice); });
  beside.report("device to host", kBar,
                [&] { return musaMemcpy(host.get(), device.get(), bytes, musaMemcpyDeviceToHost); });
  beside.report("page-locked to device, asynchronous", kBar, [&] {
    return musaMemcpyAsync(device.get(), pinned.get(), bytes, musaMemcpyHostToDevice, nullptr);
  });
  beside.report("device to page-locked, asynchronous", kBar, [&] {
    return musaMemcpyAsync(pinned.get(), device.get(), bytes, musaMemcpyDeviceToHost, nullptr);
  });
  beside.report("within a device", kBar,
                [&] { return musaMemcpy(second.get(), device.get(), bytes, musaMemcpyDeviceToDevice); });
  beside.report("to a peer", kBar, [&] { return musaMemcpyPeer(peer.get(), 1, device.get(), 0, bytes); });
  beside.report("host to host", kBar,
                [&] { return musaMemcpy(otherHost.get(), host.get(), bytes, musaMemcpyHostToHost); });
}

size_t pitchOf(size_t width, size_t height) {
  void* memory = nullptr;
  size_t pitch = 0;
  check(musaMallocPitch(&memory, &pitch, width, height));
  check(musaFree(memory));
  return pitch;
}

// Rows of `width` bytes, as far apart in device memory as musaMallocPitch puts them, dense on the host.
void pitchedCopies(size_t width, size_t height) {
  constexpr double kBar = 0.8;
  const size_t bytes = width * height, pitch = pitchOf(width, height);
  Comparison beside(bytes);
  HostBuffer host(bytes);
  const HostRows rows(width, height, pitch);
  const auto device = RuntimeBuffer::onDevice(0, pitch * height),
             second = RuntimeBuffer::onDevice(0, pitch * height);
  char what[64];
  auto name = [&](const char* direction) {
    std::snprintf(what, sizeof what, "%s, rows of %zu bytes", direction, width);
    return what;
  };
  beside.report(
      name("2D host to device"), kBar,
      [&] {
        return musaMemcpy2D(device.get(), pitch, host.get(), width, width, height, musaMemcpyHostToDevice);
      },
      [&] { rows.copy(pitch, width); });
  beside.report(
      name("2D device to host"), kBar,
      [&] {
        return musaMemcpy2D(host.get(), width, device.get(), pitch, width, height, musaMemcpyDeviceToHost);
      },
      [&] { rows.copy(width, pitch); });
  beside.report(
      name("2D within a device"), kBar,
      [&] {
        return musaMemcpy2D(second.get(), pitch, device.get(), pitch, width, height,
                            musaMemcpyDeviceToDevice);
      },
      [&] { rows.copy(pitch, pitch); });
  musaMemcpy3DParms box = {};
  box.srcPtr = make_musaPitchedPtr(host.get(), width, width, height / 8);
  box.dstPtr = make_musaPitchedPtr(device.get(), pitch, width, height / 8);
  box.extent = make_musaExtent(width, height / 8, 8);
  box.kind = musaMemcpyHostToDevice;
  beside.report(
      name("3D host to device"), kBar, [&] { return musaMemcpy3D(&box); }, [&] { rows.copy(pitch, width); });
}

}  // namespace

void benchCopies(bool everything) {
  check(musaSetDevice(0));
  std::printf("\n%-40s %10s %12s %12s %7s %9s   (bars: 0.95; 2D, 3D: 0.80)\n", "copy", "bytes", "here",
              "memcpy", "ratio", "to rows");
  const std::vector<size_t> some = {1, 16, 256}, all = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  for (size_t mib : everything ? all : some) plainCopies(mib * kMiB);
  for (size_t width : {256, 1000, 4000, 65000}) {
    pitchedCopies(width, kMiB / width);
    pitchedCopies(width, 64 * kMiB / width);
  }
}

}  // namespace musashim::bench
