// As the vendor documents a job: MPI starts the processes and hands out the id, libmccl does the rest.
// MPI_PROGRAM DEVICES: each process has so many ranks. Exit status 0 when all sums are right.
#include <mpi.h>
#include <musa_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mccl.h"

namespace {

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s failed: %s\n", what, mcclGetLastError(nullptr));
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::exit(1);
}

constexpr size_t kCount = 100'000;

struct Rank {
  mcclComm_t comm = nullptr;
  musaStream_t stream = nullptr;
  void* data = nullptr;
};

// All ranks add 1 to the power of two of their own number.
bool addsUp(std::vector<Rank>& own, int first, int ranks) {
  for (size_t i = 0; i < own.size(); ++i) {
    const std::vector<float> values(kCount, static_cast<float>(1 << (first + static_cast<int>(i))));
    must(musaMemcpy(own[i].data, values.data(), kCount * sizeof(float), musaMemcpyDefault) == musaSuccess,
         "musaMemcpy");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
  for (Rank& rank : own) {
    must(mcclAllReduce(rank.data, rank.data, kCount, mcclFloat, mcclSum, rank.comm, rank.stream) ==
             mcclSuccess,
         "mcclAllReduce");
  }
  must(mcclGroupEnd() == mcclSuccess, "mcclGroupEnd");
  for (Rank& rank : own) {
    must(musaStreamSynchronize(rank.stream) == musaSuccess, "musaStreamSynchronize");
    std::vector<float> values(kCount);
    must(musaMemcpy(values.data(), rank.data, kCount * sizeof(float), musaMemcpyDefault) == musaSuccess,
         "musaMemcpy");
    for (float value : values) {
      if (value != static_cast<float>((1 << ranks) - 1)) return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int process = 0, processes = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int each = argc > 1 ? std::atoi(argv[1]) : 1, first = process * each, ranks = processes * each;
  mcclUniqueId id;
  if (process == 0) must(mcclGetUniqueId(&id) == mcclSuccess, "mcclGetUniqueId");
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  std::vector<Rank> own(static_cast<size_t>(each));
  must(mcclGroupStart() == mcclSuccess, "mcclGroupStart");
  for (int i = 0; i < each; ++i) {
    Rank& rank = own[static_cast<size_t>(i)];
    must(musaSetDevice(first + i) == musaSuccess, "musaSetDevice");
    must(musaStreamCreateWithFlags(&rank.stream, musaStreamNonBlocking) == musaSuccess, "musaStreamCreate");
    must(musaMalloc(&rank.data, kCount * sizeof(float)) == musaSuccess, "musaMalloc");
    must(mcclCommInitRank(&rank.comm, ranks, id, first + i) == mcclSuccess, "mcclCommInitRank");
  }
  must(mcclGroupEnd() == mcclSuccess, "mcclGroupEnd");
  int right = 1, allRight = 0;
  for (int round = 0; round < 20; ++round) right = addsUp(own, first, ranks) && right;
  for (Rank& rank : own) must(mcclCommDestroy(rank.comm) == mcclSuccess, "mcclCommDestroy");
  MPI_Allreduce(&right, &allRight, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (process == 0)
    std::printf("%d ranks in %d processes: %s\n", ranks, processes, allRight ? "right" : "wrong");
  MPI_Finalize();
  return allRight ? 0 : 1;
}
