/* NVML's virtual GPUs and licenses, which there are none of (part of nvml.h): CUDA 12.4's numbers and
 * records. */
#ifndef MUSASHIM_NVML_TYPES_VIRTUAL_H
#define MUSASHIM_NVML_TYPES_VIRTUAL_H

#include "device_numbers.h"

#define NVML_GRID_LICENSE_BUFFER_SIZE 128
#define NVML_GRID_LICENSE_EXPIRY_INVALID 1
#define NVML_GRID_LICENSE_EXPIRY_NOT_APPLICABLE 3
#define NVML_GRID_LICENSE_EXPIRY_NOT_AVAILABLE 0
#define NVML_GRID_LICENSE_EXPIRY_PERMANENT 4
#define NVML_GRID_LICENSE_EXPIRY_VALID 2
#define NVML_GRID_LICENSE_FEATURE_MAX_COUNT 3
#define NVML_GRID_LICENSE_STATE_LICENSED 5
#define NVML_GRID_LICENSE_STATE_UNINITIALIZED 1
#define NVML_GRID_LICENSE_STATE_UNKNOWN 0
#define NVML_GRID_LICENSE_STATE_UNLICENSED 4
#define NVML_GRID_LICENSE_STATE_UNLICENSED_RESTRICTED 3
#define NVML_GRID_LICENSE_STATE_UNLICENSED_UNRESTRICTED 2
#define NVML_INVALID_VGPU_PLACEMENT_ID 0xFFFF
#define NVML_SUPPORTED_VGPU_SCHEDULER_POLICY_COUNT 3
#define NVML_VGPU_NAME_BUFFER_SIZE 64
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION 0 : 0
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_NO 0x0
#define NVML_VGPU_PGPU_VIRTUALIZATION_CAP_MIGRATION_YES 0x1
#define NVML_VGPU_SCHEDULER_ARR_DEFAULT 0
#define NVML_VGPU_SCHEDULER_ARR_DISABLE 1
#define NVML_VGPU_SCHEDULER_ARR_ENABLE 2
#define NVML_VGPU_SCHEDULER_POLICY_BEST_EFFORT 1
#define NVML_VGPU_SCHEDULER_POLICY_EQUAL_SHARE 2
#define NVML_VGPU_SCHEDULER_POLICY_FIXED_SHARE 3
#define NVML_VGPU_SCHEDULER_POLICY_UNKNOWN 0
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION 0 : 0
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION_NO 0x0
#define NVML_VGPU_VIRTUALIZATION_CAP_MIGRATION_YES 0x1

typedef enum nvmlGpuVirtualizationMode {
  NVML_GPU_VIRTUALIZATION_MODE_NONE = 0,
  NVML_GPU_VIRTUALIZATION_MODE_PASSTHROUGH = 1,
  NVML_GPU_VIRTUALIZATION_MODE_VGPU = 2,
  NVML_GPU_VIRTUALIZATION_MODE_HOST_VGPU = 3,
  NVML_GPU_VIRTUALIZATION_MODE_HOST_VSGA = 4
} nvmlGpuVirtualizationMode_t;

typedef enum nvmlHostVgpuMode_enum {
  NVML_HOST_VGPU_MODE_NON_SRIOV = 0,
  NVML_HOST_VGPU_MODE_SRIOV = 1
} nvmlHostVgpuMode_t;

typedef enum nvmlVgpuVmIdType { NVML_VGPU_VM_ID_DOMAIN_ID = 0, NVML_VGPU_VM_ID_UUID = 1 } nvmlVgpuVmIdType_t;

typedef enum nvmlVgpuGuestInfoState_enum {
  NVML_VGPU_INSTANCE_GUEST_INFO_STATE_UNINITIALIZED = 0,
  NVML_VGPU_INSTANCE_GUEST_INFO_STATE_INITIALIZED = 1
} nvmlVgpuGuestInfoState_t;

