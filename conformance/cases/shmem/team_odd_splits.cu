// Splits by strides of 0 and below.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.team_odd_splits");

static void split(Pes& pe, const std::string& key, int start, int stride, int size) {
  nvshmem_team_t team = 42;
  const int status = nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, start, stride, size, nullptr, 0, &team);
  pe.observe(key + "_works", status == 0);
  pe.observe(key + "_is_invalid", team == NVSHMEM_TEAM_INVALID);
  if (status == 0 && team != NVSHMEM_TEAM_INVALID) {
    pe.observe(key + "_my_pe", nvshmem_team_my_pe(team));
    pe.observe(key + "_n_pes", nvshmem_team_n_pes(team));
  }
}

static void look(Pes& pe) {
  split(pe, "stride_0_of_one", 0, 0, 1);
  split(pe, "stride_minus_1", 1, -1, 2);
  split(pe, "stride_0", 0, 0, 2);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
