// Gloo over TCP: GLOO_PEER RANKS RANK FOLDER INTERFACE, a process on each host; they meet by files in FOLDER.
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/barrier.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <functional>
#include <map>
#include <memory>

#include "sizes.h"

namespace {

struct Job {
  std::shared_ptr<gloo::Context> context;
  std::vector<float> send, recv;
  int rank = 0, ranks = 1;
};

using Operation = std::function<void(Job&, size_t count)>;
const std::map<std::string, Operation> kOperations = {
    {"allreduce",
     [](Job& job, size_t n) {
       gloo::AllreduceOptions options(job.context);
       options.setInput(job.send.data(), n);
       options.setOutput(job.recv.data(), n);
       options.setReduceFunction(
           static_cast<void (*)(void*, const void*, const void*, size_t)>(&gloo::sum<float>));
       gloo::allreduce(options);
     }},
    {"allgather",
     [](Job& job, size_t n) {
       const size_t each = n / static_cast<size_t>(job.ranks);
       gloo::AllgatherOptions options(job.context);
       options.setInput(job.send.data(), each);
       options.setOutput(job.recv.data(), each * static_cast<size_t>(job.ranks));
       gloo::allgather(options);
     }},
    {"sendrecv", [](Job& job, size_t n) {
       const auto out = job.context->createUnboundBuffer(job.send.data(), n * sizeof(float));
       const auto in = job.context->createUnboundBuffer(job.recv.data(), n * sizeof(float));
       const uint64_t slot = 1ull << 40;
       in->recv((job.rank + job.ranks - 1) % job.ranks, slot);
       out->send((job.rank + 1) % job.ranks, slot);
       out->waitSend();
       in->waitRecv();
     }}};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  Job job;
  job.ranks = std::atoi(argv[1]);
  job.rank = std::atoi(argv[2]);
  gloo::transport::tcp::attr attributes;
  attributes.iface = argv[4];
  auto device = gloo::transport::tcp::CreateDevice(attributes);
  gloo::rendezvous::FileStore store(argv[3]);
  auto context = std::make_shared<gloo::rendezvous::Context>(job.rank, job.ranks);
  context->connectFullMesh(store, device);
  job.context = context;
  const size_t largest = peers::sizes().back();
  job.send.resize(largest / 4 + 16);
  job.recv.resize(largest / 4 + 16);
  for (const auto& [name, operation] : kOperations) {
    if (!peers::isWanted(name)) continue;
    for (const size_t bytes : peers::sizes()) {
      std::vector<double> times;
      const int batch = peers::batchOf(bytes);
      for (int round = -1; round < peers::roundsOf(bytes); ++round) {
        gloo::BarrierOptions barrier(context);
        gloo::barrier(barrier);
        const double start = peers::now();
        for (int i = 0; i < batch; ++i) operation(job, bytes / 4);
        if (round >= 0) times.push_back((peers::now() - start) / batch);
      }
      if (job.rank == 0) peers::report("gloo", name.c_str(), job.ranks, bytes, peers::median(times));
    }
  }
}
