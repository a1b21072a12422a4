/* What NVML tells of devices and their links (part of nvml.h): records of CUDA 12.4's interface. Most of it
 * an emulated device does not have; shim/mtml/nvml.yml says why. */
#ifndef MUSASHIM_NVML_TYPES_DEVICE_H
#define MUSASHIM_NVML_TYPES_DEVICE_H

#include "device_numbers.h"

typedef struct {
  unsigned int version;
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  unsigned int baseClass;
  unsigned int subClass;
  char busId[32];
} nvmlPciInfoExt_v1_t;

typedef nvmlPciInfoExt_v1_t nvmlPciInfoExt_t;

typedef struct {
  unsigned int pid;
  unsigned long long usedGpuMemory;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
  unsigned long long usedGpuCcProtectedMemory;
} nvmlProcessDetail_v1_t;

typedef struct {
  unsigned int version;
  unsigned int mode;
  unsigned int numProcArrayEntries;
  nvmlProcessDetail_v1_t* procArray;
} nvmlProcessDetailList_v1_t;

typedef nvmlProcessDetailList_v1_t nvmlProcessDetailList_t;

typedef struct nvmlDeviceAttributes_st {
  unsigned int multiprocessorCount;
  unsigned int sharedCopyEngineCount;
  unsigned int sharedDecoderCount;
  unsigned int sharedEncoderCount;
  unsigned int sharedJpegCount;
  unsigned int sharedOfaCount;
  unsigned int gpuInstanceSliceCount;
  unsigned int computeInstanceSliceCount;
  unsigned long long memorySizeMB;
} nvmlDeviceAttributes_t;

typedef struct {
  unsigned int isC2cEnabled;
} nvmlC2cModeInfo_v1_t;

typedef struct nvmlRowRemapperHistogramValues_st {
  unsigned int max;
  unsigned int high;
  unsigned int partial;
  unsigned int low;
  unsigned int none;
} nvmlRowRemapperHistogramValues_t;

typedef enum nvmlBridgeChipType_enum {
  NVML_BRIDGE_CHIP_PLX = 0,
  NVML_BRIDGE_CHIP_BRO4 = 1
} nvmlBridgeChipType_t;

typedef enum nvmlNvLinkUtilizationCountUnits_enum {
  NVML_NVLINK_COUNTER_UNIT_CYCLES = 0,
  NVML_NVLINK_COUNTER_UNIT_PACKETS = 1,
  NVML_NVLINK_COUNTER_UNIT_BYTES = 2,
  NVML_NVLINK_COUNTER_UNIT_RESERVED = 3,
  NVML_NVLINK_COUNTER_UNIT_COUNT = 4
} nvmlNvLinkUtilizationCountUnits_t;

typedef enum nvmlNvLinkUtilizationCountPktTypes_enum {
  NVML_NVLINK_COUNTER_PKTFILTER_NOP = 1,
  NVML_NVLINK_COUNTER_PKTFILTER_READ = 2,
  NVML_NVLINK_COUNTER_PKTFILTER_WRITE = 4,
  NVML_NVLINK_COUNTER_PKTFILTER_RATOM = 8,
  NVML_NVLINK_COUNTER_PKTFILTER_NRATOM = 16,
  NVML_NVLINK_COUNTER_PKTFILTER_FLUSH = 32,
  NVML_NVLINK_COUNTER_PKTFILTER_RESPDATA = 64,
  NVML_NVLINK_COUNTER_PKTFILTER_RESPNODATA = 128,
  NVML_NVLINK_COUNTER_PKTFILTER_ALL = 255
} nvmlNvLinkUtilizationCountPktTypes_t;

typedef struct nvmlNvLinkUtilizationControl_st {
  nvmlNvLinkUtilizationCountUnits_t units;
  nvmlNvLinkUtilizationCountPktTypes_t pktfilter;
} nvmlNvLinkUtilizationControl_t;

typedef enum nvmlNvLinkErrorCounter_enum {
  NVML_NVLINK_ERROR_DL_REPLAY = 0,
  NVML_NVLINK_ERROR_DL_RECOVERY = 1,
  NVML_NVLINK_ERROR_DL_CRC_FLIT = 2,
  NVML_NVLINK_ERROR_DL_CRC_DATA = 3,
  NVML_NVLINK_ERROR_DL_ECC_DATA = 4,
  NVML_NVLINK_ERROR_COUNT = 5
} nvmlNvLinkErrorCounter_t;

typedef struct nvmlBridgeChipInfo_st {
  nvmlBridgeChipType_t type;
  unsigned int fwVersion;
} nvmlBridgeChipInfo_t;

typedef struct nvmlBridgeChipHierarchy_st {
  unsigned char bridgeCount;
  nvmlBridgeChipInfo_t bridgeChipInfo[128];
} nvmlBridgeChipHierarchy_t;

