/* The four rounding directions, in the order of MXCSR's rounding-control field. */
#ifndef MUSASHIM_CRT_ROUNDING_H
#define MUSASHIM_CRT_ROUNDING_H

enum class __musa_rounding { nearest, down, up, zero };

#endif
