// What an access of a warp costs in its memory: sectors of 32 bytes in device memory, wavefronts in shared
// memory. Sources: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory" and "Shared Memory and
// Memory Banks"; Nsight Compute's documentation, "Memory Tables".
#pragma once

#include <cstdint>
#include <span>

namespace musashim::devrt::metrics {

inline constexpr uint64_t kSectorBytes = 32, kBanks = 32, kBankBytes = 4;

struct Parts {
  uint64_t count = 0;   // sectors or wavefronts
  uint64_t least = 0;   // as few as as many bytes need
  uint64_t serial = 0;  // lanes behind others at their address
};

// `addresses` of the lanes that take part, in their order; each accesses `bytes` from there on.
Parts sectorsOf(std::span<const uint64_t> addresses, uint64_t bytes);
// Lanes are served in groups that move 128 bytes at most: 32 of 4 bytes, 16 of 8, 8 of 16. Lanes that read
// one word are served at once.
Parts wavefrontsOf(std::span<const uint64_t> addresses, uint64_t bytes);
// Of atomics in shared memory: lanes at one address take turns.
uint64_t serialLanesOf(std::span<const uint64_t> addresses);

}  // namespace musashim::devrt::metrics