typedef enum nvmlSamplingType_enum {
  NVML_TOTAL_POWER_SAMPLES = 0,
  NVML_GPU_UTILIZATION_SAMPLES = 1,
  NVML_MEMORY_UTILIZATION_SAMPLES = 2,
  NVML_ENC_UTILIZATION_SAMPLES = 3,
  NVML_DEC_UTILIZATION_SAMPLES = 4,
  NVML_PROCESSOR_CLK_SAMPLES = 5,
  NVML_MEMORY_CLK_SAMPLES = 6,
  NVML_MODULE_POWER_SAMPLES = 7,
  NVML_JPG_UTILIZATION_SAMPLES = 8,
  NVML_OFA_UTILIZATION_SAMPLES = 9,
  NVML_SAMPLINGTYPE_COUNT = 10
} nvmlSamplingType_t;

typedef enum nvmlPcieUtilCounter_enum {
  NVML_PCIE_UTIL_TX_BYTES = 0,
  NVML_PCIE_UTIL_RX_BYTES = 1,
  NVML_PCIE_UTIL_COUNT = 2
} nvmlPcieUtilCounter_t;

typedef enum nvmlValueType_enum {
  NVML_VALUE_TYPE_DOUBLE = 0,
  NVML_VALUE_TYPE_UNSIGNED_INT = 1,
  NVML_VALUE_TYPE_UNSIGNED_LONG = 2,
  NVML_VALUE_TYPE_UNSIGNED_LONG_LONG = 3,
  NVML_VALUE_TYPE_SIGNED_LONG_LONG = 4,
  NVML_VALUE_TYPE_SIGNED_INT = 5,
  NVML_VALUE_TYPE_COUNT = 6
} nvmlValueType_t;

typedef union nvmlValue_st {
  double dVal;
  int siVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
  long long sllVal;
} nvmlValue_t;

typedef struct nvmlSample_st {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
} nvmlSample_t;

typedef enum nvmlPerfPolicyType_enum {
  NVML_PERF_POLICY_POWER = 0,
  NVML_PERF_POLICY_THERMAL = 1,
  NVML_PERF_POLICY_SYNC_BOOST = 2,
  NVML_PERF_POLICY_BOARD_LIMIT = 3,
  NVML_PERF_POLICY_LOW_UTILIZATION = 4,
  NVML_PERF_POLICY_RELIABILITY = 5,
  NVML_PERF_POLICY_TOTAL_APP_CLOCKS = 10,
  NVML_PERF_POLICY_TOTAL_BASE_CLOCKS = 11,
  NVML_PERF_POLICY_COUNT = 12
} nvmlPerfPolicyType_t;

typedef struct nvmlViolationTime_st {
  unsigned long long referenceTime;
  unsigned long long violationTime;
} nvmlViolationTime_t;

typedef enum {
  NVML_THERMAL_TARGET_NONE = 0,
  NVML_THERMAL_TARGET_GPU = 1,
  NVML_THERMAL_TARGET_MEMORY = 2,
  NVML_THERMAL_TARGET_POWER_SUPPLY = 4,
  NVML_THERMAL_TARGET_BOARD = 8,
  NVML_THERMAL_TARGET_VCD_BOARD = 9,
  NVML_THERMAL_TARGET_VCD_INLET = 10,
  NVML_THERMAL_TARGET_VCD_OUTLET = 11,
  NVML_THERMAL_TARGET_ALL = 15,
  NVML_THERMAL_TARGET_UNKNOWN = -1
} nvmlThermalTarget_t;

typedef enum {
  NVML_THERMAL_CONTROLLER_NONE = 0,
  NVML_THERMAL_CONTROLLER_GPU_INTERNAL = 1,
  NVML_THERMAL_CONTROLLER_ADM1032 = 2,
  NVML_THERMAL_CONTROLLER_ADT7461 = 3,
  NVML_THERMAL_CONTROLLER_MAX6649 = 4,
  NVML_THERMAL_CONTROLLER_MAX1617 = 5,
  NVML_THERMAL_CONTROLLER_LM99 = 6,
  NVML_THERMAL_CONTROLLER_LM89 = 7,
  NVML_THERMAL_CONTROLLER_LM64 = 8,
  NVML_THERMAL_CONTROLLER_G781 = 9,
  NVML_THERMAL_CONTROLLER_ADT7473 = 10,
  NVML_THERMAL_CONTROLLER_SBMAX6649 = 11,
  NVML_THERMAL_CONTROLLER_VBIOSEVT = 12,
  NVML_THERMAL_CONTROLLER_OS = 13,
  NVML_THERMAL_CONTROLLER_NVSYSCON_CANOAS = 14,
  NVML_THERMAL_CONTROLLER_NVSYSCON_E551 = 15,
  NVML_THERMAL_CONTROLLER_MAX6649R = 16,
  NVML_THERMAL_CONTROLLER_ADT7473S = 17,
  NVML_THERMAL_CONTROLLER_UNKNOWN = -1
} nvmlThermalController_t;

