/* muFFTW: FFTW 3's interface on muFFT, as cuFFT's library of that name has it.
 *
 * Programs replace <fftw3.h>, and link with mufftw and mufft. Arrays may be in the host's memory as well as
 * in the device's; a transform is done when its call returns. Results are not scaled. There are up to three
 * dimensions and one of batches, in interleaved format; flags are ignored; where a transform is not supported
 * there is no plan (null). Functions: shim/api/mufftw.yml. */
#ifndef _MUFFTW_H_
#define _MUFFTW_H_

#include <stddef.h>
#include <stdio.h>

#include "mufft.h"

#define FFTW_FORWARD -1
#define FFTW_INVERSE 1
#define FFTW_BACKWARD 1

#define FFTW_ESTIMATE 0x01
#define FFTW_MEASURE 0x02
#define FFTW_PATIENT 0x03
#define FFTW_EXHAUSTIVE 0x04
#define FFTW_WISDOM_ONLY 0x05
#define FFTW_DESTROY_INPUT 0x08
#define FFTW_PRESERVE_INPUT 0x0C
#define FFTW_UNALIGNED 0x10

/* C's own complex numbers where <complex.h> was included before, as with FFTW. */
#if !defined(__cplusplus) && defined(_Complex_I) && defined(complex) && defined(I)
typedef double _Complex fftw_complex;
typedef float _Complex fftwf_complex;
#else
typedef double fftw_complex[2];
typedef float fftwf_complex[2];
#endif

typedef void* fftw_plan;
typedef void* fftwf_plan;

/* A dimension: its length, and how far its elements are apart on both sides. */
typedef struct {
  int n;
  int is;
  int os;
} fftw_iodim;
typedef fftw_iodim fftwf_iodim;
typedef struct {
  ptrdiff_t n;
  ptrdiff_t is;
  ptrdiff_t os;
} fftw_iodim64;
typedef fftw_iodim64 fftwf_iodim64;

#ifdef __cplusplus
extern "C" {
#endif
#include "musa_detail/mufftw_functions.h"
#ifdef __cplusplus
}
#endif

#endif
