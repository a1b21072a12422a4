// Launches of CUDA before version 4: what a function keeps between the calls that set it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "interface/kernel.h"
#include "musa/api/result.h"

namespace musashim::musa {

class Function;
class Stream;

class OldLaunch {
 public:
  Result setBlock(const Function& function, int x, int y, int z);
  Result setShared(const Function& function, unsigned int bytes);
  Result setSize(unsigned int bytes);
  Result setBytes(int offset, const void* bytes, size_t count);
  Result launch(Function& function, Stream& stream, int width, int height);

 private:
  std::mutex mutex_;
  MusaDim3 block_{1, 1, 1};
  uint32_t shared_ = 0;
  size_t size_ = 0;
  std::vector<std::byte> parameters_;
};

}  // namespace musashim::musa
