#include "cpu/devrt/metrics/metrics_file.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cpu/devrt/control.h"
#include "cpu/devrt/metrics/block_kinds.h"
#include "cpu/devrt/metrics/traffic.h"
#include "cpu/devrt/services/device_state.h"

namespace musashim::devrt::metrics {
namespace {

constexpr std::array<const char*, MUSA_CLASSES> kClassNames = {
    "fp32",    "fp32_fma", "fp64", "fp64_fma", "fp16",   "special", "integer", "conversion",
    "compare", "control",  "load", "store",    "atomic", "barrier", "warp",    "call"};
constexpr std::array<const char*, 3> kAccessNames = {"read", "write", "atomic"};
constexpr std::array<const char*, MUSA_MEMORY_SPACES> kSpaceNames = {"device", "shared", "local", "constant"};

using Place = std::pair<std::string, uint32_t>;

struct LineCounts {
  std::array<uint64_t, MUSA_CLASSES> warps{}, lanes{};
};

struct LaunchShape {
  MusaDim3 grid, block;
  uint32_t sharedBytes;
  std::string product;
  auto key() const {
    return std::tuple(grid.x, grid.y, grid.z, block.x, block.y, block.z, sharedBytes, product);
  }
  bool operator<(const LaunchShape& other) const { return key() < other.key(); }
};

struct KernelCounts {
  uint64_t blocks = 0, seen = 0, cut = 0;
  SamplingError error;
  std::map<LaunchShape, uint64_t> launches;
  std::map<Place, LineCounts> lines;
  // By line, access, memory, bytes.
  std::map<std::tuple<Place, unsigned, unsigned, uint32_t>, MusaMetricsTraffic> traffic;
};

void addStep(KernelCounts& sum, const MusaMetricsKernel& kernel, const MusaMetricsStep& step) {
  if (step.warps == 0) return;
  for (uint64_t i = 0; i < step.count; ++i) {
    const MusaMetricsCount& count = step.counts[i];
    LineCounts& line = sum.lines[{kernel.lines[count.line].file, kernel.lines[count.line].line}];
    line.warps[count.kind] += step.warps * count.count;
    line.lanes[count.kind] += step.lanes * count.count;
  }
}

void addCounters(KernelCounts& sum, const MusaMetricsKernel& kernel) {
  sum.blocks += kernel.blocks;
  sum.seen += kernel.seen;
  sum.cut += kernel.cut;
  for (uint64_t i = 0; i < kernel.step_count; ++i) addStep(sum, kernel, kernel.steps[i]);
  for (uint64_t i = 0; i < kernel.access_count; ++i) {
    const MusaMetricsAccess& access = kernel.accesses[i];
    const MusaMetricsLine& line = kernel.lines[access.line];
    for (unsigned shared = 0; shared < 2; ++shared) {
      if (access.traffic[shared].requests == 0) continue;
      const unsigned space = shared != 0 ? unsigned{MUSA_MEMORY_SHARED} : access.space;
      addUp(sum.traffic[{Place{line.file, line.line}, access.kind, space, access.bytes}],
            access.traffic[shared]);
    }
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string dim(const MusaDim3& of) { return fmt::format("[{},{},{}]", of.x, of.y, of.z); }

template <typename Rows, typename Row>
std::string listOf(const Rows& rows, const char* indent, Row row) {
  std::string out = "[";
  const char* separator = "";
  for (const auto& one : rows) {
    const std::string text = row(one);
    if (text.empty()) continue;
    out += fmt::format("{}\n{}{}", separator, indent, text);
    separator = ",";
  }
  return out + "]";
}

std::string instructionsOf(const LineCounts& counts) {
  std::string out;
  for (unsigned kind = 0; kind < MUSA_CLASSES; ++kind) {
    if (counts.warps[kind] == 0) continue;
    out += fmt::format("{}\"{}\": [{},{}]", out.empty() ? "" : ", ", kClassNames[kind], counts.warps[kind],
                       counts.lanes[kind]);
  }
  return "{" + out + "}";
}

// Of figures of some blocks: twice the standard error, as a share.
std::string errorText(const KernelCounts& counts) {
  if (counts.seen == counts.blocks) return {};
  std::string out;
  const auto add = [&](const char* figure, const std::optional<double>& error) {
    if (error) out += fmt::format("{}\"{}\": {:.4f}", out.empty() ? "" : ", ", figure, *error);
  };
  add("instructions", counts.error.ofWork(counts.blocks));
  add("active_lanes", counts.error.ofActiveLanes(counts.blocks));
  add("sectors_per_request", counts.error.ofSectors(counts.blocks));
  add("shared_turns", counts.error.ofTurns(counts.blocks));
  return "   \"sampling_error\": {" + out + "},\n";
}

std::string kernelText(const std::string& name, const KernelCounts& counts) {
  std::string out =
      fmt::format("  {{\"kernel\": {}, \"blocks\": {}, \"counted_blocks\": {}, \"cut_blocks\": {},\n",
                  quoted(name), counts.blocks, counts.seen, counts.cut);
  out += errorText(counts) + "   \"launches\": " + listOf(counts.launches, "    ", [](const auto& launch) {
           const LaunchShape& shape = launch.first;
           return fmt::format(
               "{{\"grid\": {}, \"block\": {}, \"shared_bytes\": {}, \"product\": {}, \"count\": {}}}",
               dim(shape.grid), dim(shape.block), shape.sharedBytes, quoted(shape.product), launch.second);
         });
  out += ",\n   \"lines\": " + listOf(counts.lines, "    ", [](const auto& line) {
           return fmt::format("{{\"file\": {}, \"line\": {}, \"instructions\": {}}}",
                              quoted(line.first.first), line.first.second, instructionsOf(line.second));
         });
  out += ",\n   \"accesses\": " + listOf(counts.traffic, "    ", [](const auto& row) {
           const auto& [place, kind, space, bytes] = row.first;
           const MusaMetricsTraffic& traffic = row.second;
           return fmt::format(
               "{{\"file\": {}, \"line\": {}, \"access\": \"{}\", \"memory\": \"{}\", \"bytes\": {}, "
               "\"requests\": {}, "
               "\"lanes\": {}, \"parts\": {}, \"least_parts\": {}, \"serial_lanes\": {}}}",
               quoted(place.first), place.second, kAccessNames[kind], kSpaceNames[space], bytes,
               traffic.requests, traffic.lanes, traffic.parts, traffic.least, traffic.serial);
         });
  return out + "}";
}

// Bandwidth: two transfers a clock, as the runtime's properties say it.
std::string deviceText(const backend::DeviceProfile& of) {
  return fmt::format(
      "{{\"product\": {}, \"warp_size\": {}, \"multiprocessors\": {}, \"threads_per_multiprocessor\": {}, "
      "\"blocks_per_multiprocessor\": {}, \"shared_bytes_per_multiprocessor\": {}, \"clock_khz\": {}, "
      "\"memory_bytes_per_second\": {}}}",
      quoted(of.name), of.warpSize, of.multiprocessors, of.maxThreadsPerMultiprocessor,
      of.maxBlocksPerMultiprocessor, of.sharedBytesPerMultiprocessor, of.clockKHz,
      uint64_t{2} * of.memoryClockKHz * 1000 * of.memoryBusBits / 8);
}

class Registry {
 public:
  // Never destroyed: images may go after static objects.
  static Registry& instance() {
    static auto* const registry = new Registry;
    return *registry;
  }

  void add(MusaMetricsKernel* const* kernels, uint64_t count) {
    const std::lock_guard lock(mutex_);
    for (uint64_t i = 0; i < count; ++i) {
      kernels[i]->kinds = (live_[kernels[i]] = std::make_unique<BlockKinds>()).get();
    }
    if (!writes_) std::atexit([] { instance().write(); });
    writes_ = true;
  }

  void remove(MusaMetricsKernel* const* kernels, uint64_t count) {
    const std::lock_guard lock(mutex_);
    for (uint64_t i = 0; i < count; ++i) {
      const auto found = live_.find(kernels[i]);
      if (found == live_.end()) continue;
      KernelCounts& counts = kernels_[kernels[i]->name];
      found->second->addRepeats(*kernels[i], counts.error);
      addCounters(counts, *kernels[i]);
      live_.erase(found);
    }
  }

  void launch(const MusaMetricsKernel& kernel, const LaunchShape& shape,
              const backend::DeviceProfile& device) {
    const std::lock_guard lock(mutex_);
    devices_.try_emplace(device.name, device);
    ++kernels_[kernel.name].launches[shape];
  }

  void block(const MusaMetricsKernel& kernel, const BlockTotals& block) {
    const std::lock_guard lock(mutex_);
    kernels_[kernel.name].error.add(block);
  }

  void write() {
    const std::lock_guard lock(mutex_);
    for (const auto& [kernel, kinds] : live_) kinds->addRepeats(*kernel, kernels_[kernel->name].error);
    std::map<std::string, KernelCounts> all = kernels_;
    for (const auto& [kernel, kinds] : live_) addCounters(all[kernel->name], *kernel);
    const char* path = std::getenv("MUSASHIM_METRICS_FILE");
    if (path == nullptr || *path == '\0') path = "musa_metrics.json";
    const std::string text = fmt::format(
        "{{\"musashim_metrics\": 1, \"sampling\": {}, \"devices\": {}, \"kernels\": {}\n}}\n", sampling(),
        listOf(devices_, "", [](const auto& device) { return deviceText(device.second); }),
        listOf(all, "", [](const auto& kernel) {
          return kernel.second.blocks == 0 ? std::string() : kernelText(kernel.first, kernel.second);
        }));
    std::FILE* file = std::fopen(path, "w");
    const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file != nullptr && std::fclose(file) == 0;
    if (!written || !closed)
      fmt::print(stderr, "musashim: cannot write the metrics to {} (MUSASHIM_METRICS_FILE)\n", path);
  }

 private:
  std::mutex mutex_;
  std::map<MusaMetricsKernel*, std::unique_ptr<BlockKinds>> live_;
  std::map<std::string, KernelCounts> kernels_;
  std::map<std::string, backend::DeviceProfile> devices_;
  bool writes_ = false;
};

uint64_t readSampling() {
  const char* text = std::getenv("MUSASHIM_METRICS_SAMPLE");
  if (text == nullptr || *text == '\0') return 1;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end == '\0' && *text != '-' && value > 0) return value;
  fmt::print(stderr, "musashim: MUSASHIM_METRICS_SAMPLE={} is not usable: a number above 0 is expected\n",
             text);
  return 1;
}

}  // namespace

uint64_t sampling() {
  static const uint64_t value = readSampling();
  return value;
}

void addKernels(MusaMetricsKernel* const* kernels, uint64_t count) {
  Registry::instance().add(kernels, count);
}
void removeKernels(MusaMetricsKernel* const* kernels, uint64_t count) {
  Registry::instance().remove(kernels, count);
}

void addBlock(const MusaMetricsKernel& kernel, const BlockTotals& block) {
  if (sampling() != 1) Registry::instance().block(kernel, block);
}

void addLaunch(MusaMetricsKernel& kernel, const MusaBlockContext& first) {
  const MusaDim3& blocks = first.grid_dim;
  __atomic_fetch_add(&kernel.blocks, uint64_t{blocks.x} * blocks.y * blocks.z, __ATOMIC_RELAXED);
  const auto& grid = *static_cast<const GridState*>(first.grid_state);
  const backend::DeviceProfile& device = grid.device->options.profile;
  Registry::instance().launch(kernel,
                              {first.grid_dim, first.block_dim,
                               grid.kernel->static_shared_bytes + first.dynamic_shared_bytes, device.name},
                              device);
}

}  // namespace musashim::devrt::metrics
