/* muFFT's extended interface: plans whose types are types of data. On one device, without callbacks. */
#ifndef _MUFFTXT_H_
#define _MUFFTXT_H_

#include "mufft.h"

#endif
