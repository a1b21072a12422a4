// Teams: split, asked, translated, destroyed.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.teams");

__global__ void ask(nvshmem_team_t team, int* seen) {
  seen[0] = nvshmem_team_my_pe(team);
  seen[1] = nvshmem_team_n_pes(team);
  seen[2] = nvshmem_team_translate_pe(team, 0, NVSHMEM_TEAM_WORLD);
  seen[3] = nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 0, team);
  seen[4] = nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 1, team);
}

static void show(Pes& pe, const std::string& key, nvshmem_team_t team) {
  pe.observe(key + "_is_valid", team != NVSHMEM_TEAM_INVALID);
  pe.observe(key + "_my_pe", nvshmem_team_my_pe(team));
  pe.observe(key + "_n_pes", nvshmem_team_n_pes(team));
}

static void look(Pes& pe) {
  show(pe, "world", NVSHMEM_TEAM_WORLD);
  show(pe, "shared", NVSHMEM_TEAM_SHARED);
  show(pe, "node", NVSHMEMX_TEAM_NODE);
  show(pe, "same_mype_node", NVSHMEMX_TEAM_SAME_MYPE_NODE);
  show(pe, "same_gpu", NVSHMEMI_TEAM_SAME_GPU);
  show(pe, "gpu_leaders", NVSHMEMI_TEAM_GPU_LEADERS);
  show(pe, "invalid", NVSHMEM_TEAM_INVALID);

  nvshmem_team_t all = NVSHMEM_TEAM_INVALID, alone = NVSHMEM_TEAM_INVALID, last = NVSHMEM_TEAM_INVALID;
  pe.observe("all_status", nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 2, nullptr, 0, &all));
  show(pe, "all", all);
  pe.observe("first_status",
             nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 1, nullptr, 0, &alone) == 0);
  show(pe, "first", alone);
  pe.observe("last_status", nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 1, 1, 1, nullptr, 0, &last) == 0);
  show(pe, "last", last);

  pe.observe("to_all_0", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 0, all));
  pe.observe("to_all_1", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 1, all));
  pe.observe("to_all_2", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 2, all));
  pe.observe("to_all_minus_1", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, -1, all));
  pe.observe("to_invalid", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 0, NVSHMEM_TEAM_INVALID));
  pe.observe("from_invalid", nvshmem_team_translate_pe(NVSHMEM_TEAM_INVALID, 0, NVSHMEM_TEAM_WORLD));
  if (alone != NVSHMEM_TEAM_INVALID) {
    pe.observe("first_in_world", nvshmem_team_translate_pe(alone, 0, NVSHMEM_TEAM_WORLD));
    pe.observe("second_in_first", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 1, alone));
  }
  if (last != NVSHMEM_TEAM_INVALID) {
    pe.observe("last_in_world", nvshmem_team_translate_pe(last, 0, NVSHMEM_TEAM_WORLD));
    pe.observe("first_in_last", nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 0, last));
  }
  Symmetric<int> seen(5);
  ask<<<1, 1>>>(all, seen);
  pe.observeAll("kernel_all", seen.read());
  const nvshmem_team_t mine = pe.me() == 0 ? alone : last;
  ask<<<1, 1>>>(mine, seen);
  pe.observeAll("kernel_alone", seen.read());

  nvshmem_team_t x = NVSHMEM_TEAM_INVALID, y = NVSHMEM_TEAM_INVALID;
  pe.observe("split_2d_1", nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 1, nullptr, 0, &x, nullptr, 0, &y));
  show(pe, "x_of_1", x);
  show(pe, "y_of_1", y);
  nvshmem_team_destroy(x);
  nvshmem_team_destroy(y);
  pe.observe("split_2d_2", nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 2, nullptr, 0, &x, nullptr, 0, &y));
  show(pe, "x_of_2", x);
  show(pe, "y_of_2", y);
  nvshmem_team_destroy(x);
  nvshmem_team_destroy(y);
  pe.observe("split_2d_5", nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 5, nullptr, 0, &x, nullptr, 0, &y));
  show(pe, "x_of_5", x);
  show(pe, "y_of_5", y);
  nvshmem_team_destroy(x);
  nvshmem_team_destroy(y);

  nvshmem_team_config_t config = {};
  config.num_contexts = 77;
  nvshmem_team_get_config(all, &config);
  pe.observe("config_contexts", config.num_contexts);

  nvshmem_team_t again = NVSHMEM_TEAM_INVALID;
  pe.observe("of_a_team", nvshmem_team_split_strided(all, 0, 1, 2, nullptr, 0, &again));
  pe.observe("of_a_team_my_pe", nvshmem_team_my_pe(again));
  pe.observe("sync", nvshmem_team_sync(again));
  pe.observe("barrier", nvshmem_barrier(again));
  nvshmem_team_destroy(again);
  nvshmem_team_destroy(NVSHMEM_TEAM_INVALID);
  if (mine != NVSHMEM_TEAM_INVALID) {
    pe.observe("sync_alone", nvshmem_team_sync(mine));
    nvshmem_team_destroy(mine);
  }
  nvshmem_team_destroy(all);
  int made = 0;
  std::vector<nvshmem_team_t> many;
  for (int i = 0; i < 16; ++i) {
    nvshmem_team_t team = NVSHMEM_TEAM_INVALID;
    made += nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 2, nullptr, 0, &team) == 0;
    many.push_back(team);
  }
  pe.observe("sixteen_made", made);
  for (const nvshmem_team_t team : many) nvshmem_team_destroy(team);
}

int main(int argc, char** argv) { return Pes::run(observedCase, argc, argv, look); }
