#include "mccl/core/settings.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace musashim::mccl {
namespace {

constexpr const char* kDebugNames[] = {"NONE", "VERSION", "WARN", "INFO", "ABORT", "TRACE"};

void parse(const char* text, DebugLevel& level) {
  for (size_t i = 0; i < std::size(kDebugNames); ++i) {
    if (strcasecmp(text, kDebugNames[i]) == 0) level = static_cast<DebugLevel>(i);
  }
}
// "INIT,COLL", or "^COLL" for all but.
void parse(const char* text, unsigned& subsystems) {
  constexpr const char* kNames[] = {"INIT", "COLL",  "P2P",  "SHM",   "NET",  "GRAPH",     "TUNING",
                                    "ENV",  "ALLOC", "CALL", "PROXY", "NVLS", "BOOTSTRAP", "REG"};
  const bool excludes = *text == '^';
  unsigned listed = 0;
  std::string rest = excludes ? text + 1 : text;
  for (size_t at = 0; at <= rest.size();) {
    const size_t comma = std::min(rest.find(',', at), rest.size());
    const std::string name = rest.substr(at, comma - at);
    for (size_t i = 0; i < std::size(kNames); ++i) {
      if (strcasecmp(name.c_str(), kNames[i]) == 0) listed |= 1u << i;
    }
    if (strcasecmp(name.c_str(), "ALL") == 0) listed = ~0u;
    at = comma + 1;
  }
  subsystems = excludes ? ~listed : listed;
}
void parse(const char* text, bool& flag) { flag = std::strtol(text, nullptr, 0) != 0; }
void parse(const char* text, size_t& number) { number = std::strtoull(text, nullptr, 0); }
void parse(const char* text, int& number) { number = static_cast<int>(std::strtol(text, nullptr, 0)); }
void parse(const char* text, std::string& value) { value = text; }

const char* find(const char* name) {
  if (const char* value = std::getenv((std::string("MCCL_") + name).c_str())) return value;
  return std::getenv((std::string("NCCL_") + name).c_str());
}

template <class T>
void read(const char* name, T& value) {
  if (const char* text = find(name)) parse(text, value);
}

}  // namespace

Settings readSettings() {
  Settings result;
  read("DEBUG", result.debug);
  read("DEBUG_SUBSYS", result.subsystems);
  read("DEBUG_FILE", result.debugFile);
  read("CHECK_POINTERS", result.checkPointers);
  read("MULTI_RANK_GPU_ENABLE", result.multiRankGpu);
  read("COMM_ID", result.commId);
  read("RAS_ENABLE", result.ras);
  read("ALGOS", result.algorithm);
  read("ALGO", result.algorithm);
  read("PROTOS", result.protocol);
  read("PROTO", result.protocol);
  read("BUFFSIZE", result.chunkBytes);
  read("TOPO_FILE", result.topoFile);
  read("TOPO_DUMP_FILE", result.topoDumpFile);
  read("GRAPH_FILE", result.graphFile);
  read("GRAPH_DUMP_FILE", result.graphDumpFile);
  read("CROSS_NIC", result.crossNic);
  read("SOCKET_IFNAME", result.socketIfname);
  read("SOCKET_FAMILY", result.socketFamily);
  read("SOCKET_NTHREADS", result.socketThreads);
  read("NSOCKS_PERTHREAD", result.socketsEach);
  read("IB_DISABLE", result.ibDisable);
  read("IB_HCA", result.ibHca);
  read("IB_GID_INDEX", result.ibGidIndex);
  read("IB_TIMEOUT", result.ibTimeout);
  read("IB_RETRY_CNT", result.ibRetryCount);
  read("IB_SL", result.ibServiceLevel);
  read("IB_TC", result.ibTrafficClass);
  read("NET", result.net);
  read("NET_PLUGIN", result.netPlugin);
  read("HOSTID", result.hostId);
  if (const char* sysfs = std::getenv("MUSASHIM_SYSFS")) result.sysfs = sysfs;
  return result;
}

const Settings& settings() {
  static const Settings* const kSettings = new Settings(readSettings());  // outlives static destructors
  return *kSettings;
}

}  // namespace musashim::mccl
