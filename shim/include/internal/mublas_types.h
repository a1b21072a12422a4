/* muBLAS's types, by the header of the vendor's SDK that has them alone: here mublas.h has them. */
#ifndef MUBLAS_TYPES_H
#define MUBLAS_TYPES_H

#include "../mublas.h"

#endif
