// Send and Recv, and what is built from them, as only the root meets all others: Gather, Scatter.
#include "core/trace.h"
#include "mccl/api/entry.h"
#include "mccl/core/data_type.h"
#include "mccl/core/log.h"
#include "mccl/group/group.h"
#include "mccl/runtime/stream.h"
#include "support/per_thread.h"

namespace musashim::mccl {
namespace {

// Checks one call and has `build` add its transfers to a list.
template <class Build>
mcclResult_t queueTransfers(const char* function, int root, mcclDataType_t type, mcclComm_t comm,
                            musaStream_t stream, Build&& build) {
  core::RecordedCall recorded("mccl", function);
  const mcclResult_t result = groupCall([&](Group& group) -> mcclResult_t {
    std::shared_ptr<Member> member;
    MCCL_RETURN_IF_ERROR(lookUpReady(comm, function, member));
    MCCL_RETURN_IF_ERROR(checkRoot(root, member->ranks(), function));
    MCCL_RETURN_IF_ERROR(checkDataType(type, function));
    struct Tasks {  // one memory for all calls
      std::vector<TransferTask> ofCall;
    };
    auto& tasks = support::PerThread<Tasks>::get().ofCall;
    tasks.clear();
    build(*member, tasks);
    for (const TransferTask& task : tasks) {
      logInfo(kColl, "{}: buff {} count {} datatype {} peer {} comm {} [nranks={}] stream {}", function,
              task.buffer.pointer, task.count, static_cast<int>(type), task.peer, static_cast<void*>(comm),
              member->ranks(), static_cast<void*>(stream));
      if (settings().checkPointers && task.count > 0) {
        MCCL_RETURN_IF_ERROR(checkDevicePointer(task.buffer.pointer, member->device(), function,
                                                task.isSend ? "sendbuff" : "recvbuff"));
      }
    }
    size_t bytes = 0;
    for (const TransferTask& task : tasks) bytes += task.bytes();
    recorded.moves(bytes, static_cast<unsigned>(member->ranks()), static_cast<unsigned>(member->rank()),
                   group.depth() > 1);
    group.add(member, stream, tasks);
    return mcclSuccess;
  });
  recorded.end(result);
  return result;
}

TransferTask sendTo(int peer, const void* buffer, size_t count, mcclDataType_t type) {
  return {true, const_cast<void*>(buffer), count, type, peer};
}

TransferTask receiveFrom(int peer, void* buffer, size_t count, mcclDataType_t type) {
  return {false, buffer, count, type, peer};
}

template <class Pointer>
Pointer* part(Pointer* buffer, int index, size_t count, mcclDataType_t type) {
  using Byte = std::conditional_t<std::is_const_v<Pointer>, const std::byte, std::byte>;
  return static_cast<Byte*>(buffer) + static_cast<size_t>(index) * count * elementSize(type);
}

}  // namespace
}  // namespace musashim::mccl

using namespace musashim::mccl;

MCCL_API(mcclResult_t, mcclSend,
         (const void* sendbuff, size_t count, mcclDataType_t datatype, int peer, mcclComm_t comm,
          musaStream_t stream)) {
  return queueTransfers("Send", peer, datatype, comm, stream, [&](Member&, auto& tasks) {
    tasks.push_back(sendTo(peer, sendbuff, count, datatype));
  });
}
MCCL_END

MCCL_API(mcclResult_t, mcclRecv,
         (void* recvbuff, size_t count, mcclDataType_t datatype, int peer, mcclComm_t comm,
          musaStream_t stream)) {
  return queueTransfers("Recv", peer, datatype, comm, stream, [&](Member&, auto& tasks) {
    tasks.push_back(receiveFrom(peer, recvbuff, count, datatype));
  });
}
MCCL_END

MCCL_API(mcclResult_t, mcclGather,
         (const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, int root,
          mcclComm_t comm, musaStream_t stream)) {
  return queueTransfers("Gather", root, datatype, comm, stream, [&](Member& member, auto& tasks) {
    if (count == 0) return;
    tasks.push_back(sendTo(root, sendbuff, count, datatype));
    for (int peer = 0; member.rank() == root && peer < member.ranks(); ++peer) {
      tasks.push_back(receiveFrom(peer, part(recvbuff, peer, count, datatype), count, datatype));
    }
  });
}
MCCL_END

MCCL_API(mcclResult_t, mcclScatter,
         (const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, int root,
          mcclComm_t comm, musaStream_t stream)) {
  return queueTransfers("Scatter", root, datatype, comm, stream, [&](Member& member, auto& tasks) {
    if (count == 0) return;
    for (int peer = 0; member.rank() == root && peer < member.ranks(); ++peer) {
      tasks.push_back(sendTo(peer, part(sendbuff, peer, count, datatype), count, datatype));
    }
    tasks.push_back(receiveFrom(root, recvbuff, count, datatype));
  });
}
MCCL_END
