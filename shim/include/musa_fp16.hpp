/* Kept for sources that include it by name: half precision. */
#include "musa_fp16.h"
