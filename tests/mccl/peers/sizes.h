// What the peers have in common: sizes, rounds, output.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace peers {

inline size_t bytesOf(const char* setting, size_t otherwise) {
  const char* text = std::getenv(setting);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

inline const std::vector<size_t>& sizes() {
  static const std::vector<size_t> kSizes = [] {
    std::vector<size_t> sizes;
    const size_t least = bytesOf("PEERS_MIN_BYTES", 0), largest = bytesOf("PEERS_MAX_BYTES", 64 << 20);
    for (size_t bytes : {8, 1024, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}) {
      if (least <= bytes && bytes <= largest) sizes.push_back(bytes);
    }
    return sizes;
  }();
  return kSizes;
}

// Calls to time together, and how often: some ten milliseconds in all, or what else the machine does for a
// moment is all that a median sees. 16 MiB take the first twenty calls longer than those that follow, in all
// programs: the last cache learns what is used again.
// PEERS_HASTE divides how often.
inline int batchOf(size_t bytes) { return bytes <= 65536 ? 50 : bytes <= (4 << 20) ? 10 : 2; }
inline int roundsOf(size_t bytes) {
  const int haste = static_cast<int>(bytesOf("PEERS_HASTE", 1));
  return std::max(3, (bytes <= 65536 ? 101 : bytes <= (4 << 20) ? 51 : bytes <= (16 << 20) ? 31 : 5) / haste);
}

// Whether `operation` is among PEERS_OPERATIONS, names with commas between; all are if it is not set.
inline bool isWanted(const std::string& operation) {
  const char* names = std::getenv("PEERS_OPERATIONS");
  return !names || ("," + std::string(names) + ",").find("," + operation + ",") != std::string::npos;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

inline double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

inline void report(const char* peer, const char* operation, int ranks, size_t bytes, double microseconds) {
  std::printf("%s %s %d %zu %.3f\n", peer, operation, ranks, bytes, microseconds);
  std::fflush(stdout);
}

}  // namespace peers
