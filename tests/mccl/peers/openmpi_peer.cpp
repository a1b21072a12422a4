// Open MPI: mpirun -np RANKS OPENMPI_PEER.
#include <mpi.h>

#include <cstring>
#include <functional>
#include <map>

#include "sizes.h"

namespace {

using Operation = std::function<int(const float* send, float* recv, int count, int ranks)>;
const std::map<std::string, Operation> kOperations = {
    {"allreduce", [](const float* s, float* r, int n,
                     int) { return MPI_Allreduce(s, r, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); }},
    {"allgather",
     [](const float* s, float* r, int n, int k) {
       return MPI_Allgather(s, n / k, MPI_FLOAT, r, n / k, MPI_FLOAT, MPI_COMM_WORLD);
     }},
    {"reducescatter",
     [](const float* s, float* r, int n, int k) {
       return MPI_Reduce_scatter_block(s, r, n / k, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
     }},
    {"sendrecv",
     [](const float* s, float* r, int n, int k) {
       int rank = 0;
       MPI_Comm_rank(MPI_COMM_WORLD, &rank);
       return MPI_Sendrecv(s, n, MPI_FLOAT, (rank + 1) % k, 0, r, n, MPI_FLOAT, (rank + k - 1) % k, 0,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
     }},
    {"broadcast",
     [](const float*, float* r, int n, int) { return MPI_Bcast(r, n, MPI_FLOAT, 0, MPI_COMM_WORLD); }},
    {"alltoall", [](const float* s, float* r, int n, int k) {
       return MPI_Alltoall(s, n / k, MPI_FLOAT, r, n / k, MPI_FLOAT, MPI_COMM_WORLD);
     }}};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t largest = peers::sizes().back();
  std::vector<float> send(largest / 4 + 16), recv(largest / 4 + 16);
  for (const auto& [name, operation] : kOperations) {
    if (!peers::isWanted(name)) continue;
    for (const size_t bytes : peers::sizes()) {
      std::vector<double> times;
      const int batch = peers::batchOf(bytes);
      for (int round = -1; round < peers::roundsOf(bytes); ++round) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = peers::now();
        for (int i = 0; i < batch; ++i)
          operation(send.data(), recv.data(), static_cast<int>(bytes / 4), ranks);
        if (round >= 0) times.push_back((peers::now() - start) / batch);
      }
      if (rank == 0) peers::report("openmpi", name.c_str(), ranks, bytes, peers::median(times));
    }
  }
  MPI_Finalize();
}
