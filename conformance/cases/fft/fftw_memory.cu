// links: cufftw cufft
// FFTW's interface on data in each kind of memory: is the result right, and there when the call returns?
#include <cufftw.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "../../framework/observe.h"

CONFORMANCE_CASE("fft.fftw_memory");

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

static void observeMalloc() {
  void* const memory = fftw_malloc(64);
  cudaPointerAttributes attributes;
  memset(&attributes, 0, sizeof attributes);
  OBSERVE("malloc", memory != nullptr);
  OBSERVE("malloc.asked", cudaPointerGetAttributes(&attributes, memory));
  OBSERVE("malloc.type", static_cast<int>(attributes.type));
  fftw_free(memory);
  fftw_free(nullptr);
  fftwf_free(fftwf_malloc(64));
  OBSERVE("malloc.error", cudaGetLastError());
}

// Where the data lies: what malloc() gives, page-locked, managed, device memory, and both sides different.
enum Place { kPageable, kPinned, kManaged, kDevice, kOfInterface, kPlaces };
static const char* const kNames[] = {"pageable", "pinned", "managed", "device", "fftw_malloc"};

static fftw_complex* take(Place place) {
  const size_t bytes = kSize * sizeof(fftw_complex);
  void* memory = nullptr;
  switch (place) {
    case kPageable:
      return static_cast<fftw_complex*>(malloc(bytes));
    case kPinned:
      SETUP(cudaMallocHost(&memory, bytes));
      break;
    case kManaged:
      SETUP(cudaMallocManaged(&memory, bytes));
      break;
    case kDevice:
      SETUP(cudaMalloc(&memory, bytes));
      break;
    default:
      return static_cast<fftw_complex*>(fftw_malloc(bytes));
  }
  return static_cast<fftw_complex*>(memory);
}
static void give(fftw_complex* memory, Place place) {
  if (place == kPageable) free(memory);
  if (place == kPinned) cudaFreeHost(memory);
  if (place == kManaged || place == kDevice) cudaFree(memory);
  if (place == kOfInterface) fftw_free(memory);
}

static void observePlaces() {
  for (int from = 0; from < kPlaces; ++from)
    for (int to = 0; to < kPlaces; ++to) {
      const std::string key = std::string(kNames[from]) + ".to." + kNames[to];
      fftw_complex host[kSize], result[kSize];
      memset(result, 0, sizeof result);
      fftw_complex *const in = take(static_cast<Place>(from)), *const out = take(static_cast<Place>(to));
      fill(host, kSize);
      const fftw_plan plan = fftw_plan_dft_1d(kSize, in, out, FFTW_FORWARD, FFTW_ESTIMATE);
      OBSERVE(key + ".plan", plan != nullptr);
      SETUP(cudaMemcpy(in, host, sizeof host, cudaMemcpyDefault));
      fftw_execute(plan);
      // Without a wait of the program's own: is the result there?
      if (to != kDevice) memcpy(result, out, sizeof result);
      if (to == kDevice) SETUP(cudaMemcpy(result, out, sizeof result, cudaMemcpyDefault));
      OBSERVE(key + ".wrong", wrongIn(result, -1));
      SETUP(cudaMemcpy(host, in, sizeof host, cudaMemcpyDefault));
      int kept = 0;
      for (int i = 0; i < kSize; ++i)
        kept += host[i][0] == numberAt(i).real() && host[i][1] == numberAt(i).imag();
      OBSERVE(key + ".kept", kept);
      fftw_destroy_plan(plan);
      give(in, static_cast<Place>(from));
      give(out, static_cast<Place>(to));
      OBSERVE(key + ".error", cudaGetLastError());
    }
}

int main() {
  observeMalloc();
  observePlaces();
  return 0;
}
