// Configurations that are refused, and what else initialisation refuses.
// requires: devices>=1
// links: nccl
#include <climits>

#include "../../framework/elements_nccl.h"

CONFORMANCE_CASE("nccl.config_errors");

template <class Change>
static void observeConfig(const std::string& name, Change change) {
  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  change(config);
  ncclComm_t comm = nullptr;
  const ncclResult_t result = ncclCommInitRankConfig(&comm, 1, id, 0, &config);
  OBSERVE(name, result);
  if (result == ncclSuccess) SETUP_NCCL(ncclCommDestroy(comm));
}

int main() {
  SETUP(cudaSetDevice(0));
  observeConfig("untouched", [](ncclConfig_t&) {});
  observeConfig("wrong_magic", [](ncclConfig_t& config) { config.magic = 1; });
  observeConfig("blocking_1", [](ncclConfig_t& config) { config.blocking = 1; });
  observeConfig("blocking_2", [](ncclConfig_t& config) { config.blocking = 2; });
  observeConfig("blocking_negative", [](ncclConfig_t& config) { config.blocking = -1; });
  observeConfig("cluster_negative", [](ncclConfig_t& config) { config.cgaClusterSize = -1; });
  observeConfig("min_zero", [](ncclConfig_t& config) { config.minCTAs = 0; });
  observeConfig("max_zero", [](ncclConfig_t& config) { config.maxCTAs = 0; });
  observeConfig("min_above_max", [](ncclConfig_t& config) {
    config.minCTAs = 8;
    config.maxCTAs = 2;
  });
  observeConfig("min_and_max", [](ncclConfig_t& config) {
    config.minCTAs = 1;
    config.maxCTAs = 2;
  });
  observeConfig("split_share_2", [](ncclConfig_t& config) { config.splitShare = 2; });
  observeConfig("shrink_share_2", [](ncclConfig_t& config) { config.shrinkShare = 2; });
  observeConfig("collnet_2", [](ncclConfig_t& config) { config.collnetEnable = 2; });
  observeConfig("nvls_zero", [](ncclConfig_t& config) { config.nvlsCTAs = 0; });
  observeConfig("channels_zero", [](ncclConfig_t& config) { config.nChannelsPerNetPeer = 0; });
  observeConfig("centric_2", [](ncclConfig_t& config) { config.nvlinkCentricSched = 2; });
  observeConfig("named", [](ncclConfig_t& config) { config.commName = "a name"; });

  ncclUniqueId id;
  SETUP_NCCL(ncclGetUniqueId(&id));
  ncclComm_t comm = nullptr;
  OBSERVE("scalable_no_ids", ncclCommInitRankScalable(&comm, 1, 0, 0, &id, nullptr));
  OBSERVE("scalable_too_many_ids", ncclCommInitRankScalable(&comm, 1, 0, 2, &id, nullptr));
  OBSERVE("scalable_null_ids", ncclCommInitRankScalable(&comm, 1, 0, 1, nullptr, nullptr));
  OBSERVE("config_null_communicator", ncclCommInitRankConfig(nullptr, 1, id, 0, nullptr));
  OBSERVE("config_null_config", ncclCommInitRankConfig(&comm, 1, id, 0, nullptr));
}
