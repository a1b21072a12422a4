// FFTW's functions of single precision.
#define FFTW(name) fftwf_##name
using Real = float;
constexpr bool kIsDouble = false;
#include "libs/mufftw/entries.inc"
