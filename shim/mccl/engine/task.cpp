#include "mccl/engine/task.h"

#include <fmt/core.h>

#include "mccl/core/data_type.h"

namespace musashim::mccl {
namespace {

bool hasRoot(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
}

}  // namespace

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce || kind == CollectiveKind::kReduce ||
         kind == CollectiveKind::kReduceScatter;
}

const char* collectiveName(CollectiveKind kind) {
  constexpr const char* kNames[] = {"AllReduce", "Reduce",        "Broadcast",
                                    "AllGather", "ReduceScatter", "AlltoAll"};
  return kNames[static_cast<int>(kind)];
}

std::string CollectiveTask::describe() const {
  std::string text = fmt::format("{}(count {}, {}", collectiveName(kind), count, dataTypeName(type));
  if (reduces(kind)) text += fmt::format(", {}", reductionName(op));
  if (hasRoot(kind)) text += fmt::format(", root {}", root);
  return text + ")";
}

bool readsSendBuffer(const CollectiveTask& task, int rank) {
  return task.kind != CollectiveKind::kBroadcast || rank == task.root;
}

bool writesRecvBuffer(const CollectiveTask& task, int rank) {
  return task.kind != CollectiveKind::kReduce || rank == task.root;
}

size_t sendBytes(const CollectiveTask& task, int ranks) {
  const size_t bytes = task.count * elementSize(task.type);
  const bool isForEach =
      task.kind == CollectiveKind::kReduceScatter || task.kind == CollectiveKind::kAllToAll;
  return isForEach ? bytes * static_cast<size_t>(ranks) : bytes;
}

size_t recvBytes(const CollectiveTask& task, int ranks) {
  const size_t bytes = task.count * elementSize(task.type);
  const bool isFromEach = task.kind == CollectiveKind::kAllGather || task.kind == CollectiveKind::kAllToAll;
  return isFromEach ? bytes * static_cast<size_t>(ranks) : bytes;
}

bool sameSignature(const CollectiveTask& a, const CollectiveTask& b) {
  if (a.kind != b.kind || a.count != b.count || a.type != b.type) return false;
  // Handles of the user's operations differ per rank; what they do must not.
  if (reduces(a.kind) && (a.reduction != b.reduction || (a.op == mcclAvg) != (b.op == mcclAvg))) return false;
  return !hasRoot(a.kind) || a.root == b.root;
}

size_t TransferTask::bytes() const { return count * elementSize(type); }

std::string TransferTask::describe(int rank, int other) const {
  return fmt::format("{}(count {}, {}) of rank {} {} rank {}", isSend ? "Send" : "Recv", count,
                     dataTypeName(type), rank, isSend ? "to" : "from", other);
}

bool overlap(const TransferTask& a, const TransferTask& b) {
  const auto* first = static_cast<const char*>(a.buffer.pointer);
  const auto* second = static_cast<const char*>(b.buffer.pointer);
  return first < second + b.bytes() && second < first + a.bytes();
}

}  // namespace musashim::mccl
