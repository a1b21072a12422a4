/* Parts of devices (MIG), their performance monitor and confidential computing, which there are none of (part
 * of nvml.h): CUDA 12.4's numbers and records. */
#ifndef MUSASHIM_NVML_TYPES_PARTS_H
#define MUSASHIM_NVML_TYPES_PARTS_H

#include "device_numbers.h"

#define NVML_CC_ACCEPTING_CLIENT_REQUESTS_FALSE 0
#define NVML_CC_ACCEPTING_CLIENT_REQUESTS_TRUE 1
#define NVML_CC_CEC_ATTESTATION_REPORT_NOT_PRESENT 0
#define NVML_CC_CEC_ATTESTATION_REPORT_PRESENT 1
#define NVML_CC_GPU_ATTESTATION_REPORT_SIZE 0x2000
#define NVML_CC_GPU_CEC_ATTESTATION_REPORT_SIZE 0x1000
#define NVML_CC_GPU_CEC_NONCE_SIZE 0x20
#define NVML_CC_KEY_ROTATION_THRESHOLD_ATTACKER_ADVANTAGE_MAX 75
#define NVML_CC_KEY_ROTATION_THRESHOLD_ATTACKER_ADVANTAGE_MIN 50
#define NVML_CC_SYSTEM_CPU_CAPS_AMD_SEV 1
#define NVML_CC_SYSTEM_CPU_CAPS_INTEL_TDX 2
#define NVML_CC_SYSTEM_CPU_CAPS_NONE 0
#define NVML_CC_SYSTEM_DEVTOOLS_MODE_OFF 0
#define NVML_CC_SYSTEM_DEVTOOLS_MODE_ON 1
#define NVML_CC_SYSTEM_ENVIRONMENT_PROD 2
#define NVML_CC_SYSTEM_ENVIRONMENT_SIM 1
#define NVML_CC_SYSTEM_ENVIRONMENT_UNAVAILABLE 0
#define NVML_CC_SYSTEM_FEATURE_DISABLED 0
#define NVML_CC_SYSTEM_FEATURE_ENABLED 1
#define NVML_CC_SYSTEM_GPUS_CC_CAPABLE 1
#define NVML_CC_SYSTEM_GPUS_CC_NOT_CAPABLE 0
#define NVML_CC_SYSTEM_MULTIGPU_NONE 0
#define NVML_CC_SYSTEM_MULTIGPU_PROTECTED_PCIE 1
#define NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_COUNT 0x1
#define NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED 0x0
#define NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE 0x0
#define NVML_COMPUTE_INSTANCE_PROFILE_1_SLICE_REV1 0x7
#define NVML_COMPUTE_INSTANCE_PROFILE_2_SLICE 0x1
#define NVML_COMPUTE_INSTANCE_PROFILE_3_SLICE 0x2
#define NVML_COMPUTE_INSTANCE_PROFILE_4_SLICE 0x3
#define NVML_COMPUTE_INSTANCE_PROFILE_6_SLICE 0x6
#define NVML_COMPUTE_INSTANCE_PROFILE_7_SLICE 0x4
#define NVML_COMPUTE_INSTANCE_PROFILE_8_SLICE 0x5
#define NVML_COMPUTE_INSTANCE_PROFILE_COUNT 0x8
#define NVML_DEVICE_MIG_DISABLE 0x0
#define NVML_DEVICE_MIG_ENABLE 0x1
#define NVML_FI_DEV_IS_MIG_MODE_INDEPENDENT_MIG_QUERY_CAPABLE 199
#define NVML_FI_DEV_IS_RESETLESS_MIG_SUPPORTED 184
#define NVML_GPM_METRICS_GET_VERSION 1
#define NVML_GPM_SUPPORT_VERSION 1
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE 0x0
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_REV1 0x7
#define NVML_GPU_INSTANCE_PROFILE_1_SLICE_REV2 0x9
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE 0x1
#define NVML_GPU_INSTANCE_PROFILE_2_SLICE_REV1 0x8
#define NVML_GPU_INSTANCE_PROFILE_3_SLICE 0x2
#define NVML_GPU_INSTANCE_PROFILE_4_SLICE 0x3
#define NVML_GPU_INSTANCE_PROFILE_6_SLICE 0x6
#define NVML_GPU_INSTANCE_PROFILE_7_SLICE 0x4
#define NVML_GPU_INSTANCE_PROFILE_8_SLICE 0x5
#define NVML_GPU_INSTANCE_PROFILE_COUNT 0xA

typedef struct nvmlEccErrorCounts_st {
  unsigned long long l1Cache;
  unsigned long long l2Cache;
  unsigned long long deviceMemory;
  unsigned long long registerFile;
} nvmlEccErrorCounts_t;

