// libmccl, one process: MCCL_PEER RANKS.
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
    {"broadcast", [](Rank& r, size_t n,
                     size_t) { return mcclBroadcast(r.recv, r.recv, n, mcclFloat, 0, r.comm, r.stream); }},
    {"alltoall", [](Rank& r, size_t n, size_t k) {
       return mcclAlltoAll(r.send, r.recv, n / k, mcclFloat, r.comm, r.stream);
     }}};

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
  setenv("MUSASHIM_DEVICES", "8", 0);
  std::vector<mcclComm_t> comms(ranks);
  must(mcclCommInitAll(comms.data(), ranks, nullptr) == mcclSuccess, "mcclCommInitAll");
  std::vector<Rank> all(ranks);
  const size_t largest = peers::sizes().back();
  for (int i = 0; i < ranks; ++i) {
    Rank& r = all[i];
    r.comm = comms[i];
    void *send = nullptr, *recv = nullptr;
    must(musaSetDevice(i) == musaSuccess &&
             musaStreamCreateWithFlags(&r.stream, musaStreamNonBlocking) == musaSuccess &&
             musaMalloc(&send, largest) == musaSuccess && musaMalloc(&recv, largest) == musaSuccess &&
             musaMemset(send, 0, largest) == musaSuccess && musaMemset(recv, 0, largest) == musaSuccess,
         "preparing a device");
    r.send = static_cast<float*>(send);
    r.recv = static_cast<float*>(recv);
  }
  const auto synchronize = [&] {
    for (Rank& r : all) must(musaStreamSynchronize(r.stream) == musaSuccess, "musaStreamSynchronize");
  };
  for (const auto& [name, operation] : kOperations) {
    for (const size_t bytes : peers::sizes()) {
      const auto call = [&] {
        must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
        for (Rank& r : all) must(operation(r, bytes / 4, ranks) == mcclSuccess, name.c_str());
        must(mcclGroupEnd() == mcclSuccess, "mcclGroupEnd");
      };
      std::vector<double> alone, queued;
      const int batch = peers::batchOf(bytes);
      for (int round = -1; round < peers::roundsOf(bytes); ++round) {
        double start = peers::now();
        for (int i = 0; i < batch; ++i) {
          call();
          synchronize();
        }
        if (round >= 0) alone.push_back((peers::now() - start) / batch);
        start = peers::now();
        for (int i = 0; i < batch; ++i) call();
        synchronize();
        if (round >= 0) queued.push_back((peers::now() - start) / batch);
      }
      peers::report("mccl", name.c_str(), ranks, bytes, peers::median(alone));
      peers::report("queued", name.c_str(), ranks, bytes, peers::median(queued));
    }
  }
  for (mcclComm_t comm : comms) must(mcclCommDestroy(comm) == mcclSuccess, "mcclCommDestroy");
}
