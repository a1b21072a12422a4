/* What the SDK's own libraries ask of libmusa beyond the vendor's interface: tables of functions, reached by
 * muGetExportTable() with their id. A table only ever grows at its end; `size` says how far it goes.
 */
#ifndef MUSASHIM_TABLES_H
#define MUSASHIM_TABLES_H

#include <stddef.h>

#include "musa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How much has been submitted to a stream. */
typedef struct MUshimStreamMark_st {
  unsigned long long stream;   /* as muStreamGetId() */
  unsigned long long commands; /* of the stream, and of the legacy stream where that one waits for it */
} MUshimStreamMark;

typedef struct MUshimStreamTable_st {
  size_t size; /* bytes of the table */
  /* If nothing was submitted since, the mark is the same. What is submitted behind it alone waits for nothing
   * but what was there. Errors: MUSA_ERROR_INVALID_HANDLE, MUSA_ERROR_INVALID_VALUE (mark is null), and
   * MUSA_ERROR_NOT_SUPPORTED for the legacy stream, which waits for others. */
  MUresult (*mark)(MUstream stream, MUshimStreamMark* mark);
  /* For a host function or callback, on the thread that runs it, which may call nothing else: its device fails,
   * as by a fault of device code, with MUSA_ERROR_LAUNCH_FAILED. `reason` is for the trace. Elsewhere:
   * MUSA_ERROR_NOT_PERMITTED. */
  MUresult (*failHostFunction)(const char* reason);
} MUshimStreamTable;

/* Device memory may be kept from host code (memory protection keys). */
typedef struct MUshimMemoryTable_st {
  size_t size; /* bytes of the table */
  /* Lets the calling thread, and those that it creates meanwhile, touch all devices' memory, until it calls
   * restore() with what this returned. */
  unsigned int (*open)(void);
  void (*restore)(unsigned int before);
  /* Lets kernels of `device` touch the memory of `peer`, or takes that back; as often taken as given, it is
   * gone. What muCtxEnablePeerAccess() has enabled is nothing to this, nor this to that. Errors:
   * MUSA_ERROR_INVALID_DEVICE. */
  MUresult (*reachPeer)(MUdevice device, MUdevice peer, int on);
} MUshimMemoryTable;

/* A device of the emulated machine, whether MUSA_VISIBLE_DEVICES shows it or not. */
typedef struct MUshimDevice_st {
  char name[64];
  MUuuid uuid;
  int pciDomain, pciBus, pciDevice;
  unsigned int pciVendorId, pciDeviceId;
  int major, minor;
  unsigned int multiprocessors, clockKHz, memoryClockKHz, memoryBusBits;
  unsigned long long memoryBytes, boardMemoryBytes; /* what programs see, and what the board has */
  /* What the machine's description sets of its sensors. */
  int hasTemperature, hasPower, hasEcc, hasFan;
  unsigned int celsius, milliwatts;
  unsigned long long eccCorrected, eccUncorrected;
  char serial[64];
  unsigned int fanPercent;
  /* What its board shows with nothing to do and with all its work; between them by its load. */
  unsigned int powerLimitMilliwatts, idleMilliwatts, fullMilliwatts, idleCelsius, fullCelsius;
  unsigned int fans, idleFanPercent, fullFanPercent, mostFanRpm;
  char mtbios[64], memoryType[16], memoryVendor[32];
} MUshimDevice;

typedef struct MUshimProcess_st {
  int process;
  unsigned long long bytes; /* of the device's memory */
} MUshimProcess;

/* Devices that running processes of this user have together. */
typedef struct MUshimMachine_st {
  char session[32], product[32]; /* as MUSASHIM_SESSION and MUSASHIM_ARCH name them */
  unsigned int devices;          /* of the process that has the most */
  unsigned int processes;
} MUshimMachine;

/* MTLinks between two devices, by the machine's description. */
typedef struct MUshimLink_st {
  unsigned int a, b; /* devices */
  unsigned int mtlinks;
} MUshimLink;

/* For tools that look at the machine from outside: needs no muInit and no context. By the numbers of all
 * devices, from 0. MUSA_ERROR_INVALID_DEVICE when there is no such device, MUSA_ERROR_INVALID_VALUE for null
 * pointers. */
typedef struct MUshimMonitorTable_st {
  size_t size; /* bytes of the table */
  unsigned int (*deviceCount)(void);
  MUresult (*device)(unsigned int index, MUshimDevice* device);
  /* By all processes of this user that share the devices. */
  MUresult (*memoryUsed)(unsigned int index, unsigned long long* bytes);
  /* Those that have contexts or memory there. `count`: how many there is room for; then how many there are.
   */
  MUresult (*processes)(unsigned int index, unsigned int* count, MUshimProcess* processes);
  /* A bit for each device on which a kernel runs at this moment. Costs some ten nanoseconds. */
  unsigned long long (*runningDevices)(void);
  /* A bit for each device that some process has lost. */
  unsigned long long (*lostDevices)(void);
  /* Before the process has devices of its own. `count` as above. */
  MUresult (*machines)(unsigned int* count, MUshimMachine* machines);
  MUresult (*links)(unsigned int* count, MUshimLink* links); /* `count` as above */
  /* Of the kernel that the calling thread runs, as the linker knows it; null outside of kernels. */
  const char* (*runningKernel)(void);
} MUshimMonitorTable;

#define MUSASHIM_MONITOR_TABLE                                                         \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 'm', 'o', 'n', 'i', 't', 'o', 'r' } \
  }

