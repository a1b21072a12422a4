/* MTML, the library that tells of devices from outside: names, memory, load, links. The types and numbers are
 * those that the vendor's Python binding (mthreads-ml-py, MIT) uses; prototypes follow from
 * shim/mtml/api.yml. */
#ifndef MTML_H_
#define MTML_H_

#define MTML_API __attribute__((visibility("default")))

#define MTML_LIBRARY_VERSION_BUFFER_SIZE 32
#define MTML_DRIVER_VERSION_BUFFER_SIZE 80
#define MTML_DEVICE_NAME_BUFFER_SIZE 32
#define MTML_DEVICE_UUID_BUFFER_SIZE 48
#define MTML_DEVICE_MTBIOS_VERSION_BUFFER_SIZE 64
#define MTML_DEVICE_VBIOS_VERSION_BUFFER_SIZE MTML_DEVICE_MTBIOS_VERSION_BUFFER_SIZE
#define MTML_DEVICE_PATH_BUFFER_SIZE 64
#define MTML_DEVICE_PCI_SBDF_BUFFER_SIZE 32
#define MTML_DEVICE_SLOT_NAME_BUFFER_SIZE 32
#define MTML_DEVICE_SERIAL_NUMBER_BUFFER_SIZE 64
#define MTML_MEMORY_VENDOR_BUFFER_SIZE 64
#define MTML_VIRT_TYPE_ID_BUFFER_SIZE 16
#define MTML_VIRT_TYPE_CLASS_BUFFER_SIZE 32
#define MTML_VIRT_TYPE_NAME_BUFFER_SIZE 32
#define MTML_VIRT_TYPE_API_BUFFER_SIZE 16
#define MTML_LOG_FILE_PATH_BUFFER_SIZE 200
#define MTML_MPC_PROFILE_NAME_BUFFER_SIZE 32
#define MTML_MPC_CONF_NAME_BUFFER_SIZE 32
#define MTML_MPC_CONF_MAX_PROF_NUM 16

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MTML_SUCCESS = 0,
  MTML_ERROR_DRIVER_NOT_LOADED = 1,
  MTML_ERROR_DRIVER_FAILURE = 2,
  MTML_ERROR_INVALID_ARGUMENT = 3,
  MTML_ERROR_NOT_SUPPORTED = 4,
  MTML_ERROR_NO_PERMISSION = 5,
  MTML_ERROR_INSUFFICIENT_SIZE = 6,
  MTML_ERROR_NOT_FOUND = 7,
  MTML_ERROR_INSUFFICIENT_MEMORY = 8,
  MTML_ERROR_DRIVER_TOO_OLD = 9,
  MTML_ERROR_DRIVER_TOO_NEW = 10,
  MTML_ERROR_TIMEOUT = 11,
  MTML_ERROR_RESOURCE_IS_BUSY = 12,
  MTML_ERROR_UNKNOWN = 999
} MtmlReturn;

