/* Kept for sources that include it by name: the C library's sizes of integers. */
#include <stdint.h>
