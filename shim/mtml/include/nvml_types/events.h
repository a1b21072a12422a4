/* Units, events, fields, sessions and the fabric by NVML (part of nvml.h): records of CUDA 12.4's interface.
 */
#ifndef MUSASHIM_NVML_TYPES_EVENTS_H
#define MUSASHIM_NVML_TYPES_EVENTS_H

#include "device_numbers.h"
#include "virtual.h"

typedef struct nvmlUnit_st* nvmlUnit_t;

typedef struct nvmlHwbcEntry_st {
  unsigned int hwbcId;
  char firmwareVersion[32];
} nvmlHwbcEntry_t;

typedef enum nvmlFanState_enum { NVML_FAN_NORMAL = 0, NVML_FAN_FAILED = 1 } nvmlFanState_t;

typedef enum nvmlLedColor_enum { NVML_LED_COLOR_GREEN = 0, NVML_LED_COLOR_AMBER = 1 } nvmlLedColor_t;

typedef struct nvmlLedState_st {
  char cause[256];
  nvmlLedColor_t color;
} nvmlLedState_t;

typedef struct nvmlUnitInfo_st {
  char name[96];
  char id[96];
  char serial[96];
  char firmwareVersion[96];
} nvmlUnitInfo_t;

typedef struct nvmlPSUInfo_st {
  char state[256];
  unsigned int current;
  unsigned int voltage;
  unsigned int power;
} nvmlPSUInfo_t;

typedef struct nvmlUnitFanInfo_st {
  unsigned int speed;
  nvmlFanState_t state;
} nvmlUnitFanInfo_t;

typedef struct nvmlUnitFanSpeeds_st {
  nvmlUnitFanInfo_t fans[24];
  unsigned int count;
} nvmlUnitFanSpeeds_t;

typedef struct nvmlEventData_st {
  nvmlDevice_t device;
  unsigned long long eventType;
  unsigned long long eventData;
  unsigned int gpuInstanceId;
  unsigned int computeInstanceId;
} nvmlEventData_t;

typedef enum nvmlEncoderQueryType_enum {
  NVML_ENCODER_QUERY_H264 = 0,
  NVML_ENCODER_QUERY_HEVC = 1,
  NVML_ENCODER_QUERY_AV1 = 2,
  NVML_ENCODER_QUERY_UNKNOWN = 255
} nvmlEncoderType_t;

typedef struct nvmlEncoderSessionInfo_st {
  unsigned int sessionId;
  unsigned int pid;
  nvmlVgpuInstance_t vgpuInstance;
  nvmlEncoderType_t codecType;
  unsigned int hResolution;
  unsigned int vResolution;
  unsigned int averageFps;
  unsigned int averageLatency;
} nvmlEncoderSessionInfo_t;

typedef enum nvmlFBCSessionType_enum {
  NVML_FBC_SESSION_TYPE_UNKNOWN = 0,
  NVML_FBC_SESSION_TYPE_TOSYS = 1,
  NVML_FBC_SESSION_TYPE_CUDA = 2,
  NVML_FBC_SESSION_TYPE_VID = 3,
  NVML_FBC_SESSION_TYPE_HWENC = 4
} nvmlFBCSessionType_t;

typedef struct nvmlFBCStats_st {
  unsigned int sessionsCount;
  unsigned int averageFPS;
  unsigned int averageLatency;
} nvmlFBCStats_t;

typedef struct nvmlFBCSessionInfo_st {
  unsigned int sessionId;
  unsigned int pid;
  nvmlVgpuInstance_t vgpuInstance;
  unsigned int displayOrdinal;
  nvmlFBCSessionType_t sessionType;
  unsigned int sessionFlags;
  unsigned int hMaxResolution;
  unsigned int vMaxResolution;
  unsigned int hResolution;
  unsigned int vResolution;
  unsigned int averageFPS;
  unsigned int averageLatency;
} nvmlFBCSessionInfo_t;

typedef enum nvmlDetachGpuState_enum {
  NVML_DETACH_GPU_KEEP = 0,
  NVML_DETACH_GPU_REMOVE = 1
} nvmlDetachGpuState_t;

typedef enum nvmlPcieLinkState_enum {
  NVML_PCIE_LINK_KEEP = 0,
  NVML_PCIE_LINK_SHUT_DOWN = 1
} nvmlPcieLinkState_t;

typedef unsigned char nvmlGpuFabricState_t;

typedef struct {
  unsigned char clusterUuid[16];
  nvmlReturn_t status;
  unsigned int cliqueId;
  nvmlGpuFabricState_t state;
} nvmlGpuFabricInfo_t;

typedef struct {
  unsigned int version;
  unsigned char clusterUuid[16];
  nvmlReturn_t status;
  unsigned int cliqueId;
  nvmlGpuFabricState_t state;
  unsigned int healthMask;
} nvmlGpuFabricInfo_v2_t;

typedef nvmlGpuFabricInfo_v2_t nvmlGpuFabricInfoV_t;

typedef unsigned char nvmlPowerScopeType_t;

typedef struct {
  unsigned int version;
  nvmlPowerScopeType_t powerScope;
  unsigned int powerValueMw;
} nvmlPowerValue_v2_t;

typedef unsigned int nvmlAffinityScope_t;

typedef enum nvmlClockLimitId_enum {
  NVML_CLOCK_LIMIT_ID_RANGE_START = 4294967040,
  NVML_CLOCK_LIMIT_ID_TDP = 4294967041,
  NVML_CLOCK_LIMIT_ID_UNLIMITED = 4294967042
} nvmlClockLimitId_t;

typedef struct nvmlExcludedDeviceInfo_st {
  nvmlPciInfo_t pciInfo;
  char uuid[80];
} nvmlExcludedDeviceInfo_t;

typedef struct nvmlNvLinkPowerThres_st {
  unsigned int lowPwrThreshold;
} nvmlNvLinkPowerThres_t;

#endif /* MUSASHIM_NVML_TYPES_EVENTS_H */