typedef enum {
  NVML_GRID_LICENSE_FEATURE_CODE_UNKNOWN = 0,
  NVML_GRID_LICENSE_FEATURE_CODE_VGPU = 1,
  NVML_GRID_LICENSE_FEATURE_CODE_NVIDIA_RTX = 2,
  NVML_GRID_LICENSE_FEATURE_CODE_VWORKSTATION = 2,
  NVML_GRID_LICENSE_FEATURE_CODE_GAMING = 3,
  NVML_GRID_LICENSE_FEATURE_CODE_COMPUTE = 4
} nvmlGridLicenseFeatureCode_t;

typedef enum nvmlVgpuCapability_enum {
  NVML_VGPU_CAP_NVLINK_P2P = 0,
  NVML_VGPU_CAP_GPUDIRECT = 1,
  NVML_VGPU_CAP_MULTI_VGPU_EXCLUSIVE = 2,
  NVML_VGPU_CAP_EXCLUSIVE_TYPE = 3,
  NVML_VGPU_CAP_EXCLUSIVE_SIZE = 4,
  NVML_VGPU_CAP_COUNT = 5
} nvmlVgpuCapability_t;

typedef enum nvmlVgpuDriverCapability_enum {
  NVML_VGPU_DRIVER_CAP_HETEROGENEOUS_MULTI_VGPU = 0,
  NVML_VGPU_DRIVER_CAP_COUNT = 1
} nvmlVgpuDriverCapability_t;

typedef enum nvmlDeviceVgpuCapability_enum {
  NVML_DEVICE_VGPU_CAP_FRACTIONAL_MULTI_VGPU = 0,
  NVML_DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_PROFILES = 1,
  NVML_DEVICE_VGPU_CAP_HETEROGENEOUS_TIMESLICE_SIZES = 2,
  NVML_DEVICE_VGPU_CAP_READ_DEVICE_BUFFER_BW = 3,
  NVML_DEVICE_VGPU_CAP_WRITE_DEVICE_BUFFER_BW = 4,
  NVML_DEVICE_VGPU_CAP_DEVICE_STREAMING = 5,
  NVML_DEVICE_VGPU_CAP_MINI_QUARTER_GPU = 6,
  NVML_DEVICE_VGPU_CAP_COMPUTE_MEDIA_ENGINE_GPU = 7,
  NVML_DEVICE_VGPU_CAP_COUNT = 8
} nvmlDeviceVgpuCapability_t;

typedef unsigned int nvmlVgpuTypeId_t;

typedef unsigned int nvmlVgpuInstance_t;

typedef struct {
  unsigned int version;
  unsigned int mode;
} nvmlVgpuHeterogeneousMode_v1_t;

typedef nvmlVgpuHeterogeneousMode_v1_t nvmlVgpuHeterogeneousMode_t;

typedef struct {
  unsigned int version;
  unsigned int placementId;
} nvmlVgpuPlacementId_v1_t;

typedef nvmlVgpuPlacementId_v1_t nvmlVgpuPlacementId_t;

typedef struct {
  unsigned int version;
  unsigned int placementSize;
  unsigned int count;
  unsigned int* placementIds;
} nvmlVgpuPlacementList_v1_t;

typedef nvmlVgpuPlacementList_v1_t nvmlVgpuPlacementList_t;

typedef struct nvmlVgpuInstanceUtilizationSample_st {
  nvmlVgpuInstance_t vgpuInstance;
  unsigned long long timeStamp;
  nvmlValue_t smUtil;
  nvmlValue_t memUtil;
  nvmlValue_t encUtil;
  nvmlValue_t decUtil;
} nvmlVgpuInstanceUtilizationSample_t;

typedef struct {
  unsigned long long timeStamp;
  nvmlVgpuInstance_t vgpuInstance;
  nvmlValue_t smUtil;
  nvmlValue_t memUtil;
  nvmlValue_t encUtil;
  nvmlValue_t decUtil;
  nvmlValue_t jpgUtil;
  nvmlValue_t ofaUtil;
} nvmlVgpuInstanceUtilizationInfo_v1_t;

