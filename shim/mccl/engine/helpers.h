// Threads that lend a hand where one thread has the work of several ranks.
//
// One job at a time: a second caller does its work alone. Helpers watch for the next job for
// some microseconds, then sleep; they never outnumber the processors.
#pragma once

#include <cstddef>
#include <functional>

namespace musashim::mccl {

class Helpers {
 public:
  // Processors this process may use.
  static int processors();

  // Calls `work` once for each of 0 .. count-1 and returns when all calls have returned;
  // with `worthwhile`, on helpers' threads as well.
  static void run(size_t count, bool worthwhile, const std::function<void(size_t)>& work);
};

}  // namespace musashim::mccl
