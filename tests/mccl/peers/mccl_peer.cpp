// libmccl: MCCL_PEER RANKS is one process with all ranks, MCCL_PEER RANKS RANK one of a process each, which
// meet by MCCL_COMM_ID.
#include <musa_runtime_api.h>

#include <functional>
#include <map>

#include "mccl.h"
#include "sizes.h"

namespace {

struct Rank {
  mcclComm_t comm = nullptr;
  musaStream_t stream = nullptr;
  float *send = nullptr, *recv = nullptr;
};

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed: %s\n", what, mcclGetLastError(nullptr));
  std::exit(1);
}

using Operation = std::function<mcclResult_t(Rank&, size_t count, size_t ranks)>;
const std::map<std::string, Operation> kOperations = {
    {"allreduce",
     [](Rank& r, size_t n, size_t) {
       return mcclAllReduce(r.send, r.recv, n, mcclFloat, mcclSum, r.comm, r.stream);
     }},
    {"allgather", [](Rank& r, size_t n,
                     size_t k) { return mcclAllGather(r.send, r.recv, n / k, mcclFloat, r.comm, r.stream); }},
    {"reducescatter",
     [](Rank& r, size_t n, size_t k) {
       return mcclReduceScatter(r.send, r.recv, n / k, mcclFloat, mcclSum, r.comm, r.stream);
     }},
    {"sendrecv",
     [](Rank& r, size_t n, size_t k) {
       int rank = 0;
       (void)mcclCommUserRank(r.comm, &rank);
       const int ranks = static_cast<int>(k);
       must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
       must(mcclSend(r.send, n, mcclFloat, (rank + 1) % ranks, r.comm, r.stream) == mcclSuccess, "mcclSend");
       must(mcclRecv(r.recv, n, mcclFloat, (rank + ranks - 1) % ranks, r.comm, r.stream) == mcclSuccess,
            "mcclRecv");
       return mcclGroupEnd();
     }},
    {"broadcast", [](Rank& r, size_t n,
                     size_t) { return mcclBroadcast(r.recv, r.recv, n, mcclFloat, 0, r.comm, r.stream); }},
    {"alltoall", [](Rank& r, size_t n, size_t k) {
       return mcclAlltoAll(r.send, r.recv, n / k, mcclFloat, r.comm, r.stream);
     }}};

// As MPI's barrier, for ranks that are processes of their own.
void meet(std::vector<Rank>& here) {
  if (here.size() > 1) return;
  Rank& r = here.front();
  must(mcclAllReduce(r.recv, r.recv, 1, mcclFloat, mcclSum, r.comm, r.stream) == mcclSuccess, "meeting");
  must(musaStreamSynchronize(r.stream) == musaSuccess, "meeting");
}

void prepare(Rank& r, int device) {
  const size_t largest = peers::sizes().back();
  void *send = nullptr, *recv = nullptr;
  must(musaSetDevice(device) == musaSuccess &&
           musaStreamCreateWithFlags(&r.stream, musaStreamNonBlocking) == musaSuccess &&
           musaMalloc(&send, largest) == musaSuccess && musaMalloc(&recv, largest) == musaSuccess &&
           musaMemset(send, 0, largest) == musaSuccess && musaMemset(recv, 0, largest) == musaSuccess,
       "preparing a device");
  r.send = static_cast<float*>(send);
  r.recv = static_cast<float*>(recv);
}

std::vector<Rank> join(int ranks, int own) {
  std::vector<Rank> here(own < 0 ? ranks : 1);
  std::vector<mcclComm_t> comms(here.size());
  for (size_t i = 0; i < here.size(); ++i) prepare(here[i], own < 0 ? static_cast<int>(i) : own);
  if (own < 0) {
    must(mcclCommInitAll(comms.data(), ranks, nullptr) == mcclSuccess, "mcclCommInitAll");
  } else {
    mcclUniqueId id;
    must(mcclGetUniqueId(&id) == mcclSuccess && mcclCommInitRank(&comms[0], ranks, id, own) == mcclSuccess,
         "mcclCommInitRank");
  }
  for (size_t i = 0; i < here.size(); ++i) here[i].comm = comms[i];
  return here;
}

struct Times {
  double alone, queued;  // microseconds: of a call with its synchronisation, and of one of many
};

Times measure(std::vector<Rank>& here, const Operation& operation, size_t bytes, int ranks) {
  const auto call = [&] {
    must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
    for (Rank& r : here) must(operation(r, bytes / 4, ranks) == mcclSuccess, "a call");
    must(mcclGroupEnd() == mcclSuccess, "mcclGroupEnd");
  };
  const auto synchronize = [&] {
    for (Rank& r : here) must(musaStreamSynchronize(r.stream) == musaSuccess, "musaStreamSynchronize");
  };
  std::vector<double> alone, queued;
  const int batch = peers::batchOf(bytes);
  for (int round = -1; round < peers::roundsOf(bytes); ++round) {
    meet(here);
    double start = peers::now();
    for (int i = 0; i < batch; ++i) {
      call();
      synchronize();
    }
    if (round >= 0) alone.push_back((peers::now() - start) / batch);
    meet(here);
    start = peers::now();
    for (int i = 0; i < batch; ++i) call();
    synchronize();
    if (round >= 0) queued.push_back((peers::now() - start) / batch);
  }
  return {peers::median(alone), peers::median(queued)};
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2, own = argc > 2 ? std::atoi(argv[2]) : -1;
  setenv("MUSASHIM_DEVICES", "8", 0);
  std::vector<Rank> here = join(ranks, own);
  for (const auto& [name, operation] : kOperations) {
    if (!peers::isWanted(name)) continue;
    for (const size_t bytes : peers::sizes()) {
      const Times times = measure(here, operation, bytes, ranks);
      if (own > 0) continue;
      peers::report(own < 0 ? "mccl" : "processes", name.c_str(), ranks, bytes, times.alone);
      peers::report(own < 0 ? "queued" : "proc-queued", name.c_str(), ranks, bytes, times.queued);
    }
  }
  for (Rank& r : here) must(mcclCommDestroy(r.comm) == mcclSuccess, "mcclCommDestroy");
}
