// A part of the pieces of a job that threads share: of one thread, its owner, and of others once these have
// done their own.
//
// Programs use the same buffers again and again, so the caches of the thread that did a piece the last time
// may still have it. Where processors have no cache in common, a line takes some 200 ns from one to the other
// (measured; 45 ns with a common one), so a piece that changes hands costs more than to wait for it, and
// again when it changes back. So the last piece of an owner who has come is left to it.
//
// One word says all of it, so that a job and a claim on a piece of it pass in one line.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace musashim::mccl {

// The first of `pieces` that is of a share; of the share behind the last: how many there are.
inline size_t firstPiece(size_t share, size_t shares, size_t pieces) { return share * pieces / shares; }

class ChunkShare {
 public:
  // Jobs follow each other; the first of a share is not number 0. All pieces of the job before are taken.
  void open(uint32_t job, size_t pieces, std::memory_order order = std::memory_order_release) {
    word_.store(static_cast<uint64_t>(job) << 32 | pieces, order);
  }

  static constexpr size_t kMostPieces = std::numeric_limits<int32_t>::max();

  bool hasPieces() const { return leftOf(word_.load(std::memory_order_relaxed)) > 0; }

  // Claims pieces of the job and calls `run` for each, with the number of those that were left, as long as
  // there are some and `mayGoOn()`. Returns how many. An owner must go on until nothing is left. `unopened`:
  // how many there are if nobody has opened the share for this job: whoever claims first does.
  template <class Run, class MayGoOn>
  size_t take(uint32_t job, bool isOwner, Run&& run, MayGoOn&& mayGoOn, size_t unopened = 0) {
    size_t taken = 0;
    for (; mayGoOn(); ++taken) {
      const size_t left = claim(job, isOwner, unopened);
      if (left == 0) break;
      run(left);
    }
    return taken;
  }

 private:
  static constexpr uint64_t kOwnerCame = uint64_t{1} << 31;

  static uint32_t jobOf(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
  static size_t leftOf(uint64_t word) { return word & kMostPieces; }

  // Pieces that were left, the claimed one among them; or 0.
  size_t claim(uint32_t job, bool isOwner, size_t unopened) {
    uint64_t word = word_.load(std::memory_order_relaxed);
    while (true) {
      const auto later = static_cast<int32_t>(jobOf(word) - job);
      const uint64_t now = later < 0 ? uint64_t{job} << 32 | unopened : word;
      const size_t left = leftOf(now);
      const bool isOwners = left == 1 && !isOwner && (now & kOwnerCame) != 0;
      if (later > 0 || left == 0 || isOwners) return 0;
      const uint64_t next = (now - 1) | (isOwner ? kOwnerCame : 0);
      if (word_.compare_exchange_weak(word, next, std::memory_order_acquire, std::memory_order_relaxed))
        return left;
    }
  }

  std::atomic<uint64_t> word_{0};  // job, whether its owner has come, pieces left
};

}  // namespace musashim::mccl