typedef struct {
  unsigned int version;
  unsigned long long aggregateUncParity;
  unsigned long long aggregateUncSecDed;
  unsigned long long aggregateCor;
  unsigned long long volatileUncParity;
  unsigned long long volatileUncSecDed;
  unsigned long long volatileCor;
  unsigned long long aggregateUncBucketL2;
  unsigned long long aggregateUncBucketSm;
  unsigned long long aggregateUncBucketPcie;
  unsigned long long aggregateUncBucketMcu;
  unsigned long long aggregateUncBucketOther;
  unsigned int bThresholdExceeded;
} nvmlEccSramErrorStatus_v1_t;

typedef nvmlEccSramErrorStatus_v1_t nvmlEccSramErrorStatus_t;

typedef struct nvmlAccountingStats_st {
  unsigned int gpuUtilization;
  unsigned int memoryUtilization;
  unsigned long long maxMemoryUsage;
  unsigned long long time;
  unsigned long long startTime;
  unsigned int isRunning;
  unsigned int reserved[5];
} nvmlAccountingStats_t;

typedef struct nvmlConfComputeSystemCaps_st {
  unsigned int cpuCaps;
  unsigned int gpusCaps;
} nvmlConfComputeSystemCaps_t;

typedef struct nvmlConfComputeSystemState_st {
  unsigned int environment;
  unsigned int ccFeature;
  unsigned int devToolsMode;
} nvmlConfComputeSystemState_t;

typedef struct {
  unsigned int version;
  unsigned int environment;
  unsigned int ccFeature;
  unsigned int devToolsMode;
  unsigned int multiGpuMode;
} nvmlSystemConfComputeSettings_v1_t;

typedef nvmlSystemConfComputeSettings_v1_t nvmlSystemConfComputeSettings_t;

typedef struct nvmlConfComputeMemSizeInfo_st {
  unsigned long long protectedMemSizeKib;
  unsigned long long unprotectedMemSizeKib;
} nvmlConfComputeMemSizeInfo_t;

typedef struct nvmlConfComputeGpuCertificate_st {
  unsigned int certChainSize;
  unsigned int attestationCertChainSize;
  unsigned char certChain[4096];
  unsigned char attestationCertChain[5120];
} nvmlConfComputeGpuCertificate_t;

typedef struct nvmlConfComputeGpuAttestationReport_st {
  unsigned int isCecAttestationReportPresent;
  unsigned int attestationReportSize;
  unsigned int cecAttestationReportSize;
  unsigned char nonce[32];
  unsigned char attestationReport[8192];
  unsigned char cecAttestationReport[4096];
} nvmlConfComputeGpuAttestationReport_t;

typedef struct nvmlConfComputeSetKeyRotationThresholdInfo_st {
  unsigned int version;
  unsigned long long maxAttackerAdvantage;
} nvmlConfComputeSetKeyRotationThresholdInfo_v1_t;

typedef nvmlConfComputeSetKeyRotationThresholdInfo_v1_t nvmlConfComputeSetKeyRotationThresholdInfo_t;

typedef struct nvmlConfComputeGetKeyRotationThresholdInfo_st {
  unsigned int version;
  unsigned long long attackerAdvantage;
} nvmlConfComputeGetKeyRotationThresholdInfo_v1_t;

typedef nvmlConfComputeGetKeyRotationThresholdInfo_v1_t nvmlConfComputeGetKeyRotationThresholdInfo_t;

typedef struct nvmlGpuInstancePlacement_st {
  unsigned int start;
  unsigned int size;
} nvmlGpuInstancePlacement_t;

typedef struct nvmlGpuInstanceProfileInfo_st {
  unsigned int id;
  unsigned int isP2pSupported;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int copyEngineCount;
  unsigned int decoderCount;
  unsigned int encoderCount;
  unsigned int jpegCount;
  unsigned int ofaCount;
  unsigned long long memorySizeMB;
} nvmlGpuInstanceProfileInfo_t;

typedef struct nvmlGpuInstanceProfileInfo_v2_st {
  unsigned int version;
  unsigned int id;
  unsigned int isP2pSupported;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int copyEngineCount;
  unsigned int decoderCount;
  unsigned int encoderCount;
  unsigned int jpegCount;
  unsigned int ofaCount;
  unsigned long long memorySizeMB;
  char name[96];
} nvmlGpuInstanceProfileInfo_v2_t;

typedef struct nvmlGpuInstanceProfileInfo_v3_st {
  unsigned int version;
  unsigned int id;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int copyEngineCount;
  unsigned int decoderCount;
  unsigned int encoderCount;
  unsigned int jpegCount;
  unsigned int ofaCount;
  unsigned long long memorySizeMB;
  char name[96];
  unsigned int capabilities;
} nvmlGpuInstanceProfileInfo_v3_t;

