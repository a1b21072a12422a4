/* FFTW's interface in C, with C's own complex numbers. */
#include <complex.h>
#include <mufftw.h>

/* The sum over i of |transform of x at i minus n if i is 3|, of a wave that turns three times: 0. */
double fftwInC(void);
double fftwInC(void) {
  enum { kSize = 16 };
  fftw_complex x[kSize], y[kSize];
  fftwf_complex narrow[kSize];
  const fftw_plan plan = fftw_plan_dft_1d(kSize, x, y, FFTW_FORWARD, FFTW_MEASURE);
  const fftwf_plan narrowPlan = fftwf_plan_dft_1d(kSize, narrow, narrow, FFTW_FORWARD, FFTW_ESTIMATE);
  double error = 0;
  int i;
  for (i = 0; i < kSize; ++i) {
    x[i] = cexp(2 * 3.14159265358979323846 * I * (3 * i % kSize) / kSize);
    narrow[i] = (fftwf_complex)x[i];
  }
  fftw_execute(plan);
  fftwf_execute(narrowPlan);
  for (i = 0; i < kSize; ++i) {
    error += cabs(y[i] - (i == 3 ? kSize : 0));
    error += cabsf(narrow[i] - (i == 3 ? kSize : 0)) / 1e7;
  }
  fftw_destroy_plan(plan);
  fftwf_destroy_plan(narrowPlan);
  return error;
}
