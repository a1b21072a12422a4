/* The vendor splits half precision over two headers; here one has it all. */
#ifndef MUSASHIM_MUSA_FP16_MTGPU_H
#define MUSASHIM_MUSA_FP16_MTGPU_H
#include "musa_fp16.h"
#endif
