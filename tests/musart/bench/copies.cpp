// Copies of 1 MiB and more beside memcpy of as many bytes, turn and turn about: over the same memory, which
// the bars are about, so that pages, alignment and caches are the same for both, and between two buffers of
// malloc. Those of rows also beside a loop of one memcpy a row over host buffers of the same pitches: caches
// and prefetchers make gaps between short rows cost that loop as much as anyone.
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "bench.h"
#include "device_access.h"

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

// Where a copy of the runtime goes; memcpy goes there, too.
struct Sides {
  void* to;
  const void* from;
};

// Turns of memcpy and of `copy` alternate, so that whatever else the machine does meets both alike.
class Comparison {
 public:
  explicit Comparison(size_t bytes) : bytes_(bytes), from_(bytes), to_(bytes) {}

  using Rowwise = std::function<void()>;
  void report(const char* what, double bar, Sides sides, const std::function<musaError_t()>& copy,
              const Rowwise& rowwise = {}) {
    const int times = static_cast<int>(std::max<size_t>(1, 16 * kMiB / bytes_));
    const auto repeated = [times](auto body) {
      return [times, body] {
        for (int i = 0; i < times; ++i) body();
      };
    };
    std::vector<std::function<void()>> ways = {
        [turns = repeated([&copy] { check(copy()); })] {
          turns();
          check(musaDeviceSynchronize());
        },
        repeated([this, sides] { move(sides); }),
        repeated([this] { move({to_.get(), from_.get()}); }),
    };
    if (rowwise) ways.push_back(repeated(rowwise));
    const std::vector<double> spans = medians(ways);
    const double ratio = spans[1] / spans[0];
    std::printf("%-40s %6zu MiB", what, (bytes_ + kMiB / 2) / kMiB);
    for (size_t way : {0, 1, 2}) std::printf(" %7.2f GB/s", static_cast<double>(bytes_) * times / spans[way]);
    std::printf(" %7.2f %7.2f", ratio, spans[2] / spans[0]);
    if (rowwise) std::printf(" %7.2f", spans[3] / spans[0]);
    std::printf("%s\n", ratio >= bar ? "" : "   BELOW THE BAR");
  }

 private:
  void move(Sides sides) const {
    std::memcpy(sides.to, sides.from, bytes_);
    keep(sides.to);
  }
  std::vector<double> medians(const std::vector<std::function<void()>>& ways) const {
    const int rounds = bytes_ >= 64 * kMiB ? 15 : 41;
    std::vector<std::vector<double>> samples(ways.size());
    for (const auto& way : ways) way();
    for (int i = 0; i < rounds; ++i) {
      for (size_t way = 0; way < ways.size(); ++way) samples[way].push_back(nanoseconds(ways[way]));
    }
    std::vector<double> result;
    for (auto& one : samples) result.push_back(median(std::move(one)));
    return result;
  }

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
  const auto plain = [&](const char* what, const auto& to, const auto& from, musaMemcpyKind kind) {
    beside.report(what, kBar, {to.get(), from.get()},
                  [&] { return musaMemcpy(to.get(), from.get(), bytes, kind); });
  };
  const auto asynchronous = [&](const char* what, const auto& to, const auto& from, musaMemcpyKind kind) {
    beside.report(what, kBar, {to.get(), from.get()},
                  [&] { return musaMemcpyAsync(to.get(), from.get(), bytes, kind, nullptr); });
  };
  plain("host to device", device, host, musaMemcpyHostToDevice);
  plain("device to host", host, device, musaMemcpyDeviceToHost);
  asynchronous("page-locked to device, asynchronous", device, pinned, musaMemcpyHostToDevice);
  asynchronous("device to page-locked, asynchronous", pinned, device, musaMemcpyDeviceToHost);
  plain("within a device", second, device, musaMemcpyDeviceToDevice);
  beside.report("to a peer", kBar, {peer.get(), device.get()},
                [&] { return musaMemcpyPeer(peer.get(), 1, device.get(), 0, bytes); });
  plain("host to host", otherHost, host, musaMemcpyHostToHost);
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
  const auto rectangle = [&](const char* direction, Sides sides, size_t toPitch, size_t fromPitch,
                             musaMemcpyKind kind) {
    beside.report(
        name(direction), kBar, sides,
        [=] { return musaMemcpy2D(sides.to, toPitch, sides.from, fromPitch, width, height, kind); },
        [&rows, toPitch, fromPitch] { rows.copy(toPitch, fromPitch); });
  };
  rectangle("2D host to device", {device.get(), host.get()}, pitch, width, musaMemcpyHostToDevice);
  rectangle("2D device to host", {host.get(), device.get()}, width, pitch, musaMemcpyDeviceToHost);
  rectangle("2D within a device", {second.get(), device.get()}, pitch, pitch, musaMemcpyDeviceToDevice);
  musaMemcpy3DParms box = {};
  box.srcPtr = make_musaPitchedPtr(host.get(), width, width, height / 8);
  box.dstPtr = make_musaPitchedPtr(device.get(), pitch, width, height / 8);
  box.extent = make_musaExtent(width, height / 8, 8);
  box.kind = musaMemcpyHostToDevice;
  beside.report(
      name("3D host to device"), kBar, {device.get(), host.get()}, [&] { return musaMemcpy3D(&box); },
      [&] { rows.copy(pitch, width); });
}

}  // namespace

void benchCopies(bool everything) {
  const test::DeviceAccess access;
  check(musaSetDevice(0));
  std::printf("\n%-40s %10s %12s %12s %12s %7s %7s %7s   (bars of the ratio: 0.95; 2D, 3D: 0.80)\n", "copy",
              "bytes", "here", "memcpy", "malloc'ed", "ratio", "to m.", "to rows");
  const std::vector<size_t> some = {1, 16, 256}, all = {1, 2, 4, 8, 16, 32, 64, 128, 256};
  for (size_t mib : everything ? all : some) plainCopies(mib * kMiB);
  for (size_t width : {256, 1000, 4000, 65000}) {
    pitchedCopies(width, kMiB / width);
    pitchedCopies(width, 64 * kMiB / width);
  }
}

}  // namespace musashim::bench
