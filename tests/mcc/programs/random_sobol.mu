// Sobol's sequences that kernels make are those of the library's generators; scrambled ones differ by their constant, and
// skipping is drawing. Says nothing when all is right.
#include <murand.h>
#include <murand_kernel.h>

#include <cmath>
#include <cstdio>
#include <cstring>

constexpr int kAll = 1000, kDimension = 6, kOffset = 777;

struct Vectors {
  murandDirectionVectors32_t narrow;
  murandDirectionVectors64_t wide;
};

__global__ void draw(Vectors vectors, unsigned int* words, double* doubles, float* normals, int* failures) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= kAll) return;
  murandStateSobol32_t state;
  murand_init(vectors.narrow, kOffset + thread, &state);
  words[thread] = murand(&state);
  murand_init(vectors.narrow, kOffset, &state);
  skipahead(thread, &state);
  normals[thread] = murand_normal(&state);
  murandStateSobol64_t wide;
  murand_init(vectors.wide, kOffset + thread, &wide);
  doubles[thread] = murand_uniform_double(&wide);

  murandStateScrambledSobol32_t scrambled;
  murand_init(vectors.narrow, 0xe1u, kOffset, &scrambled);
  for (int i = 0; i < thread; ++i) murand(&scrambled);
  if (murand(&scrambled) != (words[thread] ^ 0xe1u)) atomicAdd(failures, 1);
}

int main() {
  murandDirectionVectors32_t* narrow = nullptr;
  murandDirectionVectors64_t* wide = nullptr;
  murandGetDirectionVectors32(&narrow, MURAND_DIRECTION_VECTORS_32_JOEKUO6);
  murandGetDirectionVectors64(&wide, MURAND_DIRECTION_VECTORS_64_JOEKUO6);
  Vectors vectors;
  std::memcpy(vectors.narrow, narrow[kDimension], sizeof vectors.narrow);
  std::memcpy(vectors.wide, wide[kDimension], sizeof vectors.wide);
  unsigned int* words;
  double* doubles;
  float* normals;
  int* failures;
  musaMallocManaged(&words, kAll * sizeof(*words));
  musaMallocManaged(&doubles, kAll * sizeof(*doubles));
  musaMallocManaged(&normals, kAll * sizeof(*normals));
  musaMallocManaged(&failures, sizeof(*failures));
  *failures = 0;
  draw<<<(kAll + 63) / 64, 64>>>(vectors, words, doubles, normals, failures);
  *failures += musaDeviceSynchronize() != musaSuccess;

  constexpr int kDimensions = kDimension + 1;
  static unsigned int theirWords[kDimensions * kAll];
  static double theirDoubles[kDimensions * kAll];
  static float theirNormals[kDimensions * kAll];
  for (const murandRngType_t type : {MURAND_RNG_QUASI_SOBOL32, MURAND_RNG_QUASI_SOBOL64}) {
    murandGenerator_t generator;
    murandCreateGeneratorHost(&generator, type);
    murandSetQuasiRandomGeneratorDimensions(generator, kDimensions);
    murandSetGeneratorOffset(generator, kOffset);
    if (type == MURAND_RNG_QUASI_SOBOL32) {
      murandGenerate(generator, theirWords, kDimensions * kAll);
      murandSetGeneratorOffset(generator, kOffset);
      murandGenerateNormal(generator, theirNormals, kDimensions * kAll, 0, 1);
    } else {
      murandGenerateUniformDouble(generator, theirDoubles, kDimensions * kAll);
    }
    murandDestroyGenerator(generator);
  }
  for (int i = 0; i < kAll; ++i) {
    *failures += words[i] != theirWords[kDimension * kAll + i];
    *failures += doubles[i] != theirDoubles[kDimension * kAll + i];
    *failures += std::fabs(normals[i] - theirNormals[kDimension * kAll + i]) > 1e-5f;
  }
  if (*failures != 0) std::printf("%d values are wrong\n", *failures);
  return *failures != 0;
}
