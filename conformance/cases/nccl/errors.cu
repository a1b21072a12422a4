// Misuse of collectives.
// requires: devices>=2
// links: nccl
#include "../../framework/observe_nccl.h"

CONFORMANCE_CASE("nccl.errors");

int main() {
  SETUP(cudaSetDevice(0));
  Ranks ranks(2);
  SETUP(cudaSetDevice(0));
  int* data = nullptr;
  SETUP(cudaMalloc(reinterpret_cast<void**>(&data), 64));
  const ncclComm_t comm = ranks.comm(0);
  const cudaStream_t stream = ranks.stream(0);

  OBSERVE("null_communicator", ncclAllReduce(data, data, 1, ncclInt32, ncclSum, nullptr, stream));
  OBSERVE("type_past_end",
          ncclAllReduce(data, data, 1, static_cast<ncclDataType_t>(100), ncclSum, comm, stream));
  OBSERVE("type_negative",
          ncclAllReduce(data, data, 1, static_cast<ncclDataType_t>(-1), ncclSum, comm, stream));
  OBSERVE("operation_past_end",
          ncclAllReduce(data, data, 1, ncclInt32, static_cast<ncclRedOp_t>(1000), comm, stream));
  OBSERVE("root_past_end", ncclBroadcast(data, data, 1, ncclInt32, 2, comm, stream));
  OBSERVE("root_negative", ncclReduce(data, data, 1, ncclInt32, ncclSum, -1, comm, stream));
  OBSERVE("peer_past_end", ncclSend(data, 1, ncclInt32, 2, comm, stream));
  OBSERVE("peer_negative", ncclRecv(data, 1, ncclInt32, -1, comm, stream));
  OBSERVE("group_end_without_start", ncclGroupEnd());

  int value = -1;
  OBSERVE("count_null_communicator", ncclCommCount(nullptr, &value));
  OBSERVE("count_null_result", ncclCommCount(comm, nullptr));
  OBSERVE("rank_null_communicator", ncclCommUserRank(nullptr, &value));
  OBSERVE("destroy_null", ncclCommDestroy(nullptr));
  OBSERVE("version_null", ncclGetVersion(nullptr));
  OBSERVE("unique_id_null", ncclGetUniqueId(nullptr));

  ncclComm_t comms[2] = {};
  const int same[2] = {0, 0};
  const int negative[2] = {0, -1};
  OBSERVE("duplicate_devices", ncclCommInitAll(comms, 2, same));
  OBSERVE("negative_device", ncclCommInitAll(comms, 2, negative));
  OBSERVE("negative_count", ncclCommInitAll(comms, -1, nullptr));
  OBSERVE("null_communicators", ncclCommInitAll(nullptr, 2, nullptr));
  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  OBSERVE("rank_past_end", ncclCommInitRank(comms, 2, id, 2));
  OBSERVE("rank_negative", ncclCommInitRank(comms, 2, id, -1));
  OBSERVE("no_ranks", ncclCommInitRank(comms, 0, id, 0));

  OBSERVE("communicator_still_fine", [&] {
    ncclResult_t state = ncclInternalError;
    SETUP_NCCL(ncclCommGetAsyncError(comm, &state));
    return state;
  }());
  OBSERVE("words_success", ncclGetErrorString(ncclSuccess));
  OBSERVE("words_invalid_argument", ncclGetErrorString(ncclInvalidArgument));
  OBSERVE("words_invalid_usage", ncclGetErrorString(ncclInvalidUsage));
  OBSERVE("words_in_progress", ncclGetErrorString(ncclInProgress));
}
