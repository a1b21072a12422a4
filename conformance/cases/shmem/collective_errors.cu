// Reductions of nothing, and into their own source. (NVSHMEM crashes on barriers of no team.)
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.collective_errors");

static void look(Pes& pe) {
  Symmetric<int> to(8, -1), from(8, 10 * pe.me(), 1);
  pe.observe("no_reduce", nvshmem_int_sum_reduce(NVSHMEM_TEAM_WORLD, to, from, 0));
  pe.observeAll("no_reduce_left", to.readTogether());
  pe.observe("in_place", nvshmem_int_sum_reduce(NVSHMEM_TEAM_WORLD, from, from, 4));
  pe.observeAll("in_place_result", from.readTogether());
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
