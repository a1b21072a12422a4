// Collectives by the names of nccl-tests' programs.
#pragma once

#include <map>
#include <string>

#include "mccl/engine/task.h"

namespace musashim::mccl::sim {

inline const std::map<std::string, CollectiveKind> kCollectives = {
    {"all_reduce", CollectiveKind::kAllReduce},
    {"all_gather", CollectiveKind::kAllGather},
    {"reduce_scatter", CollectiveKind::kReduceScatter},
    {"broadcast", CollectiveKind::kBroadcast},
    {"reduce", CollectiveKind::kReduce},
    {"alltoall", CollectiveKind::kAllToAll}};

}  // namespace musashim::mccl::sim