typedef enum { MTML_BRAND_MTT = 0, MTML_BRAND_UNKNOWN, MTML_BRAND_COUNT } MtmlBrandType;
typedef enum { MTML_MEM_TYPE_LPDDR4 = 0, MTML_MEM_TYPE_GDDR6 } MtmlMemoryType;
typedef enum {
  MTML_TOPOLOGY_INTERNAL = 0,   /* one device */
  MTML_TOPOLOGY_SINGLE = 1,     /* a PCIe switch between them */
  MTML_TOPOLOGY_MULTIPLE = 2,   /* several */
  MTML_TOPOLOGY_HOSTBRIDGE = 3, /* the processor's bridge */
  MTML_TOPOLOGY_NODE = 4,       /* a NUMA node */
  MTML_TOPOLOGY_SYSTEM = 5      /* several of them */
} MtmlDeviceTopologyLevel;
typedef enum {
  MTML_P2P_STATUS_OK = 0,
  MTML_P2P_STATUS_CHIPSET_NOT_SUPPORTED,
  MTML_P2P_STATUS_GPU_NOT_SUPPORTED,
  MTML_P2P_STATUS_UNKNOWN
} MtmlDeviceP2PStatus;
typedef enum { MTML_P2P_CAPS_READ = 0, MTML_P2P_CAPS_WRITE } MtmlDeviceP2PCaps;
typedef enum {
  MTML_GPU_ENGINE_GEOMETRY = 0,
  MTML_GPU_ENGINE_2D,
  MTML_GPU_ENGINE_3D,
  MTML_GPU_ENGINE_COMPUTE,
  MTML_GPU_ENGINE_MAX
} MtmlGpuEngine;
typedef enum {
  MTML_MTLINK_STATE_DOWN = 0,
  MTML_MTLINK_STATE_UP,
  MTML_MTLINK_STATE_DOWNGRADE
} MtmlMtLinkState;
typedef enum { MTML_MEMORY_ECC_DISABLE = 0, MTML_MEMORY_ECC_ENABLE } MtmlEccMode;
typedef enum {
  MTML_MEMORY_ERROR_TYPE_CORRECTED = 0,
  MTML_MEMORY_ERROR_TYPE_UNCORRECTED,
  MTML_MEMORY_ERROR_TYPE_COUNT
} MtmlMemoryErrorType;
typedef enum { MTML_VOLATILE_ECC = 0, MTML_AGGREGATE_ECC, MTML_ECC_COUNTER_TYPE_COUNT } MtmlEccCounterType;
typedef enum { MTML_MEMORY_LOCATION_DRAM = 1 } MtmlMemoryLocation;
typedef enum {
  MTML_PAGE_RETIREMENT_CAUSE_MULTIPLE_SINGLE_BIT_ECC_ERRORS = 0,
  MTML_PAGE_RETIREMENT_CAUSE_DOUBLE_BIT_ECC_ERROR,
  MTML_PAGE_RETIREMENT_CAUSE_MAX
} MtmlPageRetirementCause;
typedef enum {
  MTML_RETIRED_PAGES_PENDING_STATE_FALSE = 0,
  MTML_RETIRED_PAGES_PENDING_STATE_TRUE
} MtmlRetiredPagesPendingState;
typedef enum { MTML_DEVICE_MPC_DISABLE = 0, MTML_DEVICE_MPC_ENABLE } MtmlMpcMode;
typedef enum { MTML_DEVICE_NOT_SUPPORT_MPC = 0, MTML_DEVICE_SUPPORT_MPC } MtmlMpcCapability;
typedef enum {
  MTML_DEVICE_NOT_SUPPORT_VIRTUALIZATION = 0,
  MTML_DEVICE_SUPPORT_VIRTUALIZATION
} MtmlVirtCapability;
typedef enum {
  MTML_VIRT_ROLE_NONE = 0,
  MTML_VIRT_ROLE_HOST_VIRTDEVICE,
  MTML_VIRT_ROLE_GUEST_VIRTDEVICE,
  MTML_VIRT_ROLE_COUNT
} MtmlVirtRole;
typedef enum { MTML_MPC_TYPE_NONE = 0, MTML_MPC_TYPE_PARENT, MTML_MPC_TYPE_INSTANCE } MtmlMpcType;
typedef enum { MTML_DEVICE_NOT_SUPPORT_MTLINK = 0, MTML_DEVICE_SUPPORT_MTLINK } MtmlMtLinkCapability;
typedef enum {
  MTML_MTLINK_CAP_P2P_ACCESS = 0,
  MTML_MTLINK_CAP_P2P_ATOMICS,
  MTML_MTLINK_CAP_COUNT
} MtmlMtLinkCap;
typedef enum { MTML_MTLINK_CAP_STATUS_NOT_SUPPORTED = 0, MTML_MTLINK_CAP_STATUS_OK } MtmlMtLinkCapStatus;
typedef enum {
  MTML_DISP_INTF_TYPE_DP = 0,
  MTML_DISP_INTF_TYPE_EDP,
  MTML_DISP_INTF_TYPE_VGA,
  MTML_DISP_INTF_TYPE_HDMI,
  MTML_DISP_INTF_TYPE_LVDS,
  MTML_DISP_INTF_TYPE_MAX
} MtmlDispIntfType;
typedef enum {
  MTML_CODEC_TYPE_AVC = 0,
  MTML_CODEC_TYPE_VC1,
  MTML_CODEC_TYPE_MPEG2,
  MTML_CODEC_TYPE_MPEG4,
  MTML_CODEC_TYPE_H263,
  MTML_CODEC_TYPE_DIV3,
  MTML_CODEC_TYPE_RV,
  MTML_CODEC_TYPE_AVS,
  MTML_CODEC_TYPE_RSVD1,
  MTML_CODEC_TYPE_THO,
  MTML_CODEC_TYPE_VP3,
  MTML_CODEC_TYPE_VP8,
  MTML_CODEC_TYPE_HEVC,
  MTML_CODEC_TYPE_VP9,
  MTML_CODEC_TYPE_AVS2,
  MTML_CODEC_TYPE_RSVD2,
  MTML_CODEC_TYPE_AV1,
  MTML_CODEC_TYPE_COUNT
} MtmlCodecType;
typedef enum {
  MTML_CODEC_SESSION_STATE_UNKNOWN = -1,
  MTML_CODEC_SESSION_STATE_IDLE = 0,
  MTML_CODEC_SESSION_STATE_ACTIVE,
  MTML_CODEC_SESSION_STATE_COUNT
} MtmlCodecSessionState;
typedef enum {
  MTML_LOG_LEVEL_OFF = 0,
  MTML_LOG_LEVEL_FATAL,
  MTML_LOG_LEVEL_ERROR,   /* calls that fail */
  MTML_LOG_LEVEL_WARNING, /* calls that are not supported */
  MTML_LOG_LEVEL_INFO     /* all calls */
} MtmlLogLevel;

