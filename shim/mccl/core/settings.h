// Every environment variable that the library reads, in one place.
#pragma once

#include <string>

namespace musashim::mccl {

enum class DebugLevel { kNone, kVersion, kWarn, kInfo, kAbort, kTrace };

// What an INFO line is about: MCCL_DEBUG_SUBSYS, NCCL's names and bits.
enum Subsystem : unsigned {
  kInit = 1,
  kColl = 2,
  kP2p = 4,
  kShm = 8,
  kNet = 16,
  kGraph = 32,
  kTuning = 64,
  kEnv = 128,
  kAlloc = 256,
  kCall = 512,
  kProxy = 1024,
  kNvls = 2048,
  kBootstrap = 4096,
  kReg = 8192,
};

// Read once, at the first call. MCCL_X wins over NCCL_X.
struct Settings {
  DebugLevel debug = DebugLevel::kNone;             // MCCL_DEBUG=VERSION|WARN|INFO|ABORT|TRACE
  unsigned subsystems = kInit | kBootstrap | kEnv;  // MCCL_DEBUG_SUBSYS=COLL,P2P, ^ALLOC, ALL
  std::string debugFile;                            // MCCL_DEBUG_FILE, %h host, %p process id; default stdout
  bool checkPointers = false;                       // MCCL_CHECK_POINTERS=1
  bool multiRankGpu = false;                        // MCCL_MULTI_RANK_GPU_ENABLE=1: ranks may share a device
  std::string commId;         // MCCL_COMM_ID=host:port: where rank 0 waits, instead of a unique id
  std::string algorithm;      // MCCL_ALGO(S): names or NCCL's numbers; see engine/algorithm.h
  std::string protocol;       // MCCL_PROTO(S)
  bool ras = true;            // MCCL_RAS_ENABLE=0: does not tell others how the communicators are
  std::string topoFile;       // MCCL_TOPO_FILE: the machine, in NCCL's XML, instead of the one that there is
  std::string topoDumpFile;   // MCCL_TOPO_DUMP_FILE: where the machine is written to
  std::string graphFile;      // MCCL_GRAPH_FILE: graphs that are not searched
  std::string graphDumpFile;  // MCCL_GRAPH_DUMP_FILE
  std::string socketIfname;   // MCCL_SOCKET_IFNAME: interfaces that may be used; see net/interfaces.h
  std::string socketFamily;   // MCCL_SOCKET_FAMILY=AF_INET|AF_INET6
  size_t socketThreads =
      0;                   // MCCL_SOCKET_NTHREADS: threads of a connection; 0: whoever waits for it moves it
  size_t socketsEach = 1;  // MCCL_NSOCKS_PERTHREAD: sockets of each of these
  bool ibDisable = false;  // MCCL_IB_DISABLE=1: RDMA devices are not used
  std::string ibHca;       // MCCL_IB_HCA: which; see net/ib/hca_list.h
  int ibGidIndex = -1;     // MCCL_IB_GID_INDEX; -1: the best
  int ibTimeout = 20;      // MCCL_IB_TIMEOUT: 4.096 us * 2^it
  int ibRetryCount = 7;    // MCCL_IB_RETRY_CNT
  int ibServiceLevel = 0;  // MCCL_IB_SL
  int ibTrafficClass = 0;  // MCCL_IB_TC
  std::string net;         // MCCL_NET: the network layer by its name: Socket, IB, or a plugin's
  std::string netPlugin;   // MCCL_NET_PLUGIN: name or file of a plugin; "none": no plugin
  std::string hostId;      // MCCL_HOSTID: hosts are told apart by it
  size_t crossNic = 2;     // MCCL_CROSS_NIC: 0, 1, or 2: rings cross network devices where it helps
  std::string sysfs;       // MUSASHIM_SYSFS: a folder with another machine's /sys
  size_t chunkBytes = 0;   // MCCL_BUFFSIZE: piece of work that one thread takes; 0: default
};

const Settings& settings();

// Parses the present environment; settings() is this, once.
Settings readSettings();

}  // namespace musashim::mccl
