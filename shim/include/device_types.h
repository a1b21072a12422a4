/* Types that device functions take: rounding directions. For C and C++. */
#ifndef MUSASHIM_DEVICE_TYPES_H
#define MUSASHIM_DEVICE_TYPES_H

enum musaRoundMode { musaRoundNearest, musaRoundZero, musaRoundPosInf, musaRoundMinInf };

#endif
