// The barriers of a block that have numbers (PTX ISA 8.x, "bar, barrier"): some of its threads meet at one,
// and others only tell that they have come. Whoever runs the block's threads asks here who may go on.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "abi/matrix_layout.h"

namespace musashim::devrt {

class NamedBarriers {
 public:
  static constexpr uint32_t kNumbered = 16;  // that a program knows by their numbers
  static constexpr uint32_t kGroups = 32;    // of 32 threads, in the largest block
  static constexpr uint32_t kSquads = kGroups / 4;
  static constexpr uint32_t kCount = kNumbered + kSquads;
  using Threads = std::array<uint32_t, kGroups>;

  // Before a block of so many threads runs.
  void begin(uint32_t threads);

  // The thread has come, and is counted. `count`: how many the barrier waits for, 0: all of the block.
  // Returns the phase that ends when all have come. A fault where the number or the count is not valid, or
  // not as others give it.
  uint32_t arrive(uint32_t id, uint32_t count, bool predicate, uint32_t thread);
  bool isOver(uint32_t id, uint32_t phase) const {
    if ((id & MUSA_BARRIER_OF_COPIES) != 0) return (copies_[copyIndexOf(id)].phase + phase) % 2 != 0;
    return barriers_[indexOf(id)].phase != phase;
  }
  // Of a phase that is over: how many threads have come, above 16 bits of those of them whose predicate held.
  uint32_t resultOf(uint32_t id, uint32_t phase) const {
    if ((id & MUSA_BARRIER_OF_COPIES) != 0) return 0;
    return barriers_[indexOf(id)].results[phase % kResults];
  }

  // Barriers of copies, by their numbers: phases that end when `warps` warps have come and all expected bytes
  // are copied. Those that return a bool tell whether the phase is over by that.
  void setCopies(uint32_t id, uint32_t warps, uint32_t phase);
  void expectBytes(uint32_t id, uint32_t bytes);
  bool completeBytes(uint32_t id, uint32_t bytes);
  bool arriveAtCopies(uint32_t id);
  uint32_t phaseOfCopies(uint32_t id);

  // Nobody can go on: threads that have ended count as having come, as on hardware, where a warp is counted
  // as a whole. True if a phase is over by that.
  bool countEnded(const Threads& ended);
  // Those that threads have come to in vain, for people.
  std::vector<std::string> describe() const;

 private:
  static constexpr uint32_t kResults = 4;  // that are kept

  struct Barrier {
    uint32_t phase = 0;
    uint32_t expected = 0;         // threads, of this phase; 0: nobody has come
    bool ofBlock = false;          // no count was given
    uint32_t arrived = 0;          // as they are counted
    uint32_t came = 0, holds = 0;  // threads; those whose predicate holds
    Threads who{};
    std::array<uint32_t, kResults> results{};
  };

  // See MUSA_BARRIER_OF_COPIES.
  struct CopyBarrier {
    uint32_t warps = 0;  // that it waits for; 0: nobody has set it
    uint32_t phase = 0;
    uint32_t arrived = 0;
    int64_t bytes = 0;  // expected and not copied; below zero where they were copied first
  };

  static uint32_t copyIndexOf(uint32_t id) { return id % MUSA_COPY_BARRIERS; }
  CopyBarrier& copiesOf(uint32_t id);
  bool endIfOver(CopyBarrier& barrier);
  // Of a valid number; see MUSA_BARRIER_OF_SQUAD.
  static uint32_t indexOf(uint32_t id) {
    return (id & MUSA_BARRIER_OF_SQUAD) != 0 ? kNumbered + id % kSquads : id % kNumbered;
  }
  void requireValid(uint32_t id, uint32_t count) const;
  uint32_t threadsOf(uint32_t group) const;
  void end(Barrier& barrier);
  // What these threads have done so far comes before what they do from now on, to checks.
  static void order(const Threads& who);

  std::array<Barrier, kCount> barriers_{};
  std::array<CopyBarrier, MUSA_COPY_BARRIERS> copies_{};
  uint32_t threads_ = 0;
  bool used_ = false;  // by the block
};

// Of the block that this host thread runs.
NamedBarriers& namedBarriers();
// A block begins: forgets what the last one has left.
void beginNamedBarriers(uint32_t threads);

}  // namespace musashim::devrt
