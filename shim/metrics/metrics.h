// What a file of `mcc -fmusa-profile` says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace musashim::metrics {

struct Dim {
  uint64_t x = 1, y = 1, z = 1;
  uint64_t count() const { return x * y * z; }
};

struct Device {
  std::string product;
  uint64_t warpSize = 32, multiprocessors = 1, threads = 1, blocks = 1, sharedBytes = 1;  // the last: of one
  uint64_t clockKHz = 0, bytesPerSecond = 0;
};

struct Launch {
  Dim grid, block;
  uint64_t sharedBytes = 0, count = 0;
  std::string product;
};

// Of a line's accesses of one kind, width and memory, in sum.
struct Access {
  std::string kind;    // read, write, atomic
  std::string memory;  // device, shared, local, constant
  uint64_t bytes = 0;  // of a lane
  uint64_t requests = 0, lanes = 0;
  uint64_t parts = 0, leastParts = 0;  // sectors of 32 bytes; of shared memory: wavefronts
  uint64_t serialLanes = 0;            // of atomics
};

struct Instructions {
  uint64_t warps = 0, lanes = 0;  // instructions that warps executed, and their active lanes
  void add(const Instructions& more) {
    warps += more.warps;
    lanes += more.lanes;
  }
};

struct Line {
  std::string file;
  uint64_t number = 0;
  std::map<std::string, Instructions> classes;
  std::vector<Access> accesses;
  Instructions all() const;
};

struct Kernel {
  std::string name;  // demangled
  uint64_t blocks = 0, counted = 0, cut = 0;
  std::map<std::string, double>
      samplingError;  // twice the standard error, as a share, of figures of some blocks
  std::vector<Launch> launches;
  std::vector<Line> lines;  // by file and number

  Instructions all() const;
  Access sum(const std::string& memory) const;
  // Floating-point operations of all lanes; a fused multiply and add is two.
  uint64_t operations() const;
};

struct Occupancy {
  uint64_t warps = 0, mostWarps = 0;  // of a multiprocessor
  std::string limit;                  // "threads", "blocks", "shared memory"
  uint64_t waves = 0;                 // of as many blocks as fit the device at once
  uint64_t lastBlocks = 0, fit = 0;   // blocks of the last wave, the grid's tail; that fit the device
};
Occupancy occupancyOf(const Launch& launch, const Device& device);

struct Metrics {
  uint64_t sampling = 1;
  std::map<std::string, Device> devices;  // by product
  std::vector<Kernel> kernels;            // those with most instructions first

  const Device& deviceOf(const Kernel& kernel) const;
};

// False with the reason in `error`.
bool readMetrics(const std::string& path, Metrics& metrics, std::string& error);

inline double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace musashim::metrics
