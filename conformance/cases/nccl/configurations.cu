// Configurations of communicators that are refused, and that are not.
// requires: devices>=1
// links: nccl
#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.configurations");

template <class Change>
static void observe(const char* name, Change change) {
  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  change(config);
  ncclComm_t comm = nullptr;
  const ncclResult_t result = ncclCommInitRankConfig(&comm, 1, id, 0, &config);
  OBSERVE(name, result);
  OBSERVE(std::string(name) + "_has_communicator", comm != nullptr);
  if (result == ncclSuccess) SETUP_NCCL(ncclCommDestroy(comm));
}

int main() {
  SETUP(cudaSetDevice(0));
  observe("plain", [](ncclConfig_t&) {});
  observe("blocking", [](ncclConfig_t& config) { config.blocking = 1; });
  observe("blocking_7", [](ncclConfig_t& config) { config.blocking = 7; });
  observe("few_blocks", [](ncclConfig_t& config) { config.minCTAs = config.maxCTAs = 2; });
  observe("no_blocks", [](ncclConfig_t& config) { config.maxCTAs = 0; });
  observe("more_least_than_most", [](ncclConfig_t& config) { config.minCTAs = 8, config.maxCTAs = 4; });
  observe("cluster_negative", [](ncclConfig_t& config) { config.cgaClusterSize = -1; });
  observe("share_2", [](ncclConfig_t& config) { config.splitShare = 2; });
  observe("share", [](ncclConfig_t& config) { config.splitShare = 1; });
  observe("collnet_2", [](ncclConfig_t& config) { config.collnetEnable = 2; });
  observe("without_magic", [](ncclConfig_t& config) { config.magic = 0; });
  observe("named", [](ncclConfig_t& config) { config.commName = "mine"; });
  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  ncclComm_t comm = nullptr;
  OBSERVE("no_configuration", ncclCommInitRankConfig(&comm, 1, id, 0, nullptr));
  if (comm) SETUP_NCCL(ncclCommDestroy(comm));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  OBSERVE("no_result", ncclCommInitRankConfig(nullptr, 1, id, 0, &config));
}