typedef struct nvmlGpuInstanceInfo_st {
  nvmlDevice_t device;
  unsigned int id;
  unsigned int profileId;
  nvmlGpuInstancePlacement_t placement;
} nvmlGpuInstanceInfo_t;

typedef struct nvmlGpuInstance_st* nvmlGpuInstance_t;

typedef struct nvmlComputeInstancePlacement_st {
  unsigned int start;
  unsigned int size;
} nvmlComputeInstancePlacement_t;

typedef struct nvmlComputeInstanceProfileInfo_st {
  unsigned int id;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
} nvmlComputeInstanceProfileInfo_t;

typedef struct nvmlComputeInstanceProfileInfo_v2_st {
  unsigned int version;
  unsigned int id;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  char name[96];
} nvmlComputeInstanceProfileInfo_v2_t;

typedef struct nvmlComputeInstanceProfileInfo_v3_st {
  unsigned int version;
  unsigned int id;
  unsigned int sliceCount;
  unsigned int instanceCount;
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  char name[96];
  unsigned int capabilities;
} nvmlComputeInstanceProfileInfo_v3_t;

typedef struct nvmlComputeInstanceInfo_st {
  nvmlDevice_t device;
  nvmlGpuInstance_t gpuInstance;
  unsigned int id;
  unsigned int profileId;
  nvmlComputeInstancePlacement_t placement;
} nvmlComputeInstanceInfo_t;

typedef struct nvmlComputeInstance_st* nvmlComputeInstance_t;

typedef enum {
  NVML_GPM_METRIC_GRAPHICS_UTIL = 1,
  NVML_GPM_METRIC_SM_UTIL = 2,
  NVML_GPM_METRIC_SM_OCCUPANCY = 3,
  NVML_GPM_METRIC_INTEGER_UTIL = 4,
  NVML_GPM_METRIC_ANY_TENSOR_UTIL = 5,
  NVML_GPM_METRIC_DFMA_TENSOR_UTIL = 6,
  NVML_GPM_METRIC_HMMA_TENSOR_UTIL = 7,
  NVML_GPM_METRIC_IMMA_TENSOR_UTIL = 9,
  NVML_GPM_METRIC_DRAM_BW_UTIL = 10,
  NVML_GPM_METRIC_FP64_UTIL = 11,
  NVML_GPM_METRIC_FP32_UTIL = 12,
  NVML_GPM_METRIC_FP16_UTIL = 13,
  NVML_GPM_METRIC_PCIE_TX_PER_SEC = 20,
  NVML_GPM_METRIC_PCIE_RX_PER_SEC = 21,
  NVML_GPM_METRIC_NVDEC_0_UTIL = 30,
  NVML_GPM_METRIC_NVDEC_1_UTIL = 31,
  NVML_GPM_METRIC_NVDEC_2_UTIL = 32,
  NVML_GPM_METRIC_NVDEC_3_UTIL = 33,
  NVML_GPM_METRIC_NVDEC_4_UTIL = 34,
  NVML_GPM_METRIC_NVDEC_5_UTIL = 35,
  NVML_GPM_METRIC_NVDEC_6_UTIL = 36,
  NVML_GPM_METRIC_NVDEC_7_UTIL = 37,
  NVML_GPM_METRIC_NVJPG_0_UTIL = 40,
  NVML_GPM_METRIC_NVJPG_1_UTIL = 41,
  NVML_GPM_METRIC_NVJPG_2_UTIL = 42,
  NVML_GPM_METRIC_NVJPG_3_UTIL = 43,
  NVML_GPM_METRIC_NVJPG_4_UTIL = 44,
  NVML_GPM_METRIC_NVJPG_5_UTIL = 45,
  NVML_GPM_METRIC_NVJPG_6_UTIL = 46,
  NVML_GPM_METRIC_NVJPG_7_UTIL = 47,
  NVML_GPM_METRIC_NVOFA_0_UTIL = 50,
  NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC = 60,
  NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC = 61,
  NVML_GPM_METRIC_NVLINK_L0_RX_PER_SEC = 62,
  NVML_GPM_METRIC_NVLINK_L0_TX_PER_SEC = 63,
  NVML_GPM_METRIC_NVLINK_L1_RX_PER_SEC = 64,
  NVML_GPM_METRIC_NVLINK_L1_TX_PER_SEC = 65,
  NVML_GPM_METRIC_NVLINK_L2_RX_PER_SEC = 66,
  NVML_GPM_METRIC_NVLINK_L2_TX_PER_SEC = 67,
  NVML_GPM_METRIC_NVLINK_L3_RX_PER_SEC = 68,
  NVML_GPM_METRIC_NVLINK_L3_TX_PER_SEC = 69,
  NVML_GPM_METRIC_NVLINK_L4_RX_PER_SEC = 70,
  NVML_GPM_METRIC_NVLINK_L4_TX_PER_SEC = 71,
  NVML_GPM_METRIC_NVLINK_L5_RX_PER_SEC = 72,
  NVML_GPM_METRIC_NVLINK_L5_TX_PER_SEC = 73,
  NVML_GPM_METRIC_NVLINK_L6_RX_PER_SEC = 74,
  NVML_GPM_METRIC_NVLINK_L6_TX_PER_SEC = 75,
  NVML_GPM_METRIC_NVLINK_L7_RX_PER_SEC = 76,
  NVML_GPM_METRIC_NVLINK_L7_TX_PER_SEC = 77,
  NVML_GPM_METRIC_NVLINK_L8_RX_PER_SEC = 78,
  NVML_GPM_METRIC_NVLINK_L8_TX_PER_SEC = 79,
  NVML_GPM_METRIC_NVLINK_L9_RX_PER_SEC = 80,
  NVML_GPM_METRIC_NVLINK_L9_TX_PER_SEC = 81,
  NVML_GPM_METRIC_NVLINK_L10_RX_PER_SEC = 82,
  NVML_GPM_METRIC_NVLINK_L10_TX_PER_SEC = 83,
  NVML_GPM_METRIC_NVLINK_L11_RX_PER_SEC = 84,
  NVML_GPM_METRIC_NVLINK_L11_TX_PER_SEC = 85,
  NVML_GPM_METRIC_NVLINK_L12_RX_PER_SEC = 86,
  NVML_GPM_METRIC_NVLINK_L12_TX_PER_SEC = 87,
  NVML_GPM_METRIC_NVLINK_L13_RX_PER_SEC = 88,
  NVML_GPM_METRIC_NVLINK_L13_TX_PER_SEC = 89,
  NVML_GPM_METRIC_NVLINK_L14_RX_PER_SEC = 90,
  NVML_GPM_METRIC_NVLINK_L14_TX_PER_SEC = 91,
  NVML_GPM_METRIC_NVLINK_L15_RX_PER_SEC = 92,
  NVML_GPM_METRIC_NVLINK_L15_TX_PER_SEC = 93,
  NVML_GPM_METRIC_NVLINK_L16_RX_PER_SEC = 94,
  NVML_GPM_METRIC_NVLINK_L16_TX_PER_SEC = 95,
  NVML_GPM_METRIC_NVLINK_L17_RX_PER_SEC = 96,
  NVML_GPM_METRIC_NVLINK_L17_TX_PER_SEC = 97,
  NVML_GPM_METRIC_MAX = 98
} nvmlGpmMetricId_t;