typedef struct {
  unsigned int count;
  struct {
    nvmlThermalController_t controller;
    int defaultMinTemp;
    int defaultMaxTemp;
    int currentTemp;
    nvmlThermalTarget_t target;
  } sensor[3];
} nvmlGpuThermalSettings_t;

typedef struct nvmlClkMonFaultInfo_struct {
  unsigned int clkApiDomain;
  unsigned int clkDomainFaultMask;
} nvmlClkMonFaultInfo_t;

typedef struct nvmlClkMonStatus_status {
  unsigned int bGlobalStatus;
  unsigned int clkMonListSize;
  nvmlClkMonFaultInfo_t clkMonList[32];
} nvmlClkMonStatus_t;

typedef enum nvmlClockId_enum {
  NVML_CLOCK_ID_CURRENT = 0,
  NVML_CLOCK_ID_APP_CLOCK_TARGET = 1,
  NVML_CLOCK_ID_APP_CLOCK_DEFAULT = 2,
  NVML_CLOCK_ID_CUSTOMER_BOOST_MAX = 3,
  NVML_CLOCK_ID_COUNT = 4
} nvmlClockId_t;

typedef enum nvmlDriverModel_enum { NVML_DRIVER_WDDM = 0, NVML_DRIVER_WDM = 1 } nvmlDriverModel_t;

typedef enum nvmlGom_enum {
  NVML_GOM_ALL_ON = 0,
  NVML_GOM_COMPUTE = 1,
  NVML_GOM_LOW_DP = 2
} nvmlGpuOperationMode_t;

typedef enum nvmlInforomObject_enum {
  NVML_INFOROM_OEM = 0,
  NVML_INFOROM_ECC = 1,
  NVML_INFOROM_POWER = 2,
  NVML_INFOROM_COUNT = 3
} nvmlInforomObject_t;

typedef enum nvmlMemoryLocation_enum {
  NVML_MEMORY_LOCATION_L1_CACHE = 0,
  NVML_MEMORY_LOCATION_L2_CACHE = 1,
  NVML_MEMORY_LOCATION_DRAM = 2,
  NVML_MEMORY_LOCATION_DEVICE_MEMORY = 2,
  NVML_MEMORY_LOCATION_REGISTER_FILE = 3,
  NVML_MEMORY_LOCATION_TEXTURE_MEMORY = 4,
  NVML_MEMORY_LOCATION_TEXTURE_SHM = 5,
  NVML_MEMORY_LOCATION_CBU = 6,
  NVML_MEMORY_LOCATION_SRAM = 7,
  NVML_MEMORY_LOCATION_COUNT = 8
} nvmlMemoryLocation_t;

typedef enum nvmlPageRetirementCause_enum {
  NVML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0,
  NVML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR = 1,
  NVML_PAGE_RETIREMENT_CAUSE_COUNT = 2
} nvmlPageRetirementCause_t;

typedef enum nvmlRestrictedAPI_enum {
  NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS = 0,
  NVML_RESTRICTED_API_SET_AUTO_BOOSTED_CLOCKS = 1,
  NVML_RESTRICTED_API_COUNT = 2
} nvmlRestrictedAPI_t;

typedef struct nvmlProcessUtilizationSample_st {
  unsigned int pid;
  unsigned long long timeStamp;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
} nvmlProcessUtilizationSample_t;

typedef struct {
  unsigned long long timeStamp;
  unsigned int pid;
  unsigned int smUtil;
  unsigned int memUtil;
  unsigned int encUtil;
  unsigned int decUtil;
  unsigned int jpgUtil;
  unsigned int ofaUtil;
} nvmlProcessUtilizationInfo_v1_t;

typedef struct {
  unsigned int version;
  unsigned int processSamplesCount;
  unsigned long long lastSeenTimeStamp;
  nvmlProcessUtilizationInfo_v1_t* procUtilArray;
} nvmlProcessesUtilizationInfo_v1_t;

typedef nvmlProcessesUtilizationInfo_v1_t nvmlProcessesUtilizationInfo_t;

typedef unsigned int nvmlDeviceArchitecture_t;

typedef unsigned int nvmlBusType_t;

typedef unsigned int nvmlFanControlPolicy_t;

typedef unsigned int nvmlPowerSource_t;

typedef enum nvmlGpuUtilizationDomainId_t {
  NVML_GPU_UTILIZATION_DOMAIN_GPU = 0,
  NVML_GPU_UTILIZATION_DOMAIN_FB = 1,
  NVML_GPU_UTILIZATION_DOMAIN_VID = 2,
  NVML_GPU_UTILIZATION_DOMAIN_BUS = 3
} nvmlGpuUtilizationDomainId_t;

