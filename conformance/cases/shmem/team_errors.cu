// Splits that cannot be.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.team_errors");

static void split(Pes& pe, const std::string& key, nvshmem_team_t parent, int start, int stride, int size) {
  nvshmem_team_t team = 42;
  const int status = nvshmem_team_split_strided(parent, start, stride, size, nullptr, 0, &team);
  pe.observe(key + "_works", status == 0);
  pe.observe(key + "_is_invalid", team == NVSHMEM_TEAM_INVALID);
  if (status == 0 && team != NVSHMEM_TEAM_INVALID) {
    pe.observe(key + "_my_pe", nvshmem_team_my_pe(team));
    pe.observe(key + "_n_pes", nvshmem_team_n_pes(team));
    nvshmem_team_destroy(team);
  }
}

static void look(Pes& pe) {
  split(pe, "invalid_parent", NVSHMEM_TEAM_INVALID, 0, 1, 1);
  split(pe, "start_minus_1", NVSHMEM_TEAM_WORLD, -1, 1, 1);
  split(pe, "start_2", NVSHMEM_TEAM_WORLD, 2, 1, 1);
  split(pe, "size_0", NVSHMEM_TEAM_WORLD, 0, 1, 0);
  split(pe, "size_3", NVSHMEM_TEAM_WORLD, 0, 1, 3);
  split(pe, "size_minus_1", NVSHMEM_TEAM_WORLD, 0, 1, -1);
  split(pe, "stride_2", NVSHMEM_TEAM_WORLD, 0, 2, 2);
  split(pe, "stride_2_of_one", NVSHMEM_TEAM_WORLD, 1, 2, 1);
  nvshmem_team_t x = 42, y = 42;
  pe.observe("2d_invalid_parent_works",
             nvshmem_team_split_2d(NVSHMEM_TEAM_INVALID, 1, nullptr, 0, &x, nullptr, 0, &y) == 0);
  pe.observe("2d_invalid_parent_x", x == NVSHMEM_TEAM_INVALID);
  pe.observe("2d_invalid_parent_y", y == NVSHMEM_TEAM_INVALID);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
