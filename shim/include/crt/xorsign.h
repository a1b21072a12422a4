/* PTX's min and max with .xorsign.abs on 16-bit numbers: the least or greatest of two magnitudes, with the
 * sign of their product. By their bits, two in a word. */
#ifndef MUSASHIM_CRT_XORSIGN_H
#define MUSASHIM_CRT_XORSIGN_H

#include "host_defines.h"

/* `infinity`: the bits of it; above are no numbers. */
MUSASHIM_D unsigned int musashimXorSign(unsigned int a, unsigned int b, unsigned int infinity, bool greatest,
                                        bool keepsNan) {
  const unsigned int x = a & 0x7fffu, y = b & 0x7fffu;
  const bool noX = x > infinity, noY = y > infinity;
  if ((noX && noY) || (keepsNan && (noX || noY))) return 0x7fffu;
  const unsigned int chosen = noX ? y : noY ? x : (x < y) != greatest ? x : y;
  return chosen | ((a ^ b) & 0x8000u);
}
MUSASHIM_D unsigned int musashimXorSigns(unsigned int a, unsigned int b, unsigned int infinity, bool greatest,
                                         bool keepsNan) {
  return musashimXorSign(a & 0xffffu, b & 0xffffu, infinity, greatest, keepsNan) |
         musashimXorSign(a >> 16, b >> 16, infinity, greatest, keepsNan) << 16;
}

MUSASHIM_D unsigned int __musa_min_xorsign_half2(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7c00u, false, false);
}
MUSASHIM_D unsigned int __musa_min_nan_xorsign_half2(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7c00u, false, true);
}
MUSASHIM_D unsigned int __musa_max_xorsign_half2(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7c00u, true, false);
}
MUSASHIM_D unsigned int __musa_max_nan_xorsign_half2(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7c00u, true, true);
}
MUSASHIM_D unsigned int __musa_min_xorsign_bfloat162(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7f80u, false, false);
}
MUSASHIM_D unsigned int __musa_min_nan_xorsign_bfloat162(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7f80u, false, true);
}
MUSASHIM_D unsigned int __musa_max_xorsign_bfloat162(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7f80u, true, false);
}
MUSASHIM_D unsigned int __musa_max_nan_xorsign_bfloat162(unsigned int a, unsigned int b) {
  return musashimXorSigns(a, b, 0x7f80u, true, true);
}

#endif
