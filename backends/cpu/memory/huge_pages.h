// Huge pages for the devices' memory. Programs stream through it, and with 4 KiB pages the misses of the
// translation cache cost a fifth to a third of the bandwidth (measured: saxpy over 16 MiB, 8.2 against 12.7
// GB/s).
//
// Memory files get huge pages by themselves only where the administrator says so (shmem_enabled), which
// hardly any distribution does; MADV_COLLAPSE (Linux 6.1) makes them whatever that says. It takes less time
// than the 512 faults of a first touch. Kernels that cannot, or have no huge page left, change nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace musashim::backend::cpu {

inline constexpr uint64_t kHugePage = uint64_t{2} << 20;

// Which blocks of a mapped memory file have been made huge, or will not be. Not for several threads at once.
class HugeBlocks {
 public:
  explicit HugeBlocks(uint64_t bytes) : done_(bytes / kHugePage) {}

  struct Run {
    uint64_t offset, size;
  };
  // The parts of a range of whole blocks that are still to be made huge; they count as done now.
  std::vector<Run> take(uint64_t offset, uint64_t size);
  // The range's pages have been given back.
  void forget(uint64_t offset, uint64_t size);

 private:
  std::vector<bool> done_;
};

// Gives whole blocks of memory huge pages, if it can. What they hold stays, whoever else uses them.
void makeHuge(std::byte* begin, uint64_t size);

// Maps part of a memory file where its blocks can have huge pages. MAP_FAILED with errno.
void* mapAligned(size_t bytes, int protection, int flags, int fd, uint64_t offset);

}  // namespace musashim::backend::cpu
