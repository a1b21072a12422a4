// What one collective does to the buffers of all ranks, cut into pieces that any of the
// ranks' threads may do, in any order and at the same time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mccl/engine/address_book.h"
#include "mccl/engine/algorithm.h"
#include "mccl/engine/order.h"
#include "mccl/engine/task.h"

namespace musashim::mccl {

// Threads have plans side by side.
class alignas(64) CollectivePlan {
 public:
  struct Manner {
    Algorithm algorithm = Algorithm::kDirect;
    size_t chunkBytes = 0;  // of a chunk, at most
    size_t pieceBytes = 0;  // of each chunk, where one thread cuts all of the work
    Rings rings = {};
  };

  // Resolves the ranks' tasks, which agree in sameSignature(). Keeps nothing of them by
  // reference. Returns -1, or a rank whose memory `addresses` cannot reach. `manner` must be
  // the same for all who work on one collective.
  int prepare(std::span<const CollectiveTask* const> tasks, AddressBook& addresses, const Manner& manner);

  // Takes the factor of `rank` from device memory, if that is where it is.
  void readDeviceFactor(size_t rank, const CollectiveTask& task);

  // So little that it is cut into fixed parts, at most so many.
  static bool isSmall(const CollectiveTask& task, int ranks, size_t parts);

  // Bytes of a part where there are `parts` at most; and how many there are.
  static size_t partBytesOf(const CollectiveTask& task, int ranks, size_t parts);
  static size_t partsOf(const CollectiveTask& task, int ranks, size_t most);

  // Bytes that it reads and writes for all ranks.
  static size_t trafficOf(const CollectiveTask& task, int ranks);

  // What chunks() will be, for work that is not small.
  static size_t chunksOf(const CollectiveTask& task, int ranks, size_t chunkBytes);

  // Bytes of the space that is cut into chunks.
  static size_t workBytesOf(const CollectiveTask& task, int ranks);

  size_t traffic() const { return traffic_; }  // bytes that are read and written
  size_t chunks() const { return chunks_; }
  void run(size_t chunk, Order order = Order::kForwards) const;

 private:
  int findBuffers(std::span<const CollectiveTask* const> tasks, AddressBook& addresses);
  struct Target {
    std::byte* data;
    size_t end;  // elements
  };
  Target firstTarget(size_t at) const;
  void cut(size_t chunkBytes);
  static size_t chunkBytesOf(const CollectiveTask& task, int ranks, size_t most);
  void runRange(size_t begin, size_t end) const;
  void reduceRange(size_t begin, size_t end) const;
  void copyRange(size_t begin, size_t end) const;
  void exchangeRange(size_t begin, size_t end) const;
  void reduceBlock(void* out, size_t begin, size_t end) const;
  struct RingShare {
    size_t first;  // of the sources, in ringSend_
    size_t end;    // elements
  };
  void layRings(Rings rings);
  RingShare ringShareAt(size_t at) const;
  void reduceTree(void* out, int low, int high, size_t begin, size_t end) const;
  void deliver(const std::byte* data, size_t begin, size_t end) const;
  std::byte* targetOf(int rank, size_t unit) const;
  void copyTo(std::byte* target, const std::byte* data, size_t units) const;

  CollectiveKind kind_ = CollectiveKind::kAllReduce;
  int ranks_ = 0;
  int root_ = 0;
  size_t element_ = 1;  // bytes
  size_t count_ = 0;    // elements per rank
  size_t units_ = 0;    // elements in all: the space that is cut into chunks
  size_t traffic_ = 0;
  size_t chunkUnits_ = 1;
  size_t chunks_ = 0;
  Algorithm algorithm_ = Algorithm::kDirect;
  ReduceKernel kernel_ = nullptr;
  ReduceKernel combine_ = nullptr;  // of results of kernel_
  // Results are built in memory of the thread and not where the first of the ranks wants them.
  bool buildsAside_ = false;
  PastCacheCopy pastCache_ = nullptr;  // if set, how results are written
  std::vector<const void*> send_;
  std::vector<void*> recv_;
  std::vector<uint64_t> factors_;
  // kRing only. For each ring: its ranks; send_ and factors_ in its order, twice in a row, as it begins
  // anywhere.
  std::vector<uint16_t> ringRanks_;
  std::vector<const void*> ringSend_;
  std::vector<uint64_t> ringFactors_;
};

}  // namespace musashim::mccl
