// Which send of one rank meets which receive of another, where one thread knows them all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mccl/engine/task.h"

namespace musashim::mccl {

struct TransferMatch {
  const TransferTask* send;
  const TransferTask* receive;
  size_t call;  // the number of the send among its rank's tasks
};

// `tasks`: per rank. Fills `matches` in the order of the calls' numbers, then of the ranks. False unless
// every send meets a receive of the same size, in order, and no receive is left.
bool matchTransfers(std::span<const std::span<const TransferTask>> tasks,
                    std::vector<TransferMatch>& matches);

}  // namespace musashim::mccl
