/* The same costs with OpenSHMEM of Open MPI. Prints "NAME VALUE UNIT". */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGE = 1 << 20, MANY = 2000 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static int compare(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}
static double median(double* times, int count) {
  qsort(times, (size_t)count, sizeof *times, compare);
  return times[count / 2];
}

int main(void) {
  double times[31];
  shmem_init();
  const int me = shmem_my_pe(), partner = shmem_n_pes() - 1;
  char* const to = shmem_calloc(LARGE, 1);
  char* const from = shmem_calloc(LARGE, 1);
  if (me == 0) {
    for (int round = 0; round < 15; ++round) {
      const double start = seconds();
      for (int i = 0; i < MANY; ++i) shmem_putmem(to, from, 8, partner);
      shmem_quiet();
      times[round] = seconds() - start;
    }
    printf("put_8B %.4f us\n", median(times, 15) / MANY * 1e6);
    for (int round = 0; round < 31; ++round) {
      const double start = seconds();
      shmem_putmem(to, from, LARGE, partner);
      shmem_quiet();
      times[round] = seconds() - start;
    }
    printf("put_1MiB %.2f GB/s\n", LARGE / median(times, 31) / 1e9);
  }
  shmem_barrier_all();
  for (int round = 0; round < 15; ++round) {
    const double start = seconds();
    for (int i = 0; i < 200; ++i) shmem_barrier_all();
    times[round] = seconds() - start;
  }
  if (me == 0) printf("barrier_all %.3f us\n", median(times, 15) / 200 * 1e6);
  fflush(stdout);
  shmem_free(from);
  shmem_free(to);
  shmem_finalize();
  return 0;
}
