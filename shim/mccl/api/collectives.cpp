// AllReduce, Reduce, Broadcast, AllGather, ReduceScatter, AlltoAll.
#include <algorithm>
#include <utility>

#include "core/trace.h"
#include "mccl/api/entry.h"
#include "mccl/core/data_type.h"
#include "mccl/core/log.h"
#include "mccl/group/group.h"
#include "mccl/runtime/stream.h"

namespace musashim::mccl {
namespace {

// What `task.op` does to the elements of `task.type`.
mcclResult_t resolveReduction(Member& member, const char* function, CollectiveTask& task) {
  switch (static_cast<int>(task.op)) {
    case mcclSum:
      task.reduction = Reduction::kSum;
      return mcclSuccess;
    case mcclProd:
      task.reduction = Reduction::kProd;
      return mcclSuccess;
    case mcclMax:
      task.reduction = Reduction::kMax;
      return mcclSuccess;
    case mcclMin:
      task.reduction = Reduction::kMin;
      return mcclSuccess;
    case mcclAvg:
      task.reduction = isInteger(task.type) ? Reduction::kSumThenDivide : Reduction::kPreMulSum;
      if (!isInteger(task.type)) task.factor = encodeElement(task.type, 1.0 / member.ranks());
      return mcclSuccess;
    default:
      break;
  }
  UserReduction user;
  if (!member.reductions().find(task.op, user)) {
    return fail(mcclInvalidArgument, "{} : invalid reduction operation {}", function,
                static_cast<int>(task.op));
  }
  if (user.type != task.type) {
    return fail(mcclInvalidArgument,
                "{} : reduction operation was created for type {}, and is used with type {}", function,
                dataTypeName(user.type), dataTypeName(task.type));
  }
  task.reduction = Reduction::kPreMulSum;
  task.factor = user.factor;
  task.deviceFactor = user.deviceFactor;
  return mcclSuccess;
}

mcclResult_t checkPointers(const Member& member, const char* function, const CollectiveTask& task) {
  const bool isRoot = member.rank() == task.root;
  if (task.kind != CollectiveKind::kBroadcast || isRoot) {
    MCCL_RETURN_IF_ERROR(checkDevicePointer(task.send.pointer, member.device(), function, "sendbuff"));
  }
  if (task.kind != CollectiveKind::kReduce || isRoot) {
    MCCL_RETURN_IF_ERROR(checkDevicePointer(task.recv.pointer, member.device(), function, "recvbuff"));
  }
  return mcclSuccess;
}

mcclResult_t queueCollective(const char* function, CollectiveTask&& task, mcclComm_t comm,
                             musaStream_t stream) {
  core::RecordedCall recorded("mccl", function);
  const mcclResult_t result = groupCall([&](Group& group) -> mcclResult_t {
    std::shared_ptr<Member> member;
    MCCL_RETURN_IF_ERROR(lookUpReady(comm, function, member));
    MCCL_RETURN_IF_ERROR(checkRoot(task.root, member->ranks(), function));
    MCCL_RETURN_IF_ERROR(checkDataType(task.type, function));
    if (reduces(task.kind)) MCCL_RETURN_IF_ERROR(resolveReduction(*member, function, task));
    logInfo(kColl,
            "{}: sendbuff {} recvbuff {} count {} datatype {} op {} root {} comm {} [nranks={}] stream {}",
            function, task.send.pointer, task.recv.pointer, task.count, static_cast<int>(task.type),
            static_cast<int>(task.op), task.root, static_cast<void*>(comm), member->ranks(),
            static_cast<void*>(stream));
    recorded.moves(std::max(sendBytes(task, member->ranks()), recvBytes(task, member->ranks())),
                   static_cast<unsigned>(member->ranks()), static_cast<unsigned>(member->rank()),
                   group.depth() > 1);
    if (task.count == 0) return mcclSuccess;
    if (settings().checkPointers) MCCL_RETURN_IF_ERROR(checkPointers(*member, function, task));
    group.add(member, stream, task);
    return mcclSuccess;
  });
  recorded.end(result);
  return result;
}

CollectiveTask makeTask(CollectiveKind kind, const void* send, void* recv, size_t count,
                        mcclDataType_t type) {
  CollectiveTask task;
  task.kind = kind;
  task.send = send;
  task.recv = recv;
  task.count = count;
  task.type = type;
  return task;
}

}  // namespace
}  // namespace musashim::mccl

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclAllReduce,
         (const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, mcclRedOp_t op,
          mcclComm_t comm, musaStream_t stream)) {
  CollectiveTask task = makeTask(CollectiveKind::kAllReduce, sendbuff, recvbuff, count, datatype);
  task.op = op;
  return queueCollective("AllReduce", std::move(task), comm, stream);
}
MCCL_END

MCCL_API(mcclResult_t, mcclReduce,
         (const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, mcclRedOp_t op,
          int root, mcclComm_t comm, musaStream_t stream)) {
  CollectiveTask task = makeTask(CollectiveKind::kReduce, sendbuff, recvbuff, count, datatype);
  task.op = op;
  task.root = root;
  return queueCollective("Reduce", std::move(task), comm, stream);
}
MCCL_END

MCCL_API(mcclResult_t, mcclReduceScatter,
         (const void* sendbuff, void* recvbuff, size_t recvcount, mcclDataType_t datatype, mcclRedOp_t op,
          mcclComm_t comm, musaStream_t stream)) {
  CollectiveTask task = makeTask(CollectiveKind::kReduceScatter, sendbuff, recvbuff, recvcount, datatype);
  task.op = op;
  return queueCollective("ReduceScatter", std::move(task), comm, stream);
}
MCCL_END

MCCL_API(mcclResult_t, mcclBroadcast,
         (const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, int root,
          mcclComm_t comm, musaStream_t stream)) {
  CollectiveTask task = makeTask(CollectiveKind::kBroadcast, sendbuff, recvbuff, count, datatype);
  task.root = root;
  return queueCollective("Broadcast", std::move(task), comm, stream);
}
MCCL_END

MCCL_API(mcclResult_t, mcclBcast,
         (void* buff, size_t count, mcclDataType_t datatype, int root, mcclComm_t comm,
          musaStream_t stream)) {
  CollectiveTask task = makeTask(CollectiveKind::kBroadcast, buff, buff, count, datatype);
  task.root = root;
  return queueCollective("Bcast", std::move(task), comm, stream);
}
MCCL_END

MCCL_API(mcclResult_t, mcclAllGather,
         (const void* sendbuff, void* recvbuff, size_t sendcount, mcclDataType_t datatype, mcclComm_t comm,
          musaStream_t stream)) {
  return queueCollective("AllGather",
                         makeTask(CollectiveKind::kAllGather, sendbuff, recvbuff, sendcount, datatype), comm,
                         stream);
}
MCCL_END

MCCL_API(mcclResult_t, mcclAlltoAll,
         (const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, mcclComm_t comm,
          musaStream_t stream)) {
  return queueCollective("AlltoAll", makeTask(CollectiveKind::kAllToAll, sendbuff, recvbuff, count, datatype),
                         comm, stream);
}
MCCL_END
