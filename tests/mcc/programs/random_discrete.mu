// Discrete distributions in kernels give the library's Poisson numbers of the same words; a distribution is checked
// when it is made and when it ends. Says nothing when all is right.
#include <murand.h>
#include <murand_kernel.h>

#include <cstdio>
#include <vector>

constexpr int kAll = 3000, kLanes = 4096;
int failures = 0;

#define EXPECT(condition)                                    \
  if (!(condition)) {                                        \
    std::printf("line %d: not %s\n", __LINE__, #condition); \
    ++failures;                                              \
  }

// The first number of each of the sequences that the library's generator takes turns with.
__global__ void draw(murandDiscreteDistribution_t distribution, unsigned* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= kAll) return;
  murandStateXORWOW_t state;
  murand_init(99, thread, 0, &state);
  out[thread] = murand_discrete(&state, distribution);
}
// Four at a time are those one by one.
__global__ void drawFours(murandDiscreteDistribution_t distribution, int* wrong) {
  murandStatePhilox4_32_10_t one, four;
  murand_init(99, threadIdx.x, 0, &one);
  four = one;
  const uint4 numbers = murand_discrete4(&four, distribution);
  for (const unsigned number : {numbers.x, numbers.y, numbers.z, numbers.w})
    if (murand_discrete(&one, distribution) != number) atomicAdd(wrong, 1);
}

int main() {
  unsigned* out;
  int* wrong;
  musaMallocManaged(&out, kAll * sizeof *out);
  musaMallocManaged(&wrong, sizeof *wrong);
  *wrong = 0;
  for (const double lambda : {0.01, 0.5, 3.0, 30.0, 700.0, 1999.0, 2000.0, 400000.0}) {
    murandDiscreteDistribution_t distribution = nullptr;
    EXPECT(murandCreatePoissonDistribution(lambda, &distribution) == MURAND_STATUS_SUCCESS);
    draw<<<(kAll + 127) / 128, 128>>>(distribution, out);
    drawFours<<<1, 64>>>(distribution, wrong);
    EXPECT(musaDeviceSynchronize() == musaSuccess);
    EXPECT(*wrong == 0);
    EXPECT(murandDestroyDistribution(distribution) == MURAND_STATUS_SUCCESS);
    EXPECT(murandDestroyDistribution(distribution) == MURAND_STATUS_NOT_INITIALIZED);
    if (lambda >= 2000) {  // normal numbers of doubles, where the library's are of floats
      double sum = 0;
      for (int i = 0; i < kAll; ++i) sum += (out[i] - lambda) / kAll;
      EXPECT(sum * sum < 16 * lambda / kAll);
      continue;
    }
    std::vector<unsigned> theirs(kLanes);
    murandGenerator_t generator;
    murandCreateGeneratorHost(&generator, MURAND_RNG_PSEUDO_XORWOW);
    murandSetPseudoRandomGeneratorSeed(generator, 99);
    EXPECT(murandGeneratePoisson(generator, theirs.data(), kLanes, lambda) == MURAND_STATUS_SUCCESS);
    murandDestroyGenerator(generator);
    for (int i = 0; i < kAll && failures < 10; ++i) EXPECT(out[i] == theirs[i]);
  }
  murandDiscreteDistribution_t distribution = nullptr;
  for (const double lambda : {0.0, -1.0, 400001.0}) {
    EXPECT(murandCreatePoissonDistribution(lambda, &distribution) == MURAND_STATUS_OUT_OF_RANGE);
    EXPECT(distribution == nullptr);
  }
  EXPECT(murandCreatePoissonDistribution(3, nullptr) == MURAND_STATUS_NOT_INITIALIZED);
  EXPECT(murandDestroyDistribution(nullptr) == MURAND_STATUS_NOT_INITIALIZED);
  return failures != 0;
}
