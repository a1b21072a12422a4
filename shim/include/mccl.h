/*
 * MCCL: collective communication between MUSA devices, at the level of NCCL 2.28.
 *
 * Values, layouts and semantics are NCCL's, so that ported code keeps its meaning;
 * every mccl* call has a pmccl* twin for profilers, the first is a weak alias.
 * A call returns when its work is queued. Errors: docs of the API list, shim/api/mccl.yml.
 */
#ifndef MCCL_H_
#define MCCL_H_

#include <limits.h>
#include <musa_runtime.h>
#include <stddef.h>

/* As with NCCL's header, the element types come along; define this to leave them out. */
#if defined(__cplusplus) && !defined(MCCL_NO_ELEMENT_TYPES)
#if __has_include(<musa_fp16.h>)
#include <musa_fp16.h>
#endif
#if __has_include(<musa_bf16.h>)
#include <musa_bf16.h>
#endif
#if __has_include(<musa_fp8.h>)
#include <musa_fp8.h>
#endif
#endif

/*
 * The version that code tests at compile time. From 2.28 on it promises the device API (mccl_device.h), which
 * programs then use without another test; MCCL_API_LEVEL=22707 shows 2.27.7 to those that are not to. All
 * calls are declared either way.
 */
#define MCCL_MAJOR 2
#if defined(MCCL_API_LEVEL) && MCCL_API_LEVEL < 22800
#define MCCL_MINOR 27
#define MCCL_PATCH 7
#define MCCL_VERSION_CODE 22707
#else
#define MCCL_MINOR 28
#define MCCL_PATCH 9
#define MCCL_VERSION_CODE 22809
#endif
#define MCCL_SUFFIX ""
#define MCCL_VERSION(X, Y, Z) (((X) <= 2 && (Y) <= 8) ? (X)*1000 + (Y)*100 + (Z) : (X)*10000 + (Y)*100 + (Z))

/* Features that MCCL's users test by name. */
#define MCCL_BF16_SUPPORTED 1
#define MCCL_FP8_SUPPORTED 1
#define MCCL_HAS_CONFIG 1

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mcclComm* mcclComm_t;
typedef struct mcclWindow_vidmem* mcclWindow_t;
#define MCCL_COMM_NULL NULL

#define MCCL_UNIQUE_ID_BYTES 128
typedef struct {
  char internal[MCCL_UNIQUE_ID_BYTES];
} mcclUniqueId;

typedef enum {
  mcclSuccess = 0,
  mcclUnhandledMusaError = 1,
  mcclSystemError = 2,
  mcclInternalError = 3,
  mcclInvalidArgument = 4,
  mcclInvalidUsage = 5,
  mcclRemoteError = 6,
  mcclInProgress = 7,
  mcclNumResults = 8
} mcclResult_t;

#define MCCL_CONFIG_UNDEF_INT INT_MIN
#define MCCL_CONFIG_UNDEF_PTR NULL
#define MCCL_SPLIT_NOCOLOR -1
#define MCCL_UNDEF_FLOAT -1.0f

#define MCCL_WIN_DEFAULT 0x00
#define MCCL_WIN_COLL_SYMMETRIC 0x01
#define MCCL_WIN_REQUIRED_ALIGNMENT 4096

#define MCCL_CTA_POLICY_DEFAULT 0x00
#define MCCL_CTA_POLICY_EFFICIENCY 0x01
#define MCCL_CTA_POLICY_ZERO 0x02

#define MCCL_SHRINK_DEFAULT 0x00
#define MCCL_SHRINK_ABORT 0x01
#define MCCL_REVOKE_DEFAULT 0x00

