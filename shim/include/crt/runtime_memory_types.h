/* Where memory lies, who may use it, and pools of it: the runtime API's types (part of driver_types.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_RUNTIME_MEMORY_TYPES_H
#define MUSASHIM_CRT_RUNTIME_MEMORY_TYPES_H

#define musaHostAllocDefault 0x00
#define musaHostAllocPortable 0x01
#define musaHostAllocMapped 0x02
#define musaHostAllocWriteCombined 0x04

#define musaHostRegisterDefault 0x00
#define musaHostRegisterPortable 0x01
#define musaHostRegisterMapped 0x02
#define musaHostRegisterIoMemory 0x04
#define musaHostRegisterReadOnly 0x08

#define musaMemAttachGlobal 0x01
#define musaMemAttachHost 0x02
#define musaMemAttachSingle 0x04

enum musaMemoryType {
  musaMemoryTypeUnregistered = 0,
  musaMemoryTypeHost = 1,
  musaMemoryTypeDevice = 2,
  musaMemoryTypeManaged = 3
};

struct musaPointerAttributes {
  enum musaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

enum musaMemoryAdvise {
  musaMemAdviseSetReadMostly = 1,
  musaMemAdviseUnsetReadMostly = 2,
  musaMemAdviseSetPreferredLocation = 3,
  musaMemAdviseUnsetPreferredLocation = 4,
  musaMemAdviseSetAccessedBy = 5,
  musaMemAdviseUnsetAccessedBy = 6
};

enum musaMemRangeAttribute {
  musaMemRangeAttributeReadMostly = 1,
  musaMemRangeAttributePreferredLocation = 2,
  musaMemRangeAttributeAccessedBy = 3,
  musaMemRangeAttributeLastPrefetchLocation = 4,
  musaMemRangeAttributePreferredLocationType = 5,
  musaMemRangeAttributePreferredLocationId = 6,
  musaMemRangeAttributeLastPrefetchLocationType = 7,
  musaMemRangeAttributeLastPrefetchLocationId = 8
};

enum musaMemLocationType {
  musaMemLocationTypeInvalid = 0,
  musaMemLocationTypeDevice = 1,
  musaMemLocationTypeHost = 2,
  musaMemLocationTypeHostNuma = 3,
  musaMemLocationTypeHostNumaCurrent = 4
};
enum musaMemAllocationType {
  musaMemAllocationTypeInvalid = 0,
  musaMemAllocationTypePinned = 1,
  musaMemAllocationTypeMax = 0x7fffffff
};
enum musaMemAllocationHandleType {
  musaMemHandleTypeNone = 0,
  musaMemHandleTypePosixFileDescriptor = 1,
  musaMemHandleTypeWin32 = 2,
  musaMemHandleTypeWin32Kmt = 4,
  musaMemHandleTypeFabric = 8
};
enum musaMemAccessFlags {
  musaMemAccessFlagsProtNone = 0,
  musaMemAccessFlagsProtRead = 1,
  musaMemAccessFlagsProtReadWrite = 3
};

struct musaMemLocation {
  enum musaMemLocationType type;
  int id;
};

struct musaMemAccessDesc {
  struct musaMemLocation location;
  enum musaMemAccessFlags flags;
};

enum musaMemPoolAttr {
  musaMemPoolReuseFollowEventDependencies = 1,
  musaMemPoolReuseAllowOpportunistic = 2,
  musaMemPoolReuseAllowInternalDependencies = 3,
  musaMemPoolAttrReleaseThreshold = 4,
  musaMemPoolAttrReservedMemCurrent = 5,
  musaMemPoolAttrReservedMemHigh = 6,
  musaMemPoolAttrUsedMemCurrent = 7,
  musaMemPoolAttrUsedMemHigh = 8
};

struct musaMemPoolProps {
  enum musaMemAllocationType allocType;
  enum musaMemAllocationHandleType handleTypes;
  struct musaMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

struct musaMemPoolPtrExportData {
  unsigned char reserved[64];
};

#endif /* MUSASHIM_CRT_RUNTIME_MEMORY_TYPES_H */
