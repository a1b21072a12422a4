/* Many operations in one call, and what atomics reach: the runtime API's types (part of driver_types.h).
 *
 * Names as in CUDA 12.8 and 13, numbers and layouts, too.
 */
#ifndef MUSASHIM_CRT_RUNTIME_BATCH_TYPES_H
#define MUSASHIM_CRT_RUNTIME_BATCH_TYPES_H

enum musaMemcpySrcAccessOrder {
  musaMemcpySrcAccessOrderInvalid = 0,
  musaMemcpySrcAccessOrderStream = 1,        /* sources are read when the stream gets there */
  musaMemcpySrcAccessOrderDuringApiCall = 2, /* before the call returns */
  musaMemcpySrcAccessOrderAny = 3
};

struct musaMemcpyAttributes {
  enum musaMemcpySrcAccessOrder srcAccessOrder;
  struct musaMemLocation srcLocHint;
  struct musaMemLocation dstLocHint;
  unsigned int flags;
};

enum musaMemcpy3DOperandType {
  musaMemcpyOperandTypePointer = 0x1,
  musaMemcpyOperandTypeArray = 0x2,
  musaMemcpyOperandTypeMax = 0x7FFFFFFF
};

struct musaOffset3D {
  size_t x, y, z; /* in elements */
};

struct musaMemcpy3DOperand {
  enum musaMemcpy3DOperandType type;
  union {
    struct {
      void* ptr;
      size_t rowLength;   /* in elements; 0: as wide as the copy */
      size_t layerHeight; /* 0: as high as the copy */
      struct musaMemLocation locHint;
    } ptr;
    struct {
      musaArray_t array;
      struct musaOffset3D offset;
    } array;
  } op;
};

struct musaMemcpy3DBatchOp {
  struct musaMemcpy3DOperand src;
  struct musaMemcpy3DOperand dst;
  struct musaExtent extent;
  enum musaMemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
};

enum musaAtomicOperation {
  musaAtomicOperationIntegerAdd = 0,
  musaAtomicOperationIntegerMin = 1,
  musaAtomicOperationIntegerMax = 2,
  musaAtomicOperationIntegerIncrement = 3,
  musaAtomicOperationIntegerDecrement = 4,
  musaAtomicOperationAnd = 5,
  musaAtomicOperationOr = 6,
  musaAtomicOperationXOR = 7,
  musaAtomicOperationExchange = 8,
  musaAtomicOperationCAS = 9,
  musaAtomicOperationFloatAdd = 10,
  musaAtomicOperationFloatMin = 11,
  musaAtomicOperationFloatMax = 12
};

enum musaAtomicOperationCapability {
  musaAtomicCapabilitySigned = 1u << 0,
  musaAtomicCapabilityUnsigned = 1u << 1,
  musaAtomicCapabilityReduction = 1u << 2,
  musaAtomicCapabilityScalar32 = 1u << 3,
  musaAtomicCapabilityScalar64 = 1u << 4,
  musaAtomicCapabilityScalar128 = 1u << 5,
  musaAtomicCapabilityVector32x4 = 1u << 6
};

/* The driver's log (CUDA 12.9). */
typedef enum musaLogLevel { musaLogLevelError = 0, musaLogLevelWarning = 1 } musaLogLevel;
typedef struct MUlogsCallbackEntry_st* musaLogsCallbackHandle;
typedef void (*musaLogsCallback_t)(void* data, musaLogLevel logLevel, char* message, size_t length);
typedef unsigned int musaLogIterator;

#endif
