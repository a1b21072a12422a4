// links: cufftw cufft
// FFTW's interface: which plans there are.
#include <cufftw.h>

#include "../../framework/observe.h"

CONFORMANCE_CASE("fft.fftw_plans");

static void observePlans() {
  static fftw_complex x[4096], y[4096];
  static double r[8192];
  const auto plan = [&](const char* key, fftw_plan made) {
    OBSERVE(std::string("plan.") + key, made != nullptr);
    if (made) fftw_destroy_plan(made);
  };
  const int n[] = {4, 4, 4, 4};
  const fftw_iodim dims[] = {{4, 64, 64}, {4, 16, 16}, {4, 4, 4}, {4, 1, 1}},
                   batch[] = {{3, 300, 300}, {2, 1000, 1000}};
  const fftw_iodim64 dims64[] = {{4, 64, 64}, {4, 16, 16}, {4, 4, 4}, {4, 1, 1}},
                     batch64[] = {{3, 300, 300}, {2, 1000, 1000}};
  plan("rank0", fftw_plan_dft(0, n, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("rank1", fftw_plan_dft(1, n, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("rank3", fftw_plan_dft(3, n, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("rank4", fftw_plan_dft(4, n, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("rank4.r2c", fftw_plan_dft_r2c(4, n, r, y, FFTW_ESTIMATE));
  plan("rank4.many",
       fftw_plan_many_dft(4, n, 2, x, nullptr, 1, 256, y, nullptr, 1, 256, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("negative", fftw_plan_dft(-1, n, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("length0", fftw_plan_dft_1d(0, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("length-1", fftw_plan_dft_1d(-1, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("sign0", fftw_plan_dft_1d(4, x, y, 0, FFTW_ESTIMATE));
  plan("sign2", fftw_plan_dft_1d(4, x, y, 2, FFTW_ESTIMATE));
  plan("noInput", fftw_plan_dft_1d(4, nullptr, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("noOutput", fftw_plan_dft_1d(4, x, nullptr, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("neither", fftw_plan_dft_1d(4, nullptr, nullptr, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("wisdom", fftw_plan_dft_1d(4, x, y, FFTW_FORWARD, FFTW_WISDOM_ONLY));
  plan("flags", fftw_plan_dft_1d(4, x, y, FFTW_FORWARD, 0xffffffffU));
  plan("many", fftw_plan_many_dft(1, n, 3, x, n, 1, 4, y, n, 1, 4, FFTW_FORWARD, FFTW_MEASURE));
  plan("many.batch0", fftw_plan_many_dft(1, n, 0, x, n, 1, 4, y, n, 1, 4, FFTW_FORWARD, FFTW_MEASURE));
  plan("many.stride0", fftw_plan_many_dft(1, n, 1, x, n, 0, 4, y, n, 1, 4, FFTW_FORWARD, FFTW_MEASURE));
  plan("many.stride-1",
       fftw_plan_many_dft(1, n, 1, x + 100, n, -1, 4, y + 100, n, -1, 4, FFTW_FORWARD, FFTW_MEASURE));
  plan("guru0", fftw_plan_guru_dft(0, dims, 0, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru0.1", fftw_plan_guru_dft(0, dims, 1, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru1.0", fftw_plan_guru_dft(1, dims + 3, 0, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru1.none", fftw_plan_guru_dft(1, dims + 3, 0, nullptr, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru1.1", fftw_plan_guru_dft(1, dims + 3, 1, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru1.2", fftw_plan_guru_dft(1, dims + 3, 2, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru3.1", fftw_plan_guru_dft(3, dims + 1, 1, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru4.1", fftw_plan_guru_dft(4, dims, 1, batch, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru64.3.1", fftw_plan_guru64_dft(3, dims64 + 1, 1, batch64, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru64.1.2", fftw_plan_guru64_dft(1, dims64 + 3, 2, batch64, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru.r2c", fftw_plan_guru_dft_r2c(2, dims + 2, 1, batch, r, y, FFTW_ESTIMATE));
  plan("guru.c2r", fftw_plan_guru_dft_c2r(2, dims + 2, 1, batch, x, r, FFTW_ESTIMATE));
  // Distances that no array of lengths has: the second is no multiple of the first.
  const fftw_iodim odd[] = {{3, 7, 7}, {2, 3, 3}}, turned[] = {{3, 1, 1}, {2, 4, 4}}, back[] = {{3, -1, -1}};
  plan("guru.odd", fftw_plan_guru_dft(2, odd, 0, nullptr, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru.turned", fftw_plan_guru_dft(2, turned, 0, nullptr, x, y, FFTW_FORWARD, FFTW_ESTIMATE));
  plan("guru.back", fftw_plan_guru_dft(1, back, 0, nullptr, x + 10, y + 10, FFTW_FORWARD, FFTW_ESTIMATE));
  OBSERVE("plan.error", cudaGetLastError());
}

int main() {
  observePlans();
  return 0;
}
