#include <dlfcn.h>
#include <mufft.h>
#include <musa_runtime_api.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "libs/ducc/transform.h"

namespace musashim::bench {
namespace {

// FFTW's estimate mode, where it is installed (its licence is the GPL: it is no part of ours).
class Fftw {
 public:
  Fftw(int n, int batch, std::complex<float>* in, std::complex<float>* out) {
    void* const library = dlopen("libfftw3f.so.3", RTLD_NOW);
    if (library == nullptr) return;
    const auto plan = reinterpret_cast<Plan*>(dlsym(library, "fftwf_plan_many_dft"));
    execute_ = reinterpret_cast<Execute*>(dlsym(library, "fftwf_execute"));
    constexpr int kForward = -1;
    constexpr unsigned kEstimate = 1u << 6;
    if (plan && execute_)
      plan_ = plan(1, &n, batch, in, nullptr, 1, n, out, nullptr, 1, n, kForward, kEstimate);
  }
  bool isThere() const { return plan_ != nullptr; }
  void run() const { execute_(plan_); }

 private:
  using Plan = void*(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int, int,
                     unsigned);
  using Execute = void(void*);
  void* plan_ = nullptr;
  Execute* execute_ = nullptr;
};

void compareTransforms(const char* name, int rounds, int n, int batch) {
  const auto count = static_cast<size_t>(n) * static_cast<size_t>(batch);
  std::vector<std::complex<float>> in(count, 1), out(count);
  mufftComplex *a = nullptr, *b = nullptr;
  mufftHandle plan = MUFFT_PLAN_NULL;
  if (musaMalloc(reinterpret_cast<void**>(&a), count * sizeof *a) != musaSuccess ||
      musaMalloc(reinterpret_cast<void**>(&b), count * sizeof *b) != musaSuccess ||
      musaMemcpy(a, in.data(), count * sizeof *a, musaMemcpyHostToDevice) != musaSuccess ||
      mufftPlan1d(&plan, n, MUFFT_C2C, batch) != MUFFT_SUCCESS) {
    std::fprintf(stderr, "%s: no memory or no plan\n", name);
    std::exit(1);
  }
  libs::Transform direct;
  direct.dimensions = 2;
  direct.length[0] = static_cast<size_t>(batch);
  direct.length[1] = static_cast<size_t>(n);
  direct.in[0] = direct.out[0] = n;
  direct.in[1] = direct.out[1] = 1;
  const auto ours = [&] {
    (void)mufftExecC2C(plan, a, b, MUFFT_FORWARD);
    (void)musaDeviceSynchronize();
  };
  compare(name, rounds, ours, [&] { libs::transform(direct, in.data(), out.data()); });
  const Fftw fftw(n, batch, in.data(), out.data());
  if (fftw.isThere()) compare((std::string(name) + ", by FFTW").c_str(), rounds, ours, [&] { fftw.run(); });
  (void)mufftDestroy(plan);
  (void)musaFree(a);
  (void)musaFree(b);
}

}  // namespace

void benchFft() {
  compareTransforms("C2C 2^20", 7, 1 << 20, 1);
  compareTransforms("C2C 256 x 1024", 15, 1024, 256);
}

}  // namespace musashim::bench
