/* What is in an MUtensorDescriptor: libmusa writes it, device code reads it. Plain C. */
#ifndef MUSASHIM_CRT_TENSOR_LAYOUT_H
#define MUSASHIM_CRT_TENSOR_LAYOUT_H

#include <stdint.h>

enum { MUSASHIM_TENSOR_RANK = 5, MUSASHIM_TENSOR_MAGIC = 0x524f534e };

struct musashimTensor {
  uint32_t magic; /* else there is none */
  uint32_t rank;
  uint32_t element_bytes;
  uint32_t reserved;
  uint64_t address;
  uint64_t fill;                          /* what elements outside the tensor read as, in its lowest bytes */
  uint64_t dims[MUSASHIM_TENSOR_RANK];    /* elements, the innermost first; 1 above the rank */
  uint64_t strides[MUSASHIM_TENSOR_RANK]; /* bytes */
};

#endif
