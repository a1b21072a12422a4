// Threads that lend a hand where one thread has the work of several ranks.
//
// One job at a time: a second caller does its work alone. Helpers watch for the next job for
// some microseconds, then sleep; they never outnumber the processors.
#pragma once

#include <cstddef>
#include <functional>

#include "mccl/engine/order.h"

namespace musashim::mccl {

class Helpers {
 public:
  // Processors this process may use: those that it is bound to, or fewer where its control groups allow it
  // less of their time.
  static int processors();
  // How many of a lower number these are: numbers need not follow each other.
  static size_t placeOf(int processor);

  enum class Wanted {
    kNever,
    kIfAwake,  // less work than waking a thread: helpers come who watch, or would if jobs went on like this
    kAlways,
  };

  // For work that reads and writes so many bytes.
  static Wanted wantedFor(size_t traffic);

  // Threads that may share one job, the caller among them: pieces should be more than these.
  static size_t most();

  using Work = std::function<void(size_t index, Order order)>;

  // Calls `work` once for each of 0 .. count-1 and returns when all calls have returned. Neighbours are
  // mostly done by one thread, and by the same one in the next job of as many pieces, whose caches may
  // still have what they work on: each job goes through the pieces from the other end than the last.
  static void run(size_t count, Wanted wanted, const Work& work);
};

}  // namespace musashim::mccl
