// error: no viable conversion from 'float' to '__mt_fp8_e4m3'
#include <musa_fp8.h>
__global__ void kernel(float f, __mt_fp8_e4m3* out) { __mt_fp8_e4m3 x = f; *out = x; }
