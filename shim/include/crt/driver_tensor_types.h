/* Descriptors of tensors in device memory, for the copies between it and shared memory that mp_31 makes by
 * itself
 * (`__musa_tme_*`): the driver API's types (part of musa.h). They are no CUtensorMap: box and swizzle are
 * arguments of the copies.
 *
 * Names and numbers are those of the vendor's header as public programs have them. How large the vendor's
 * descriptor is, is not known.
 */
#ifndef MUSASHIM_CRT_DRIVER_TENSOR_TYPES_H
#define MUSASHIM_CRT_DRIVER_TENSOR_TYPES_H

typedef enum MUtensorDescriptorDataType_enum {
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT8 = 0,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT8,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT16,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT16,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT16,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_BFLOAT16,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT32,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT32,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_TFLOAT32,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_INT64,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_UINT64,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT64,
  /* These convert as they copy, or have less than a byte: not supported. */
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32_FTZ,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_TFLOAT32_FTZ,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32_TFLOAT32_RNE,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_FLOAT32_FTZ_TFLOAT32_RNE,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_16b4,
  MU_TENSOR_DESCRIPTOR_DATA_TYPE_16b4_b8
} MUtensorDescriptorDataType;

/* Only NONE is supported: how others arrange elements is not known. */
typedef enum MUtensorDescriptorInterleave_enum {
  MU_TENSOR_DESCRIPTOR_INTERLEAVE_NONE = 0,
  MU_TENSOR_DESCRIPTOR_INTERLEAVE_16B,
  MU_TENSOR_DESCRIPTOR_INTERLEAVE_32B,
  MU_TENSOR_DESCRIPTOR_INTERLEAVE_64B,
  MU_TENSOR_DESCRIPTOR_INTERLEAVE_128B,
  MU_TENSOR_DESCRIPTOR_INTERLEAVE_256B
} MUtensorDescriptorInterleave;

/* What muTensorDescriptorEncode() writes is struct musashimTensor (crt/tensor_layout.h). */
typedef struct MUtensorDescriptor_st {
#if defined(__cplusplus) && __cplusplus >= 201103L
  alignas(64)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
  _Alignas(64)
#endif
      muuint64_t opaque[16];
} MUtensorDescriptor;

#endif
