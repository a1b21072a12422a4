/* Many operations in one call, and what atomics reach: the driver API's types (part of musa.h).
 *
 * Names as in CUDA 12.8 and 13, numbers and layouts, too.
 */
#ifndef MUSASHIM_CRT_DRIVER_BATCH_TYPES_H
#define MUSASHIM_CRT_DRIVER_BATCH_TYPES_H

typedef enum MUmemcpySrcAccessOrder_enum {
  MU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0x0,
  MU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 0x1,
  MU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 0x2,
  MU_MEMCPY_SRC_ACCESS_ORDER_ANY = 0x3
} MUmemcpySrcAccessOrder;

typedef struct MUmemcpyAttributes_st {
  MUmemcpySrcAccessOrder srcAccessOrder;
  MUmemLocation srcLocHint;
  MUmemLocation dstLocHint;
  unsigned int flags;
} MUmemcpyAttributes;

typedef enum MUmemcpy3DOperandType_enum {
  MU_MEMCPY_OPERAND_TYPE_POINTER = 0x1,
  MU_MEMCPY_OPERAND_TYPE_ARRAY = 0x2,
  MU_MEMCPY_OPERAND_TYPE_MAX = 0x7FFFFFFF
} MUmemcpy3DOperandType;

typedef struct MUoffset3D_st {
  size_t x, y, z; /* in elements */
} MUoffset3D;

typedef struct MUextent3D_st {
  size_t width, height, depth; /* in elements */
} MUextent3D;

typedef struct MUmemcpy3DOperand_st {
  MUmemcpy3DOperandType type;
  union {
    struct {
      MUdeviceptr ptr;
      size_t rowLength;   /* in elements; 0: as wide as the copy */
      size_t layerHeight; /* 0: as high as the copy */
      MUmemLocation locHint;
    } ptr;
    struct {
      MUarray array;
      MUoffset3D offset;
    } array;
  } op;
} MUmemcpy3DOperand;

typedef struct MUSA_MEMCPY3D_BATCH_OP_st {
  MUmemcpy3DOperand src;
  MUmemcpy3DOperand dst;
  MUextent3D extent;
  MUmemcpySrcAccessOrder srcAccessOrder;
  unsigned int flags;
} MUSA_MEMCPY3D_BATCH_OP;

typedef enum MUatomicOperation_enum {
  MU_ATOMIC_OPERATION_INTEGER_ADD = 0,
  MU_ATOMIC_OPERATION_INTEGER_MIN = 1,
  MU_ATOMIC_OPERATION_INTEGER_MAX = 2,
  MU_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
  MU_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
  MU_ATOMIC_OPERATION_AND = 5,
  MU_ATOMIC_OPERATION_OR = 6,
  MU_ATOMIC_OPERATION_XOR = 7,
  MU_ATOMIC_OPERATION_EXCHANGE = 8,
  MU_ATOMIC_OPERATION_CAS = 9,
  MU_ATOMIC_OPERATION_FLOAT_ADD = 10,
  MU_ATOMIC_OPERATION_FLOAT_MIN = 11,
  MU_ATOMIC_OPERATION_FLOAT_MAX = 12,
  MU_ATOMIC_OPERATION_MAX
} MUatomicOperation;

typedef enum MUatomicOperationCapability_enum {
  MU_ATOMIC_CAPABILITY_SIGNED = 1u << 0,
  MU_ATOMIC_CAPABILITY_UNSIGNED = 1u << 1,
  MU_ATOMIC_CAPABILITY_REDUCTION = 1u << 2,
  MU_ATOMIC_CAPABILITY_SCALAR_32 = 1u << 3,
  MU_ATOMIC_CAPABILITY_SCALAR_64 = 1u << 4,
  MU_ATOMIC_CAPABILITY_SCALAR_128 = 1u << 5,
  MU_ATOMIC_CAPABILITY_VECTOR_32x4 = 1u << 6
} MUatomicOperationCapability;

#endif
