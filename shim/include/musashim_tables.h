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
} MUshimStreamTable;

/* Device memory may be kept from host code (memory protection keys). */
typedef struct MUshimMemoryTable_st {
  size_t size; /* bytes of the table */
  /* Lets the calling thread, and those that it creates meanwhile, touch all devices' memory, until it calls restore()
   * with what this returned. */
  unsigned int (*open)(void);
  void (*restore)(unsigned int before);
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
  /* What its sensors tell, where it has them; an empty serial: none. */
  int hasTemperature, hasPower, hasEcc;
  unsigned int celsius, milliwatts;
  unsigned long long eccCorrected, eccUncorrected;
  char serial[64];
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

/* For tools that look at the machine from outside: needs no muInit and no context. By the numbers of all devices, from 0.
 * MUSA_ERROR_INVALID_DEVICE when there is no such device, MUSA_ERROR_INVALID_VALUE for null pointers. */
typedef struct MUshimMonitorTable_st {
  size_t size; /* bytes of the table */
  unsigned int (*deviceCount)(void);
  MUresult (*device)(unsigned int index, MUshimDevice* device);
  /* By all processes of this user that share the devices. */
  MUresult (*memoryUsed)(unsigned int index, unsigned long long* bytes);
  /* Those that have contexts or memory there. `count`: how many there is room for; then how many there are. */
  MUresult (*processes)(unsigned int index, unsigned int* count, MUshimProcess* processes);
  /* A bit for each device on which a kernel runs at this moment. Costs some ten nanoseconds. */
  unsigned long long (*runningDevices)(void);
  /* A bit for each device that some process has lost. */
  unsigned long long (*lostDevices)(void);
  /* Before the process has devices of its own. `count` as above. */
  MUresult (*machines)(unsigned int* count, MUshimMachine* machines);
  MUresult (*links)(unsigned int* count, MUshimLink* links); /* `count` as above */
} MUshimMonitorTable;

#define MUSASHIM_MONITOR_TABLE \
  { {'m', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 'm', 'o', 'n', 'i', 't', 'o', 'r'} }
/* What MUSASHIM_TRACE_FILE collects. Not there when nothing is collected. */
typedef struct MUshimTraceTable_st {
  size_t size; /* bytes of the table */
  /* A call begins: what this returns goes to end(), whatever happens in between. */
  unsigned long long (*begin)(void);
  /* And ends. `library` and `name` live for ever. Calls within another call of the thread are not recorded. */
  void (*end)(const char* library, const char* name, unsigned long long begun, int result);
} MUshimTraceTable;
#define MUSASHIM_TRACE_TABLE \
  { {'m', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 't', 'r', 'a', 'c', 'e', ' ', '1'} }

#define MUSASHIM_MEMORY_TABLE \
  { {'m', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 'm', 'e', 'm', 'o', 'r', 'y', '1'} }

#define MUSASHIM_STREAM_TABLE \
  { {'m', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 's', 't', 'r', 'e', 'a', 'm', '1'} }

#ifdef __cplusplus
}
#endif

#endif