typedef struct {
  unsigned int version;
  nvmlValueType_t sampleValType;
  unsigned int vgpuInstanceCount;
  unsigned long long lastSeenTimeStamp;
  nvmlVgpuInstanceUtilizationInfo_v1_t* vgpuUtilArray;
} nvmlVgpuInstancesUtilizationInfo_v1_t;

typedef nvmlVgpuInstancesUtilizationInfo_v1_t nvmlVgpuInstancesUtilizationInfo_t;

typedef struct nvmlVgpuProcessUtilizationSample_st {
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int pid;
  char processName[64];
  unsigned long long timeStamp;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
} nvmlVgpuProcessUtilizationSample_t;

typedef struct {
  char processName[64];
  unsigned long long timeStamp;
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int pid;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
  unsigned int jpgUtil;
  unsigned int ofaUtil;
} nvmlVgpuProcessUtilizationInfo_v1_t;

typedef struct {
  unsigned int version;
  unsigned int vgpuProcessCount;
  unsigned long long lastSeenTimeStamp;
  nvmlVgpuProcessUtilizationInfo_v1_t* vgpuProcUtilArray;
} nvmlVgpuProcessesUtilizationInfo_v1_t;

typedef nvmlVgpuProcessesUtilizationInfo_v1_t nvmlVgpuProcessesUtilizationInfo_t;

typedef union {
  struct {
    unsigned int avgFactor;
    unsigned int timeslice;
  } vgpuSchedDataWithARR;
  struct {
    unsigned int timeslice;
  } vgpuSchedData;
} nvmlVgpuSchedulerParams_t;

typedef struct nvmlVgpuSchedulerLogEntries_st {
  unsigned long long timestamp;
  unsigned long long timeRunTotal;
  unsigned long long timeRun;
  unsigned int swRunlistId;
  unsigned long long targetTimeSlice;
  unsigned long long cumulativePreemptionTime;
} nvmlVgpuSchedulerLogEntry_t;

typedef struct nvmlVgpuSchedulerLog_st {
  unsigned int engineId;
  unsigned int schedulerPolicy;
  unsigned int arrMode;
  nvmlVgpuSchedulerParams_t schedulerParams;
  unsigned int entriesCount;
  nvmlVgpuSchedulerLogEntry_t logEntries[200];
} nvmlVgpuSchedulerLog_t;

typedef struct nvmlVgpuSchedulerGetState_st {
  unsigned int schedulerPolicy;
  unsigned int arrMode;
  nvmlVgpuSchedulerParams_t schedulerParams;
} nvmlVgpuSchedulerGetState_t;

typedef union {
  struct {
    unsigned int avgFactor;
    unsigned int frequency;
  } vgpuSchedDataWithARR;
  struct {
    unsigned int timeslice;
  } vgpuSchedData;
} nvmlVgpuSchedulerSetParams_t;

typedef struct nvmlVgpuSchedulerSetState_st {
  unsigned int schedulerPolicy;
  unsigned int enableARRMode;
  nvmlVgpuSchedulerSetParams_t schedulerParams;
} nvmlVgpuSchedulerSetState_t;

typedef struct nvmlVgpuSchedulerCapabilities_st {
  unsigned int supportedSchedulers[3];
  unsigned int maxTimeslice;
  unsigned int minTimeslice;
  unsigned int isArrModeSupported;
  unsigned int maxFrequencyForARR;
  unsigned int minFrequencyForARR;
  unsigned int maxAvgFactorForARR;
  unsigned int minAvgFactorForARR;
} nvmlVgpuSchedulerCapabilities_t;

typedef struct nvmlVgpuLicenseExpiry_st {
  unsigned int year;
  unsigned short month;
  unsigned short day;
  unsigned short hour;
  unsigned short min;
  unsigned short sec;
  unsigned char status;
} nvmlVgpuLicenseExpiry_t;

typedef struct nvmlVgpuLicenseInfo_st {
  unsigned char isLicensed;
  nvmlVgpuLicenseExpiry_t licenseExpiry;
  unsigned int currentState;
} nvmlVgpuLicenseInfo_t;

