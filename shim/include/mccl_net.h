/* Network plugins: how a library carries libmccl's data between hosts.
 *
 * A plugin is a shared library, libmccl-net-NAME.so (or libnccl-net-NAME.so), with one of the variables
 * mcclNetPlugin_v11, _v10, _v9, _v8 (or ncclNetPlugin_...). The newest is taken. The tables are those that
 * NCCL publishes for its plugins: what is built for one works with the other. MCCL_NET_PLUGIN=NAME chooses
 * it.
 *
 * All functions return at once; a null communicator or request, with mcclSuccess, means "not yet, call
 * again". Data lies in memory that regMr() knows. test() with `done` set ends the request.
 */
#ifndef MCCL_NET_H_
#define MCCL_NET_H_

#include <stddef.h>
#include <stdint.h>

#include "mccl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MCCL_NET_HANDLE_MAXSIZE 128
#define MCCL_NET_MAX_REQUESTS 32
#define MCCL_NET_MAX_DEVS_PER_NIC 4

/* Kinds of memory, for regMr() and ptrSupport. */
#define MCCL_PTR_HOST 0x1
#define MCCL_PTR_MUSA 0x2
#define MCCL_PTR_DMABUF 0x4

typedef enum {
  MCCL_LOG_NONE = 0,
  MCCL_LOG_VERSION = 1,
  MCCL_LOG_WARN = 2,
  MCCL_LOG_INFO = 3,
  MCCL_LOG_ABORT = 4,
  MCCL_LOG_TRACE = 5
} mcclDebugLogLevel;

typedef void (*mcclDebugLogger_t)(mcclDebugLogLevel level, unsigned long flags, const char* file, int line,
                                  const char* format, ...);
/* Never called. */
typedef mcclResult_t (*mcclProfilerCallback_t)(void** eHandle, int type, void* pHandle, int64_t pluginId,
                                               void* extData);

typedef struct {
  int ndevs;
  int devs[MCCL_NET_MAX_DEVS_PER_NIC];
} mcclNetVDeviceProps_t;

typedef struct {
  int trafficClass; /* -1: any */
} mcclNetCommConfig_t;

typedef struct {
  char* name;
  char* pciPath; /* folder of the device in sysfs; may be null */
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int speed; /* Mbit/s */
  int port;
  float latency; /* us */
  int maxComms;
  int maxRecvs;
  int netDeviceType;
  int netDeviceVersion;
} mcclNetProperties_v8_t;

typedef struct {
  char* name;
  char* pciPath;
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int forceFlush;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  int netDeviceType;
  int netDeviceVersion;
  mcclNetVDeviceProps_t vProps;
  size_t maxP2pBytes;
  size_t maxCollBytes;
} mcclNetProperties_v9_t;
typedef mcclNetProperties_v9_t mcclNetProperties_v10_t;

typedef struct {
  char* name;
  char* pciPath;
  uint64_t guid;
  int ptrSupport;
  int regIsGlobal;
  int forceFlush;
  int speed;
  int port;
  float latency;
  int maxComms;
  int maxRecvs;
  int netDeviceType;
  int netDeviceVersion;
  mcclNetVDeviceProps_t vProps;
  size_t maxP2pBytes;
  size_t maxCollBytes;
  int maxMultiRequestSize;
} mcclNetProperties_v11_t;

typedef struct {
  int32_t maxConcurrentPeers, minConcurrentPeers, maxFlowsPerPeer, minFlowsPerPeer;
} mcclNetCommAttr_v11_t;
typedef struct {
  mcclNetCommAttr_v11_t sendCommAttr, recvCommAttr;
  uint32_t op, algo, proto;
} mcclNetAttr_v11_t;

typedef struct {
  const char* name;
  mcclResult_t (*init)(mcclDebugLogger_t logFunction);
  mcclResult_t (*devices)(int* ndev);
  mcclResult_t (*getProperties)(int dev, mcclNetProperties_v8_t* props);
  mcclResult_t (*listen)(int dev, void* handle, void** listenComm);
  mcclResult_t (*connect)(int dev, void* handle, void** sendComm, void** sendDevComm);
  mcclResult_t (*accept)(void* listenComm, void** recvComm, void** recvDevComm);
  mcclResult_t (*regMr)(void* comm, void* data, size_t size, int type, void** mhandle);
  mcclResult_t (*regMrDmaBuf)(void* comm, void* data, size_t size, int type, uint64_t offset, int fd,
                              void** mhandle);
  mcclResult_t (*deregMr)(void* comm, void* mhandle);
  mcclResult_t (*isend)(void* sendComm, void* data, int size, int tag, void* mhandle, void** request);
  mcclResult_t (*irecv)(void* recvComm, int n, void** data, int* sizes, int* tags, void** mhandles,
                        void** request);
  mcclResult_t (*iflush)(void* recvComm, int n, void** data, int* sizes, void** mhandles, void** request);
  mcclResult_t (*test)(void* request, int* done, int* sizes);
  mcclResult_t (*closeSend)(void* sendComm);
  mcclResult_t (*closeRecv)(void* recvComm);
  mcclResult_t (*closeListen)(void* listenComm);
  mcclResult_t (*getDeviceMr)(void* comm, void* mhandle, void** dptr_mhandle);
  mcclResult_t (*irecvConsumed)(void* recvComm, int n, void* request);
} mcclNet_v8_t;

