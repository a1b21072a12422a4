// links: cufftw cufft
// FFTW's interface on arrays of the host: transforms, real ones as well, other arrays than a plan's, and what
// the functions that FFTW has beside transforms do. Inputs are small whole numbers, results are compared with
// the definition.
#include <cufftw.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "../../framework/observe.h"

CONFORMANCE_CASE("fft.fftw");

typedef std::complex<double> Wide;

static Wide numberAt(int i) { return Wide(i % 7 - 3, (i * i) % 5 - 1); }

// Of one line at a distance of `stride`.
static Wide byDefinition(const std::vector<Wide>& x, int k, int sign) {
  Wide sum = 0;
  const int n = static_cast<int>(x.size());
  for (int j = 0; j < n; ++j)
    sum += x[static_cast<size_t>(j)] * std::polar(1.0, sign * 2 * std::acos(-1.0) * (j * k % n) / n);
  return sum;
}

static const int kSize = 12;

static void fill(fftw_complex* x, int count) {
  for (int i = 0; i < count; ++i) {
    x[i][0] = numberAt(i).real();
    x[i][1] = numberAt(i).imag();
  }
}
static int wrongIn(const fftw_complex* x, int sign) {
  std::vector<Wide> in;
  for (int i = 0; i < kSize; ++i) in.push_back(numberAt(i));
  int wrong = 0;
  for (int k = 0; k < kSize; ++k)
    wrong += !(std::abs(Wide(x[k][0], x[k][1]) - byDefinition(in, k, sign)) < 1e-9);
  return wrong;
}

static void observeConstants() {
  OBSERVE("forward", FFTW_FORWARD);
  OBSERVE("backward", FFTW_BACKWARD);
  OBSERVE("inverse", FFTW_INVERSE);
  OBSERVE("flags", std::to_string(FFTW_ESTIMATE) + " " + std::to_string(FFTW_MEASURE) + " " +
                       std::to_string(FFTW_PATIENT) + " " + std::to_string(FFTW_EXHAUSTIVE) + " " +
                       std::to_string(FFTW_WISDOM_ONLY) + " " + std::to_string(FFTW_DESTROY_INPUT) + " " +
                       std::to_string(FFTW_PRESERVE_INPUT) + " " + std::to_string(FFTW_UNALIGNED));
  OBSERVE("sizes", std::to_string(sizeof(fftw_complex)) + " " + std::to_string(sizeof(fftwf_complex)) + " " +
                       std::to_string(sizeof(fftw_iodim)) + " " + std::to_string(sizeof(fftw_iodim64)));
}

// Real ones in place and not, the halves as FFTW has them; whether input is left alone.
static void observeReal() {
  const int n0 = 3, n1 = 5, half = n1 / 2 + 1;
  double in[n0 * 2 * half], back[n0 * n1];
  fftw_complex out[n0 * half], before[n0 * half];
  for (int i = 0; i < n0 * n1; ++i) in[i] = numberAt(i).real();
  fftw_plan plan = fftw_plan_dft_r2c_2d(n0, n1, in, out, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  int wrong = 0, kept = 0;
  for (int k0 = 0; k0 < n0; ++k0)
    for (int k1 = 0; k1 < half; ++k1) {
      Wide sum = 0;
      for (int j0 = 0; j0 < n0; ++j0)
        for (int j1 = 0; j1 < n1; ++j1)
          sum += numberAt(j0 * n1 + j1).real() *
                 std::polar(1.0, -2 * std::acos(-1.0) *
                                     (static_cast<double>(k0 * j0) / n0 + static_cast<double>(k1 * j1) / n1));
      wrong += !(std::abs(Wide(out[k0 * half + k1][0], out[k0 * half + k1][1]) - sum) < 1e-9);
    }
  OBSERVE("real.wrong", wrong);
  memcpy(before, out, sizeof out);
  plan = fftw_plan_dft_c2r_2d(n0, n1, out, back, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  OBSERVE("real.back.plan", plan != nullptr);
  if (!plan) plan = fftw_plan_dft_c2r_2d(n0, n1, out, back, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  wrong = 0;
  for (int i = 0; i < n0 * n1; ++i) wrong += !(std::abs(back[i] - n0 * n1 * numberAt(i).real()) < 1e-9);
  OBSERVE("real.back.wrong", wrong);
  for (int i = 0; i < n0 * half; ++i) kept += out[i][0] == before[i][0] && out[i][1] == before[i][1];
  OBSERVE("real.back.kept", kept);
  for (int j0 = 0; j0 < n0; ++j0)
    for (int j1 = 0; j1 < n1; ++j1) in[j0 * 2 * half + j1] = numberAt(j0 * n1 + j1).real();
  fftw_complex* const same = reinterpret_cast<fftw_complex*>(in);
  plan = fftw_plan_dft_r2c_2d(n0, n1, in, same, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  wrong = 0;
  for (int i = 0; i < n0 * half; ++i)
    wrong += !(std::abs(Wide(same[i][0] - before[i][0], same[i][1] - before[i][1])) < 1e-9);
  OBSERVE("real.in_place.wrong", wrong);
}

// Other arrays than the plan's, of another kind of memory as well.
static void observeNewArrays() {
  fftw_complex x[kSize], y[kSize], u[kSize + 1], v[kSize + 1];
  fill(x, kSize);
  fill(u, kSize);
  fill(u + 1, kSize);
  fftw_plan plan = fftw_plan_dft_1d(kSize, x, y, FFTW_BACKWARD, FFTW_MEASURE);
  fftw_execute_dft(plan, u + 1, v + 1);
  OBSERVE("new.wrong", wrongIn(v + 1, 1));
  fftw_execute_dft(plan, u + 1, u + 1);
  OBSERVE("new.in_place.wrong", wrongIn(u + 1, 1));
  fftw_destroy_plan(plan);
}

static void observeRest() {
  fftw_complex x[kSize], y[kSize];
  fftw_plan plan = fftw_plan_dft_1d(kSize, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
  double add = -7, multiply = -7, fused = -7;
  fftw_flops(plan, &add, &multiply, &fused);
  OBSERVE("flops", observedText(add) + " " + observedText(multiply) + " " + observedText(fused));
  OBSERVE("cost", fftw_cost(plan));
  FILE* const file = tmpfile();
  fftw_export_wisdom_to_file(file);
  OBSERVE("wisdom.bytes", ftell(file));
  rewind(file);
  OBSERVE("wisdom.import", fftw_import_wisdom_from_file(file));
  fclose(file);
  fftw_set_timelimit(1.0);
  fftw_print_plan(plan);
  printf("\n");
  fftw_cleanup();
  fftw_execute_dft(plan, x, y);
  OBSERVE("rest.error", cudaGetLastError());
}

int main() {
  observeConstants();
  observeReal();
  observeNewArrays();
  observeRest();
  return 0;
}