typedef struct nvmlGridLicenseExpiry_st {
  unsigned int year;
  unsigned short month;
  unsigned short day;
  unsigned short hour;
  unsigned short min;
  unsigned short sec;
  unsigned char status;
} nvmlGridLicenseExpiry_t;

typedef struct nvmlGridLicensableFeature_st {
  nvmlGridLicenseFeatureCode_t featureCode;
  unsigned int featureState;
  char licenseInfo[128];
  char productName[128];
  unsigned int featureEnabled;
  nvmlGridLicenseExpiry_t licenseExpiry;
} nvmlGridLicensableFeature_t;

typedef struct nvmlGridLicensableFeatures_st {
  int isGridLicenseSupported;
  unsigned int licensableFeaturesCount;
  nvmlGridLicensableFeature_t gridLicensableFeatures[3];
} nvmlGridLicensableFeatures_t;

typedef struct nvmlVgpuVersion_st {
  unsigned int minVersion;
  unsigned int maxVersion;
} nvmlVgpuVersion_t;

typedef struct nvmlVgpuMetadata_st {
  unsigned int version;
  unsigned int revision;
  nvmlVgpuGuestInfoState_t guestInfoState;
  char guestDriverVersion[80];
  char hostDriverVersion[80];
  unsigned int reserved[6];
  unsigned int vgpuVirtualizationCaps;
  unsigned int guestVgpuVersion;
  unsigned int opaqueDataSize;
  char opaqueData[4];
} nvmlVgpuMetadata_t;

typedef struct nvmlVgpuPgpuMetadata_st {
  unsigned int version;
  unsigned int revision;
  char hostDriverVersion[80];
  unsigned int pgpuVirtualizationCaps;
  unsigned int reserved[5];
  nvmlVgpuVersion_t hostSupportedVgpuRange;
  unsigned int opaqueDataSize;
  char opaqueData[4];
} nvmlVgpuPgpuMetadata_t;

typedef enum nvmlVgpuVmCompatibility_enum {
  NVML_VGPU_VM_COMPATIBILITY_NONE = 0,
  NVML_VGPU_VM_COMPATIBILITY_COLD = 1,
  NVML_VGPU_VM_COMPATIBILITY_HIBERNATE = 2,
  NVML_VGPU_VM_COMPATIBILITY_SLEEP = 4,
  NVML_VGPU_VM_COMPATIBILITY_LIVE = 8
} nvmlVgpuVmCompatibility_t;

typedef enum nvmlVgpuPgpuCompatibilityLimitCode_enum {
  NVML_VGPU_COMPATIBILITY_LIMIT_NONE = 0,
  NVML_VGPU_COMPATIBILITY_LIMIT_HOST_DRIVER = 1,
  NVML_VGPU_COMPATIBILITY_LIMIT_GUEST_DRIVER = 2,
  NVML_VGPU_COMPATIBILITY_LIMIT_GPU = 4,
  NVML_VGPU_COMPATIBILITY_LIMIT_OTHER = 2147483648
} nvmlVgpuPgpuCompatibilityLimitCode_t;

typedef struct nvmlVgpuPgpuCompatibility_st {
  nvmlVgpuVmCompatibility_t vgpuVmCompatibility;
  nvmlVgpuPgpuCompatibilityLimitCode_t compatibilityLimitCode;
} nvmlVgpuPgpuCompatibility_t;

#define nvmlVgpuHeterogeneousMode_v1 NVML_STRUCT_VERSION(VgpuHeterogeneousMode, 1)
#define nvmlVgpuInstancesUtilizationInfo_v1 NVML_STRUCT_VERSION(VgpuInstancesUtilizationInfo, 1)
#define nvmlVgpuPlacementId_v1 NVML_STRUCT_VERSION(VgpuPlacementId, 1)
#define nvmlVgpuPlacementList_v1 NVML_STRUCT_VERSION(VgpuPlacementList, 1)
#define nvmlVgpuProcessesUtilizationInfo_v1 NVML_STRUCT_VERSION(VgpuProcessesUtilizationInfo, 1)

#endif /* MUSASHIM_NVML_TYPES_VIRTUAL_H */
