/* Kept for sources that include it by name: bfloat16. */
#include "musa_bf16.h"