typedef struct nvmlGpuDynamicPstatesInfo_st {
  unsigned int flags;
  struct {
    unsigned int bIsPresent;
    unsigned int percentage;
    unsigned int incThreshold;
    unsigned int decThreshold;
  } utilization[8];
} nvmlGpuDynamicPstatesInfo_t;

typedef struct nvmlFieldValue_st {
  unsigned int fieldId;
  unsigned int scopeId;
  long long timestamp;
  long long latencyUsec;
  nvmlValueType_t valueType;
  nvmlReturn_t nvmlReturn;
  nvmlValue_t value;
} nvmlFieldValue_t;

#define nvmlBlacklistDeviceInfo_t nvmlExcludedDeviceInfo_t
#define nvmlC2cModeInfo_v1 NVML_STRUCT_VERSION(C2cModeInfo, 1)
#define nvmlClocksEventReasonAll                                                        \
  (nvmlClocksThrottleReasonNone | nvmlClocksEventReasonGpuIdle |                        \
   nvmlClocksEventReasonApplicationsClocksSetting | nvmlClocksEventReasonSwPowerCap |   \
   nvmlClocksThrottleReasonHwSlowdown | nvmlClocksEventReasonSyncBoost |                \
   nvmlClocksEventReasonSwThermalSlowdown | nvmlClocksThrottleReasonHwThermalSlowdown | \
   nvmlClocksThrottleReasonHwPowerBrakeSlowdown | nvmlClocksEventReasonDisplayClockSetting)
#define nvmlClocksEventReasonApplicationsClocksSetting 0x0000000000000002LL
#define nvmlClocksEventReasonDisplayClockSetting 0x0000000000000100LL
#define nvmlClocksEventReasonGpuIdle 0x0000000000000001LL
#define nvmlClocksEventReasonNone 0x0000000000000000LL
#define nvmlClocksEventReasonSwPowerCap 0x0000000000000004LL
#define nvmlClocksEventReasonSwThermalSlowdown 0x0000000000000020LL
#define nvmlClocksEventReasonSyncBoost 0x0000000000000010LL
#define nvmlClocksThrottleReasonAll nvmlClocksEventReasonAll
#define nvmlClocksThrottleReasonApplicationsClocksSetting nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlClocksThrottleReasonDisplayClockSetting nvmlClocksEventReasonDisplayClockSetting
#define nvmlClocksThrottleReasonGpuIdle nvmlClocksEventReasonGpuIdle
#define nvmlClocksThrottleReasonHwPowerBrakeSlowdown 0x0000000000000080LL
#define nvmlClocksThrottleReasonHwSlowdown 0x0000000000000008LL
#define nvmlClocksThrottleReasonHwThermalSlowdown 0x0000000000000040LL
#define nvmlClocksThrottleReasonNone nvmlClocksEventReasonNone
#define nvmlClocksThrottleReasonSwPowerCap nvmlClocksEventReasonSwPowerCap
#define nvmlClocksThrottleReasonSwThermalSlowdown nvmlClocksEventReasonSwThermalSlowdown
#define nvmlClocksThrottleReasonSyncBoost nvmlClocksEventReasonSyncBoost
#define nvmlClocksThrottleReasonUserDefinedClocks nvmlClocksEventReasonApplicationsClocksSetting
#define nvmlEventTypeAll                                                                 \
  (nvmlEventTypeNone | nvmlEventTypeSingleBitEccError | nvmlEventTypeDoubleBitEccError | \
   nvmlEventTypePState | nvmlEventTypeClock | nvmlEventTypeXidCriticalError |            \
   nvmlEventTypePowerSourceChange | nvmlEventMigConfigChange)
#define nvmlEventTypeClock 0x0000000000000010LL
#define nvmlEventTypeNone 0x0000000000000000LL
#define nvmlEventTypePState 0x0000000000000004LL
#define nvmlEventTypePowerSourceChange 0x0000000000000080LL
#define nvmlEventTypeXidCriticalError 0x0000000000000008LL
#define nvmlFlagDefault 0x00
#define nvmlFlagForce 0x01
#define nvmlGpuFabricInfo_v2 NVML_STRUCT_VERSION(GpuFabricInfo, 2)
#define nvmlPciInfoExt_v1 NVML_STRUCT_VERSION(PciInfoExt, 1)
#define nvmlPowerValue_v2 NVML_STRUCT_VERSION(PowerValue, 2)
#define nvmlProcessDetailList_v1 NVML_STRUCT_VERSION(ProcessDetailList, 1)
#define nvmlProcessesUtilizationInfo_v1 NVML_STRUCT_VERSION(ProcessesUtilizationInfo, 1)

#endif /* MUSASHIM_NVML_TYPES_DEVICE_H */
