// Runs a group's work of all ranks of a communicator on one thread.
#pragma once

#include <musa_runtime_api.h>

#include <span>

#include "mccl/group/work.h"

namespace musashim::mccl {

// Takes a number for each rank's work, and runs it when the numbers' turn has come. Once; also when it is not
// run, as the ranks' next work waits for it.
class TurnOfAll {
 public:
  explicit TurnOfAll(std::span<Work* const> works);
  ~TurnOfAll();
  TurnOfAll(const TurnOfAll&) = delete;
  TurnOfAll& operator=(const TurnOfAll&) = delete;

  void run(std::span<const TransferMatch> matches);

 private:
  std::span<Work* const> works_;
};

}  // namespace musashim::mccl