typedef struct MtmlLibrary MtmlLibrary;
typedef struct MtmlSystem MtmlSystem;
typedef struct MtmlDevice MtmlDevice;
typedef struct MtmlGpu MtmlGpu;
typedef struct MtmlMemory MtmlMemory;
typedef struct MtmlVpu MtmlVpu;

typedef struct {
  char sbdf[MTML_DEVICE_PCI_SBDF_BUFFER_SIZE]; /* "00000000:2a:00.0" */
  unsigned int segment;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId; /* the device's in the upper half, the vendor's in the lower */
  unsigned int pciSubsystemId;
  unsigned int busWidth;                 /* 0 */
  float pciMaxSpeed, pciCurSpeed;        /* GT/s of a lane */
  unsigned int pciMaxWidth, pciCurWidth; /* lanes */
  unsigned int pciMaxGen, pciCurGen;
  int rsvd[6];
} MtmlPciInfo;

typedef struct {
  unsigned int virtCap : 1;
  unsigned int virtRole : 3;
  unsigned int mpcCap : 1;
  unsigned int mpcType : 3;
  unsigned int mtLinkCap : 1;
  unsigned int rsvd : 23;
  unsigned int rsvd2;
} MtmlDeviceProperty;

typedef struct {
  unsigned int version;
  unsigned int bandWidth; /* GB/s of a link, one way */
  unsigned int linkNum;
  unsigned int rsvd[4];
} MtmlMtLinkSpec;

typedef struct {
  unsigned int localLinkId;
  unsigned int remoteLinkId;
  unsigned int rsvd[4];
} MtmlMtLinkLayout;

typedef struct {
  unsigned int slotId;
  char slotName[MTML_DEVICE_SLOT_NAME_BUFFER_SIZE];
  unsigned int rsvd[4];
} MtmlPciSlotInfo;

typedef struct {
  MtmlDispIntfType type;
  unsigned int maxResWidth, maxResHeight; /* pixels */
  float maxRefreshRate;                   /* Hz */
  unsigned int rsvd[8];
} MtmlDispIntfSpec;

typedef struct {
  char id[MTML_VIRT_TYPE_ID_BUFFER_SIZE];
  char name[MTML_VIRT_TYPE_NAME_BUFFER_SIZE];
  char api[MTML_VIRT_TYPE_API_BUFFER_SIZE];
  unsigned int horizontalResolution, verticalResolution;
  unsigned int frameBuffer; /* MiB */
  unsigned int maxEncodeNum, maxDecodeNum;
  unsigned int maxInstances;
  unsigned int maxVirtualDisplay;
  int rsvd[11];
} MtmlVirtType;

typedef struct {
  unsigned int util;   /* % */
  unsigned int period; /* microseconds */
  unsigned int encUtil, decUtil;
  int rsvd[2];
} MtmlCodecUtil;

typedef struct {
  unsigned int id, pid;
  unsigned int hResolution, vResolution;
  unsigned int frameRate, bitRate, latency;
  MtmlCodecType codecType;
  int rsvd[4];
} MtmlCodecSessionMetrics;

typedef struct {
  MtmlLogLevel level;
  int rsvd[2];
} MtmlLogConsoleConfiguration; /* stderr */

typedef struct {
  MtmlLogLevel level;
  int rsvd[2];
} MtmlLogSystemConfiguration; /* syslog */

typedef struct {
  MtmlLogLevel level;
  char file[MTML_LOG_FILE_PATH_BUFFER_SIZE];
  unsigned int size; /* MiB, after which it begins anew; 0: never */
  int rsvd[2];
} MtmlLogFileConfiguration;

typedef struct {
  MtmlLogLevel level;
  void (*callback)(const char* line, unsigned int length);
  int rsvd[2];
} MtmlLogCallbackConfiguration;

typedef struct {
  MtmlLogConsoleConfiguration consoleConfig;
  MtmlLogSystemConfiguration systemConfig;
  MtmlLogFileConfiguration fileConfig;
  MtmlLogCallbackConfiguration callbackConfig;
  int rsvd[8];
} MtmlLogConfiguration;

typedef struct {
  unsigned int id;
  unsigned int coreCount;
  unsigned long long memorySizeMB;
  char name[MTML_MPC_PROFILE_NAME_BUFFER_SIZE];
  unsigned int rsvd[10];
} MtmlMpcProfile;

typedef struct {
  unsigned int id;
  char name[MTML_MPC_CONF_NAME_BUFFER_SIZE];
  int profileId[MTML_MPC_CONF_MAX_PROF_NUM]; /* up to the first that is negative */
  unsigned int rsvd[24];
} MtmlMpcConfiguration;

typedef struct {
  unsigned int sbeCount, dbeCount;
} MtmlPageRetirementCount;

typedef struct {
  unsigned long long timestamps, address;
  unsigned int rsvd[10];
} MtmlPageRetirement;

typedef struct {
  MtmlPageRetirementCause cause;
  unsigned long long timestamps, address;
  unsigned int rsvd[10];
} MtmlPageRetirementPending;

#include "mtml_detail/mtml_functions.h"

#ifdef __cplusplus
}
#endif

#endif
