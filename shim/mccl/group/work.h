// What a group holds for one rank.
#pragma once

#include <musa_runtime_api.h>

#include <memory>
#include <vector>

#include "mccl/comm/member.h"
#include "mccl/engine/task.h"

namespace musashim::mccl {

struct Work {
  std::shared_ptr<Member> member;
  std::vector<musaStream_t> streams;
  std::vector<CollectiveTask> collectives;
  std::vector<TransferTask> transfers;

  void add(const CollectiveTask& task) { collectives.push_back(task); }
  void add(const TransferTask& task) { transfers.push_back(task); }
};

}  // namespace musashim::mccl
