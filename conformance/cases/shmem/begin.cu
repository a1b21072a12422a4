// Before, between and after; who one is.
// requires: devices>=2
// links: nvshmem
#include "../../framework/pes.h"

CONFORMANCE_CASE("shmem.begin");

__global__ void ask(int* seen) {
  seen[0] = nvshmem_my_pe();
  seen[1] = nvshmem_n_pes();
  seen[2] = nvshmem_team_my_pe(NVSHMEM_TEAM_WORLD);
  seen[3] = nvshmem_team_n_pes(NVSHMEM_TEAM_WORLD);
  seen[4] = nvshmem_team_my_pe(NVSHMEM_TEAM_SHARED);
  seen[5] = nvshmem_team_n_pes(NVSHMEM_TEAM_SHARED);
  seen[6] = nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE);
  seen[7] = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE);
  seen[8] = nvshmem_team_my_pe(NVSHMEM_TEAM_INVALID);
  seen[9] = nvshmem_team_n_pes(NVSHMEM_TEAM_INVALID);
}

static void look(Pes& pe) {
  pe.observe("status_begun", static_cast<int>(nvshmemx_init_status()));
  pe.observe("my_pe", nvshmem_my_pe());
  pe.observe("n_pes", nvshmem_n_pes());
  int provided = -1;
  nvshmem_query_thread(&provided);
  pe.observe("provided", provided);
  int major = -1, minor = -1;
  nvshmem_info_get_version(&major, &minor);
  pe.observe("version_is_of_header", major == NVSHMEM_MAJOR_VERSION && minor == NVSHMEM_MINOR_VERSION);
  pe.observe("major", major);
  pe.observe("minor", minor);
  char name[NVSHMEM_MAX_NAME_LEN] = {};
  nvshmem_info_get_name(name);
  pe.observe("name_is_vendor_string", std::string(name) == NVSHMEM_VENDOR_STRING);
  pe.observe("name_length_limit", NVSHMEM_MAX_NAME_LEN);
  int vendor[3] = {-1, -1, -1};
  nvshmemx_vendor_get_version_info(vendor, vendor + 1, vendor + 2);
  pe.observe("vendor_version_major", vendor[0]);
  pe.observe("vendor_version_at_least_4", vendor[0] > 3 || (vendor[0] == 3 && vendor[1] >= 4));
  pe.observe("constants", std::to_string(NVSHMEM_TEAM_INVALID) + " " + std::to_string(NVSHMEM_TEAM_WORLD) +
                              " " + std::to_string(NVSHMEM_TEAM_SHARED) + " " +
                              std::to_string(NVSHMEMX_TEAM_NODE));
  pe.observe("comparisons", std::to_string(NVSHMEM_CMP_EQ) + std::to_string(NVSHMEM_CMP_NE) +
                                std::to_string(NVSHMEM_CMP_GT) + std::to_string(NVSHMEM_CMP_LE) +
                                std::to_string(NVSHMEM_CMP_LT) + std::to_string(NVSHMEM_CMP_GE));
  pe.observe("signal_operations",
             std::to_string(NVSHMEM_SIGNAL_SET) + " " + std::to_string(NVSHMEM_SIGNAL_ADD));
  pe.observe("thread_levels",
             std::to_string(NVSHMEM_THREAD_SINGLE) + std::to_string(NVSHMEM_THREAD_FUNNELED) +
                 std::to_string(NVSHMEM_THREAD_SERIALIZED) + std::to_string(NVSHMEM_THREAD_MULTIPLE));
  pe.observe("sizes", std::to_string(sizeof(nvshmemx_uniqueid_t)) + " " +
                          std::to_string(sizeof(nvshmemx_init_attr_t)));
  pe.observe("status_codes",
             std::to_string(NVSHMEMX_SUCCESS) + std::to_string(NVSHMEMX_ERROR_INVALID_VALUE) +
                 std::to_string(NVSHMEMX_ERROR_OUT_OF_MEMORY) + std::to_string(NVSHMEMX_ERROR_NOT_SUPPORTED) +
                 std::to_string(NVSHMEMX_ERROR_SYMMETRY) + std::to_string(NVSHMEMX_ERROR_GPU_NOT_SELECTED) +
                 std::to_string(NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED) +
                 std::to_string(NVSHMEMX_ERROR_INTERNAL));
  Symmetric<int> seen(10);
  ask<<<1, 1>>>(seen);
  pe.observeAll("kernel", seen.read());
  pe.observe("status_with_heap", static_cast<int>(nvshmemx_init_status()));
}

int main(int argc, char** argv) {
  const bool isFirst = Pes::isFirst(argc);
  if (isFirst) OBSERVE("status_before", static_cast<int>(nvshmemx_init_status()));
  const int status = Pes::run(observedCase, argc, argv, look);
  if (isFirst) OBSERVE("status_after", static_cast<int>(nvshmemx_init_status()));
  return status;
}