/* A call, to those who record calls. */
typedef struct MUshimCall_st {
  const char *library, *name; /* live for ever */
  /* Of a collective, and of what is sent: 0 of other calls. */
  unsigned long long bytes;   /* of each rank, as bandwidth counts them */
  unsigned int ranks, member; /* of the communicator; which of them calls */
  unsigned int inGroup;       /* it is done when the group ends */
  /* Null unless somebody wants them. Bytes: of each. */
  unsigned int argumentCount;
  const void* const* arguments;
  const unsigned short* argumentBytes;
  unsigned int correlation; /* what enter() gave */
  unsigned long long begun; /* what begin() leaves for end() */
  unsigned long long data;  /* a listener's */
} MUshimCall;

/* What MUSASHIM_TRACE_FILE collects, and what listeners are told. */
typedef struct MUshimTraceTable_st {
  size_t size; /* bytes of the table */
  /* Gives the number of a call that is to be recorded, or 0: calls within another call of the thread are not.
   * Null while nobody records: look each time, without a lock. begin() and end() follow for each number. */
  unsigned int (*enter)(void);
  void (*begin)(MUshimCall* call);
  void (*end)(MUshimCall* call, int result);
  unsigned int wantsArguments; /* whether begin() is to have them */
} MUshimTraceTable;
#define MUSASHIM_TRACE_TABLE                                                           \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 't', 'r', 'a', 'c', 'e', ' ', '3' } \
  }

enum { MUSHIM_WORK_KERNEL = 1, MUSHIM_WORK_COPY = 2, MUSHIM_WORK_FILL = 3, MUSHIM_WORK_HOST = 4 };

/* Where a copy goes from and to. */
enum {
  MUSHIM_PLACE_PAGEABLE = 0,
  MUSHIM_PLACE_PINNED = 1,
  MUSHIM_PLACE_DEVICE = 2,
  MUSHIM_PLACE_MANAGED = 3
};

/* What a stream did. Times in ns of CLOCK_REALTIME, as now() gives them. */
typedef struct MUshimWork_st {
  int kind;
  const char* name; /* of a kernel, as the linker knows it */
  unsigned long long begin, end;
  unsigned int device, context, stream, correlation;
  unsigned long long bytes;
  int from, to;                      /* of a copy or fill: places */
  unsigned int fromDevice, toDevice; /* where those are a device's */
  unsigned int value;                /* of a fill */
  unsigned int grid[3], block[3], staticShared, dynamicShared, registers, local;
} MUshimWork;

enum {
  MUSHIM_CONTEXT_CREATED = 1,
  MUSHIM_CONTEXT_ENDS = 2,
  MUSHIM_STREAM_CREATED = 3,
  MUSHIM_STREAM_ENDS = 4
};

enum { MUSHIM_RANGE_BEGIN = 1, MUSHIM_RANGE_END = 2, MUSHIM_RANGE_MARK = 3 };

/* A range of the program's own begins or ends, or a mark (crt/ranges_abi.h). */
typedef struct MUshimRangeEvent_st {
  int kind;
  unsigned int id;
  unsigned long long time;
  const char *name, *domain; /* empty: none; domain live for ever */
  unsigned int category, color, colorType;
  int payloadType;
  unsigned long long payload;
} MUshimRangeEvent;

typedef struct MUshimListener_st {
  size_t size;
  /* On the thread that calls, which may call the API: such calls are not told. The same correlation at both.
   */
  void (*callBegins)(MUshimCall* call);
  void (*callEnds)(MUshimCall* call, int result);
  /* On the thread that ran it, before others see that it is complete. May not call the API. */
  void (*workEnded)(const MUshimWork* work);
  void (*range)(const MUshimRangeEvent* event);
  /* On the thread that makes or ends it, and may not call the API; `stream` is null for a context. */
  void (*resource)(int what, MUcontext context, MUstream stream);
  unsigned int wantsArguments;
} MUshimListener;

typedef struct MUshimListenTable_st {
  size_t size;
  /* From now on; null: nobody any more, once no call of the old one is under way. The listener lives for
   * ever. One at a time: MUSA_ERROR_NOT_PERMITTED while there is another. */
  MUresult (*listen)(const MUshimListener* listener);
  unsigned long long (*now)(void);
} MUshimListenTable;
#define MUSASHIM_LISTEN_TABLE                                                          \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 'l', 'i', 's', 't', 'e', 'n', '1' } \
  }

#define MUSASHIM_MEMORY_TABLE                                                          \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 'm', 'e', 'm', 'o', 'r', 'y', '1' } \
  }

#define MUSASHIM_STREAM_TABLE                                                          \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 's', 't', 'r', 'e', 'a', 'm', '1' } \
  }

/* Threads that compute for devices and help libraries. */
typedef struct MUshimShareTable_st {
  size_t size; /* bytes of the table */
  /* How many compute at once, the caller's included. */
  size_t (*threads)(void);
  /* Calls part(data, 0) ... part(data, parts - 1), each once, on the calling thread and on whoever is free;
   * returns when all have returned. Parts throw nothing and do not wait for each other. Helpers may touch
   * devices' memory. */
  void (*shareOut)(size_t parts, void (*part)(void* data, size_t index), void* data);
} MUshimShareTable;
#define MUSASHIM_SHARE_TABLE                                                           \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 's', 'h', 'a', 'r', 'e', ' ', '1' } \
  }

#ifdef __cplusplus
}
#endif

#endif
