// FFTW's functions of double precision.
#define FFTW(name) fftw_##name
using Real = double;
constexpr bool kIsDouble = true;
#include "libs/mufftw/entries.inc"
