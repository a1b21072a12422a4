// Poisson numbers of every generator have the distribution: mean, variance, and Pearson's chi-square against the
// probabilities. Seeds are fixed, so a bound that holds once holds for ever. Says nothing when all is right.
#include <murand_kernel.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

constexpr int kThreads = 128, kBlocks = 2, kEach = 400, kAll = kThreads * kBlocks * kEach;
int failures = 0;

template <class State>
__global__ void draw(double lambda, unsigned int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  murand_init(20240229ull, thread, 0, &state);
  for (int i = 0; i < kEach; ++i) out[thread * kEach + i] = murand_poisson(&state, lambda);
}

__global__ void drawFour(double lambda, unsigned int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  murandStatePhilox4_32_10_t state;
  murand_init(7ull, thread, 0, &state);
  for (int i = 0; i < kEach; i += 4) {
    const uint4 numbers = murand_poisson4(&state, lambda);
    unsigned int* four = out + thread * kEach + i;
    four[0] = numbers.x, four[1] = numbers.y, four[2] = numbers.z, four[3] = numbers.w;
  }
}

double probability(double lambda, double k) { return std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1)); }

void expectBelow(double value, double bound, const char* what, const char* generator, double lambda) {
  if (value <= bound) return;
  std::printf("%s, lambda %g: %s is %g, above %g\n", generator, lambda, what, value, bound);
  ++failures;
}

// Neighbouring numbers are joined until a hundred are expected of them.
void checkFrequencies(const char* generator, double lambda, const std::vector<unsigned int>& numbers) {
  std::map<unsigned int, int> counts;
  for (const unsigned int number : numbers) ++counts[number];
  const double reach = 12 * std::sqrt(lambda) + 30;
  const unsigned int first = lambda > reach ? unsigned(lambda - reach) : 0, last = unsigned(lambda + reach);
  double square = 0, expected = 0, left = kAll;
  int bins = 0, counted = 0, all = 0;
  for (unsigned int k = first; k <= last; ++k) {
    expected += kAll * probability(lambda, k);
    const auto found = counts.find(k);
    counted += found == counts.end() ? 0 : found->second;
    if (expected < 100 || left - expected < 100) continue;
    square += (counted - expected) * (counted - expected) / expected;
    left -= expected, all += counted, ++bins;
    expected = counted = 0;
  }
  square += (kAll - all - left) * (kAll - all - left) / left;
  // `bins` degrees of freedom: four standard deviations.
  expectBelow(square, bins + 4 * std::sqrt(2.0 * bins), "chi-square", generator, lambda);
}

void checkMoments(const char* generator, double lambda, const std::vector<unsigned int>& numbers) {
  double sum = 0, squares = 0;
  for (const unsigned int number : numbers) {
    sum += number - lambda;
    squares += (number - lambda) * (number - lambda);
  }
  const double mean = sum / kAll, variance = squares / kAll;
  expectBelow(std::fabs(mean), 4 * std::sqrt(lambda / kAll), "the mean's error", generator, lambda);
  // The fourth central moment is lambda + 3 lambda^2.
  expectBelow(std::fabs(variance - lambda), 4 * std::sqrt((lambda + 2 * lambda * lambda) / kAll), "the variance's error",
              generator, lambda);
}

template <class Kernel>
void check(const char* generator, Kernel kernel, unsigned int* out) {
  for (const double lambda : {0.1, 0.5, 1.0, 3.0, 9.99, 10.0, 12.0, 30.0, 63.9, 64.0, 500.0, 3999.0, 4001.0, 20000.0, 1e6, 4e9}) {
    kernel<<<kBlocks, kThreads>>>(lambda, out);
    if (musaDeviceSynchronize() != musaSuccess) ++failures;
    const std::vector<unsigned int> numbers(out, out + kAll);
    checkMoments(generator, lambda, numbers);
    if (lambda < 1e5) checkFrequencies(generator, lambda, numbers);
  }
  const struct {
    double lambda;
    unsigned int number;
  } ends[] = {{0.0, 0}, {-1.0, 0}, {NAN, 0}, {1e10, ~0u}, {INFINITY, ~0u}, {4.4e9, ~0u}};
  for (const auto& end : ends) {
    kernel<<<kBlocks, kThreads>>>(end.lambda, out);
    musaDeviceSynchronize();
    for (int i = 0; i < kAll; ++i) {
      if (out[i] == end.number) continue;
      std::printf("%s, lambda %g: %u, not %u\n", generator, end.lambda, out[i], end.number);
      ++failures;
      break;
    }
  }
}

int main() {
  unsigned int* out = nullptr;
  musaMallocManaged(&out, kAll * sizeof(*out));
  check("XORWOW", draw<murandStateXORWOW_t>, out);
  check("MRG32k3a", draw<murandStateMRG32k3a_t>, out);
  check("Philox", draw<murandStatePhilox4_32_10_t>, out);
  check("Philox, four", drawFour, out);
  return failures != 0;
}