/* The order of the fields is ABI; code of an older level passes a smaller `size`. */
typedef struct mcclConfig_v22800 {
  size_t size;          /* set by the initialiser, as the next two */
  unsigned int magic;   /* 0xcafebeef */
  unsigned int version; /* of the header that the caller was compiled with */
  int blocking;         /* 0: calls may return mcclInProgress */
  int cgaClusterSize;
  int minCTAs;
  int maxCTAs;
  const char* netName;
  int splitShare;
  int trafficClass;
  const char* commName;
  int collnetEnable;
  int CTAPolicy;
  int shrinkShare;
  int nvlsCTAs;
  int nChannelsPerNetPeer;
  int nvlinkCentricSched;
} mcclConfig_t;

#define MCCL_CONFIG_INITIALIZER                                                                         \
  {                                                                                                     \
    sizeof(mcclConfig_t), 0xcafebeef, MCCL_VERSION(MCCL_MAJOR, MCCL_MINOR, MCCL_PATCH),                 \
        MCCL_CONFIG_UNDEF_INT /* blocking */, MCCL_CONFIG_UNDEF_INT /* cgaClusterSize */,               \
        MCCL_CONFIG_UNDEF_INT /* minCTAs */, MCCL_CONFIG_UNDEF_INT /* maxCTAs */,                       \
        MCCL_CONFIG_UNDEF_PTR /* netName */, MCCL_CONFIG_UNDEF_INT /* splitShare */,                    \
        MCCL_CONFIG_UNDEF_INT /* trafficClass */, MCCL_CONFIG_UNDEF_PTR /* commName */,                 \
        MCCL_CONFIG_UNDEF_INT /* collnetEnable */, MCCL_CONFIG_UNDEF_INT /* CTAPolicy */,               \
        MCCL_CONFIG_UNDEF_INT /* shrinkShare */, MCCL_CONFIG_UNDEF_INT /* nvlsCTAs */,                  \
        MCCL_CONFIG_UNDEF_INT /* nChannelsPerNetPeer */, MCCL_CONFIG_UNDEF_INT /* nvlinkCentricSched */ \
  }

typedef struct mcclSimInfo_v22200 {
  size_t size;
  unsigned int magic; /* 0x74685283 */
  unsigned int version;
  float estimatedTime; /* microseconds */
} mcclSimInfo_t;

#define MCCL_SIM_INFO_INITIALIZER \
  { sizeof(mcclSimInfo_t), 0x74685283, MCCL_VERSION(MCCL_MAJOR, MCCL_MINOR, MCCL_PATCH), MCCL_UNDEF_FLOAT }

typedef enum { mcclNumOps_dummy = 5 } mcclRedOp_dummy_t;
typedef enum {
  mcclSum = 0,
  mcclProd = 1,
  mcclMax = 2,
  mcclMin = 3,
  mcclAvg = 4,
  mcclNumOps = 5, /* handles of mcclRedOpCreate* start here */
  mcclMaxRedOp = 0x7fffffff >> (32 - 8 * sizeof(mcclRedOp_dummy_t))
} mcclRedOp_t;

typedef enum {
  mcclInt8 = 0,
  mcclChar = 0,
  mcclUint8 = 1,
  mcclInt32 = 2,
  mcclInt = 2,
  mcclUint32 = 3,
  mcclInt64 = 4,
  mcclUint64 = 5,
  mcclFloat16 = 6,
  mcclHalf = 6,
  mcclFloat32 = 7,
  mcclFloat = 7,
  mcclFloat64 = 8,
  mcclDouble = 8,
  mcclBfloat16 = 9,
  mcclFloat8e4m3 = 10,
  mcclFp8E4M3 = 10, /* the spelling of MCCL before 2.28 */
  mcclFloat8e5m2 = 11,
  mcclFp8E5M2 = 11,
  mcclNumTypes = 12
} mcclDataType_t;

typedef enum {
  mcclScalarDevice = 0,       /* in device memory, read when the operation runs */
  mcclScalarHostImmediate = 1 /* read before the call returns */
} mcclScalarResidence_t;

