/* Types of linking at run time, and of driver calls that musashim answers with MUSA_ERROR_NOT_SUPPORTED:
 * texture and surface references (part of musa.h). Numbers are CUDA 12's.
 */
#ifndef MUSASHIM_CRT_DRIVER_REFERENCE_TYPES_H
#define MUSASHIM_CRT_DRIVER_REFERENCE_TYPES_H

typedef struct MUlinkState_st* MUlinkState;
typedef struct MUtexref_st* MUtexref;
typedef struct MUsurfref_st* MUsurfref;

typedef enum MUjitInputType_enum {
  MU_JIT_INPUT_CUBIN = 0,
  MU_JIT_INPUT_MUBIN = 0, /* the vendor's name */
  MU_JIT_INPUT_PTX = 1,
  MU_JIT_INPUT_FATBINARY = 2,
  MU_JIT_INPUT_OBJECT = 3,
  MU_JIT_INPUT_LIBRARY = 4,
  MU_JIT_INPUT_NVVM = 5,
  MU_JIT_INPUT_MTVM = 5, /* the same with the words exchanged */
  MU_JIT_NUM_INPUT_TYPES = 6
} MUjitInputType;

#define MU_TRSA_OVERRIDE_FORMAT 0x01
#define MU_PARAM_TR_DEFAULT (-1)

typedef enum MUflushGPUDirectRDMAWritesTarget_enum {
  MU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0
} MUflushGPUDirectRDMAWritesTarget;

typedef enum MUflushGPUDirectRDMAWritesScope_enum {
  MU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER = 100,
  MU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200
} MUflushGPUDirectRDMAWritesScope;

#endif /* MUSASHIM_CRT_DRIVER_REFERENCE_TYPES_H */