typedef struct {
  const char* name;
  mcclResult_t (*init)(mcclDebugLogger_t logFunction);
  mcclResult_t (*devices)(int* ndev);
  mcclResult_t (*getProperties)(int dev, mcclNetProperties_v9_t* props);
  mcclResult_t (*listen)(int dev, void* handle, void** listenComm);
  mcclResult_t (*connect)(int dev, void* handle, void** sendComm, void** sendDevComm);
  mcclResult_t (*accept)(void* listenComm, void** recvComm, void** recvDevComm);
  mcclResult_t (*regMr)(void* comm, void* data, size_t size, int type, void** mhandle);
  mcclResult_t (*regMrDmaBuf)(void* comm, void* data, size_t size, int type, uint64_t offset, int fd,
                              void** mhandle);
  mcclResult_t (*deregMr)(void* comm, void* mhandle);
  mcclResult_t (*isend)(void* sendComm, void* data, size_t size, int tag, void* mhandle, void** request);
  mcclResult_t (*irecv)(void* recvComm, int n, void** data, size_t* sizes, int* tags, void** mhandles,
                        void** request);
  mcclResult_t (*iflush)(void* recvComm, int n, void** data, int* sizes, void** mhandles, void** request);
  mcclResult_t (*test)(void* request, int* done, int* sizes);
  mcclResult_t (*closeSend)(void* sendComm);
  mcclResult_t (*closeRecv)(void* recvComm);
  mcclResult_t (*closeListen)(void* listenComm);
  mcclResult_t (*getDeviceMr)(void* comm, void* mhandle, void** dptr_mhandle);
  mcclResult_t (*irecvConsumed)(void* recvComm, int n, void* request);
  mcclResult_t (*makeVDevice)(int* d, mcclNetVDeviceProps_t* props);
} mcclNet_v9_t;

typedef struct {
  const char* name;
  mcclResult_t (*init)(mcclDebugLogger_t logFunction, mcclProfilerCallback_t profFunction);
  mcclResult_t (*devices)(int* ndev);
  mcclResult_t (*getProperties)(int dev, mcclNetProperties_v10_t* props);
  mcclResult_t (*listen)(int dev, void* handle, void** listenComm);
  mcclResult_t (*connect)(int dev, mcclNetCommConfig_t* config, void* handle, void** sendComm,
                          void** sendDevComm);
  mcclResult_t (*accept)(void* listenComm, void** recvComm, void** recvDevComm);
  mcclResult_t (*regMr)(void* comm, void* data, size_t size, int type, void** mhandle);
  mcclResult_t (*regMrDmaBuf)(void* comm, void* data, size_t size, int type, uint64_t offset, int fd,
                              void** mhandle);
  mcclResult_t (*deregMr)(void* comm, void* mhandle);
  mcclResult_t (*isend)(void* sendComm, void* data, size_t size, int tag, void* mhandle, void* phandle,
                        void** request);
  mcclResult_t (*irecv)(void* recvComm, int n, void** data, size_t* sizes, int* tags, void** mhandles,
                        void** phandles, void** request);
  mcclResult_t (*iflush)(void* recvComm, int n, void** data, int* sizes, void** mhandles, void** request);
  mcclResult_t (*test)(void* request, int* done, int* sizes);
  mcclResult_t (*closeSend)(void* sendComm);
  mcclResult_t (*closeRecv)(void* recvComm);
  mcclResult_t (*closeListen)(void* listenComm);
  mcclResult_t (*getDeviceMr)(void* comm, void* mhandle, void** dptr_mhandle);
  mcclResult_t (*irecvConsumed)(void* recvComm, int n, void* request);
  mcclResult_t (*makeVDevice)(int* d, mcclNetVDeviceProps_t* props);
} mcclNet_v10_t;

typedef struct {
  const char* name;
  mcclResult_t (*init)(void** ctx, uint64_t commId, mcclNetCommConfig_t* config,
                       mcclDebugLogger_t logFunction, mcclProfilerCallback_t profFunction);
  mcclResult_t (*devices)(int* ndev);
  mcclResult_t (*getProperties)(int dev, mcclNetProperties_v11_t* props);
  mcclResult_t (*listen)(void* ctx, int dev, void* handle, void** listenComm);
  mcclResult_t (*connect)(void* ctx, int dev, void* handle, void** sendComm, void** sendDevComm);
  mcclResult_t (*accept)(void* listenComm, void** recvComm, void** recvDevComm);
  mcclResult_t (*regMr)(void* comm, void* data, size_t size, int type, void** mhandle);
  mcclResult_t (*regMrDmaBuf)(void* comm, void* data, size_t size, int type, uint64_t offset, int fd,
                              void** mhandle);
  mcclResult_t (*deregMr)(void* comm, void* mhandle);
  mcclResult_t (*isend)(void* sendComm, void* data, size_t size, int tag, void* mhandle, void* phandle,
                        void** request);
  mcclResult_t (*irecv)(void* recvComm, int n, void** data, size_t* sizes, int* tags, void** mhandles,
                        void** phandles, void** request);
  mcclResult_t (*iflush)(void* recvComm, int n, void** data, int* sizes, void** mhandles, void** request);
  mcclResult_t (*test)(void* request, int* done, int* sizes);
  mcclResult_t (*closeSend)(void* sendComm);
  mcclResult_t (*closeRecv)(void* recvComm);
  mcclResult_t (*closeListen)(void* listenComm);
  mcclResult_t (*getDeviceMr)(void* comm, void* mhandle, void** dptr_mhandle);
  mcclResult_t (*irecvConsumed)(void* recvComm, int n, void* request);
  mcclResult_t (*makeVDevice)(int* d, mcclNetVDeviceProps_t* props);
  mcclResult_t (*finalize)(void* ctx);
  mcclResult_t (*setNetAttr)(void* ctx, mcclNetAttr_v11_t* netAttr);
} mcclNet_v11_t;

#ifdef __cplusplus
}
#endif

#endif /* MCCL_NET_H_ */