/* Life of the library */
mcclResult_t mcclGetVersion(int* version);
mcclResult_t pmcclGetVersion(int* version);
const char* mcclGetErrorString(mcclResult_t result);
const char* pmcclGetErrorString(mcclResult_t result);
const char* mcclGetLastError(mcclComm_t comm);
const char* pmcclGetLastError(mcclComm_t comm);
void mcclResetDebugInit(void); /* deprecated: the environment is read once */
void pmcclResetDebugInit(void);

/* Communicators */
mcclResult_t mcclGetUniqueId(mcclUniqueId* uniqueId);
mcclResult_t pmcclGetUniqueId(mcclUniqueId* uniqueId);
mcclResult_t mcclCommInitRank(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank);
mcclResult_t pmcclCommInitRank(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank);
mcclResult_t mcclCommInitRankConfig(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank,
                                    mcclConfig_t* config);
mcclResult_t pmcclCommInitRankConfig(mcclComm_t* comm, int nranks, mcclUniqueId commId, int rank,
                                     mcclConfig_t* config);
mcclResult_t mcclCommInitRankScalable(mcclComm_t* newcomm, int nranks, int myrank, int nId,
                                      mcclUniqueId* commIds, mcclConfig_t* config);
mcclResult_t pmcclCommInitRankScalable(mcclComm_t* newcomm, int nranks, int myrank, int nId,
                                       mcclUniqueId* commIds, mcclConfig_t* config);
mcclResult_t mcclCommInitAll(mcclComm_t* comms, int ndev, const int* devlist);
mcclResult_t pmcclCommInitAll(mcclComm_t* comms, int ndev, const int* devlist);
mcclResult_t mcclCommSplit(mcclComm_t comm, int color, int key, mcclComm_t* newcomm, mcclConfig_t* config);
mcclResult_t pmcclCommSplit(mcclComm_t comm, int color, int key, mcclComm_t* newcomm, mcclConfig_t* config);
mcclResult_t mcclCommShrink(mcclComm_t comm, int* excludeRanksList, int excludeRanksCount,
                            mcclComm_t* newcomm, mcclConfig_t* config, int shrinkFlags);
mcclResult_t pmcclCommShrink(mcclComm_t comm, int* excludeRanksList, int excludeRanksCount,
                             mcclComm_t* newcomm, mcclConfig_t* config, int shrinkFlags);
mcclResult_t mcclCommFinalize(mcclComm_t comm);
mcclResult_t pmcclCommFinalize(mcclComm_t comm);
mcclResult_t mcclCommDestroy(mcclComm_t comm);
mcclResult_t pmcclCommDestroy(mcclComm_t comm);
mcclResult_t mcclCommAbort(mcclComm_t comm);
mcclResult_t pmcclCommAbort(mcclComm_t comm);
mcclResult_t mcclCommRevoke(mcclComm_t comm, int revokeFlags);
mcclResult_t pmcclCommRevoke(mcclComm_t comm, int revokeFlags);
mcclResult_t mcclCommGetAsyncError(mcclComm_t comm, mcclResult_t* asyncError);
mcclResult_t pmcclCommGetAsyncError(mcclComm_t comm, mcclResult_t* asyncError);
mcclResult_t mcclCommCount(const mcclComm_t comm, int* count);
mcclResult_t pmcclCommCount(const mcclComm_t comm, int* count);
mcclResult_t mcclCommMuDevice(const mcclComm_t comm, int* device);
mcclResult_t pmcclCommMuDevice(const mcclComm_t comm, int* device);
mcclResult_t mcclCommUserRank(const mcclComm_t comm, int* rank);
mcclResult_t pmcclCommUserRank(const mcclComm_t comm, int* rank);

/* Memory and registration */
mcclResult_t mcclMemAlloc(void** ptr, size_t size);
mcclResult_t pmcclMemAlloc(void** ptr, size_t size);
mcclResult_t mcclMemFree(void* ptr);
mcclResult_t pmcclMemFree(void* ptr);
mcclResult_t mcclCommRegister(const mcclComm_t comm, void* buff, size_t size, void** handle);
mcclResult_t pmcclCommRegister(const mcclComm_t comm, void* buff, size_t size, void** handle);
mcclResult_t mcclCommDeregister(const mcclComm_t comm, void* handle);
mcclResult_t pmcclCommDeregister(const mcclComm_t comm, void* handle);
mcclResult_t mcclCommWindowRegister(mcclComm_t comm, void* buff, size_t size, mcclWindow_t* win,
                                    int winFlags);
