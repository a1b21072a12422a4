/* Types of muDNN's graph interface: descriptors of many kinds, each with attributes. For mudnn.h. */
#ifndef MUDNN_GRAPH_TYPES_H_
#define MUDNN_GRAPH_TYPES_H_

#include <stdint.h>

typedef void* mudnnBackendDescriptor_t;

typedef struct mudnnFractionStruct {
  int64_t numerator;
  int64_t denominator;
} mudnnFraction_t;

#include "musa_detail/mudnn_backend_enums.h"

#endif /* MUDNN_GRAPH_TYPES_H_ */
