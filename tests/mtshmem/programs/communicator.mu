// Begins with a communicator of MPI's that is not the world: its ranks in the opposite order, without the
// first.
#include <mpi.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, size - rank, &own);
  int status = 0;
  if (rank != 0) {
    mtshmemx_init_attr_t attributes = MTSHMEMX_INIT_ATTR_INITIALIZER;
    attributes.mpi_comm = &own;
    CHECK(mtshmemx_init_attr(MTSHMEMX_INIT_WITH_MPI_COMM, &attributes) == MTSHMEMX_SUCCESS);
    chooseDevice();
    const int me = mtshmem_my_pe(), n = mtshmem_n_pes();
    CHECK(n == size - 1);
    CHECK(me == size - 1 - rank);
    auto* ranks = static_cast<int*>(mtshmem_calloc(static_cast<size_t>(n), sizeof(int)));
    for (int pe = 0; pe < n; ++pe) mtshmem_int_p(ranks + me, rank, pe);
    mtshmem_barrier_all();
    for (int pe = 0; pe < n; ++pe) CHECK(fetch(ranks + pe) == size - 1 - pe);
    mtshmem_free(ranks);
    status = finish();
  }
  MPI_Finalize();
  return status;
}