typedef struct nvmlGpmSample_st* nvmlGpmSample_t;

typedef struct {
  unsigned int metricId;
  nvmlReturn_t nvmlReturn;
  double value;
  struct {
    char* shortName;
    char* longName;
    char* unit;
  } metricInfo;
} nvmlGpmMetric_t;

typedef struct {
  unsigned int version;
  unsigned int numMetrics;
  nvmlGpmSample_t sample1;
  nvmlGpmSample_t sample2;
  nvmlGpmMetric_t metrics[98];
} nvmlGpmMetricsGet_t;

typedef struct {
  unsigned int version;
  unsigned int isSupportedDevice;
} nvmlGpmSupport_t;

#define nvmlComputeInstanceProfileInfo_v2 NVML_STRUCT_VERSION(ComputeInstanceProfileInfo, 2)
#define nvmlComputeInstanceProfileInfo_v3 NVML_STRUCT_VERSION(ComputeInstanceProfileInfo, 3)
#define nvmlConfComputeGetKeyRotationThresholdInfo_v1 \
  NVML_STRUCT_VERSION(ConfComputeGetKeyRotationThresholdInfo, 1)
#define nvmlConfComputeSetKeyRotationThresholdInfo_v1 \
  NVML_STRUCT_VERSION(ConfComputeSetKeyRotationThresholdInfo, 1)
#define nvmlEccBitType_t nvmlMemoryErrorType_t
#define nvmlEccSramErrorStatus_v1 NVML_STRUCT_VERSION(EccSramErrorStatus, 1)
#define nvmlEventMigConfigChange 0x0000000000000100LL
#define nvmlEventTypeDoubleBitEccError 0x0000000000000002LL
#define nvmlEventTypeSingleBitEccError 0x0000000000000001LL
#define nvmlGpuInstanceProfileInfo_v2 NVML_STRUCT_VERSION(GpuInstanceProfileInfo, 2)
#define nvmlGpuInstanceProfileInfo_v3 NVML_STRUCT_VERSION(GpuInstanceProfileInfo, 3)
#define nvmlSystemConfComputeSettings_v1 NVML_STRUCT_VERSION(SystemConfComputeSettings, 1)

#endif /* MUSASHIM_NVML_TYPES_PARTS_H */
