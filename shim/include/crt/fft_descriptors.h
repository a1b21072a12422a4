/* muFFT: data that lies on several devices. */
#ifndef MUFFT_DESCRIPTORS_H_
#define MUFFT_DESCRIPTORS_H_

#include <stddef.h>

#define MUSA_XT_DESCRIPTOR_VERSION 0x01000000
#define MAX_MUSA_DESCRIPTOR_GPUS 64

typedef struct musaXtDesc_t {
  int version;
  int nGPUs;
  int GPUs[MAX_MUSA_DESCRIPTOR_GPUS];
  void* data[MAX_MUSA_DESCRIPTOR_GPUS];  /* on that device */
  size_t size[MAX_MUSA_DESCRIPTOR_GPUS]; /* bytes */
  void* musaXtState;
} musaXtDesc;

typedef enum libFormat_t { LIB_FORMAT_MUFFT = 0x0, LIB_FORMAT_UNDEFINED = 0x1 } libFormat;

typedef struct musaLibXtDesc_t {
  int version;
  musaXtDesc* descriptor;
  libFormat library;
  int subFormat; /* a mufftXtSubFormat */
  void* libDescriptor;
} musaLibXtDesc;

/* Elements lie by the first dimension, one part behind the other; behind a transform of two or three
 * dimensions
 * ("shuffled") by the second. Of one dimension they stay where they were. */
typedef enum mufftXtSubFormat_t {
  MUFFT_XT_FORMAT_INPUT = 0x00,
  MUFFT_XT_FORMAT_OUTPUT = 0x01,
  MUFFT_XT_FORMAT_INPLACE = 0x02,
  MUFFT_XT_FORMAT_INPLACE_SHUFFLED = 0x03,
  MUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 0x04,
  MUFFT_FORMAT_UNDEFINED = 0x07
} mufftXtSubFormat;

typedef enum mufftXtCopyType_t {
  MUFFT_COPY_HOST_TO_DEVICE = 0x00,
  MUFFT_COPY_DEVICE_TO_HOST = 0x01,
  MUFFT_COPY_DEVICE_TO_DEVICE = 0x02,
  MUFFT_COPY_UNDEFINED = 0x03
} mufftXtCopyType;

typedef enum mufftProperty_t {
  NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT = 0x1,
  NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS = 0x2
} mufftProperty;

typedef enum mufftXtWorkAreaPolicy_t {
  MUFFT_WORKAREA_MINIMAL = 0,
  MUFFT_WORKAREA_USER = 1,
  MUFFT_WORKAREA_PERFORMANCE = 2
} mufftXtWorkAreaPolicy;

#endif