mcclResult_t pmcclCommWindowRegister(mcclComm_t comm, void* buff, size_t size, mcclWindow_t* win,
                                     int winFlags);
mcclResult_t mcclCommWindowDeregister(mcclComm_t comm, mcclWindow_t win);
mcclResult_t pmcclCommWindowDeregister(mcclComm_t comm, mcclWindow_t win);

/* Reduction operations of the user */
mcclResult_t mcclRedOpCreatePreMulSum(mcclRedOp_t* op, void* scalar, mcclDataType_t datatype,
                                      mcclScalarResidence_t residence, mcclComm_t comm);
mcclResult_t pmcclRedOpCreatePreMulSum(mcclRedOp_t* op, void* scalar, mcclDataType_t datatype,
                                       mcclScalarResidence_t residence, mcclComm_t comm);
mcclResult_t mcclRedOpDestroy(mcclRedOp_t op, mcclComm_t comm);
mcclResult_t pmcclRedOpDestroy(mcclRedOp_t op, mcclComm_t comm);

/* Collectives: queued on `stream`; counts in elements */
mcclResult_t mcclReduce(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                        mcclRedOp_t op, int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclReduce(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                         mcclRedOp_t op, int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclBcast(void* buff, size_t count, mcclDataType_t datatype, int root, mcclComm_t comm,
                       musaStream_t stream);
mcclResult_t pmcclBcast(void* buff, size_t count, mcclDataType_t datatype, int root, mcclComm_t comm,
                        musaStream_t stream);
mcclResult_t mcclBroadcast(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                           int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclBroadcast(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                            int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclAllReduce(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                           mcclRedOp_t op, mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclAllReduce(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                            mcclRedOp_t op, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount,
                               mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount,
                                mcclDataType_t datatype, mcclRedOp_t op, mcclComm_t comm,
                                musaStream_t stream);
mcclResult_t mcclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount, mcclDataType_t datatype,
                           mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount, mcclDataType_t datatype,
                            mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclAlltoAll(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                          mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclAlltoAll(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                           mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclGather(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype, int root,
                        mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclGather(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                         int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t mcclScatter(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                         int root, mcclComm_t comm, musaStream_t stream);
mcclResult_t pmcclScatter(const void* sendbuff, void* recvbuff, size_t count, mcclDataType_t datatype,
                          int root, mcclComm_t comm, musaStream_t stream);

/* Point to point */
mcclResult_t mcclSend(const void* sendbuff, size_t count, mcclDataType_t datatype, int peer, mcclComm_t comm,
                      musaStream_t stream);
mcclResult_t pmcclSend(const void* sendbuff, size_t count, mcclDataType_t datatype, int peer, mcclComm_t comm,
                       musaStream_t stream);
mcclResult_t mcclRecv(void* recvbuff, size_t count, mcclDataType_t datatype, int peer, mcclComm_t comm,
                      musaStream_t stream);
mcclResult_t pmcclRecv(void* recvbuff, size_t count, mcclDataType_t datatype, int peer, mcclComm_t comm,
                       musaStream_t stream);

/* Groups: the calls between Start and End are one; state of the calling thread */
mcclResult_t mcclGroupStart(void);
mcclResult_t pmcclGroupStart(void);
mcclResult_t mcclGroupEnd(void);
mcclResult_t pmcclGroupEnd(void);
mcclResult_t mcclGroupSimulateEnd(mcclSimInfo_t* simInfo);
mcclResult_t pmcclGroupSimulateEnd(mcclSimInfo_t* simInfo);
#ifdef __cplusplus
}
#endif

#endif /* MCCL_H_ */
