// MTGP32 in kernels: the states of blocks give the library's sequences, whether all threads draw or some of them
// do. Says nothing when all is right.
#include <murand_kernel.h>
#include <murand_mtgp32_host.h>
#include <murand_mtgp32dc_p_11213.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kBlocks = 5, kTurn = 256, kLanes = 192;
constexpr unsigned long long kSeed = 0x123456789abull;
int failures = 0;

#define EXPECT(condition)                                    \
  if (!(condition)) {                                        \
    std::printf("line %d: not %s\n", __LINE__, #condition); \
    ++failures;                                              \
  }

// Two turns of all threads, in a block of two dimensions; one of half of the numbers; one of floats and one of others.
__global__ void draw(murandStateMtgp32* states, unsigned* words, float* uniform, float* single, double* normal) {
  murandStateMtgp32* const state = &states[blockIdx.x];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, at = blockIdx.x * 3 * kTurn + thread;
  words[at] = murand(state);
  words[at + kTurn] = murand(state);
  words[at + 2 * kTurn] = murand_mtgp32_specific(state, thread, kTurn);
  uniform[blockIdx.x * kTurn + thread] = murand_uniform(state);
  single[blockIdx.x * kTurn + thread] = murand_mtgp32_single(state);
  normal[blockIdx.x * kTurn + thread] = murand_normal_double(state);
}
__global__ void drawHalves(murandStateMtgp32* states, unsigned* words) {
  for (int half = 0; half < 2; ++half)
    words[blockIdx.x * kTurn + half * kTurn / 2 + threadIdx.x] = murand(&states[blockIdx.x]);
}

int main() {
  mtgp32_kernel_params* params;
  murandStateMtgp32* states;
  unsigned *words, *halves;
  float *uniform, *single;
  double* normal;
  musaMalloc(&params, sizeof *params);
  musaMalloc(&states, kBlocks * sizeof *states);
  musaMallocManaged(&words, kBlocks * 3 * kTurn * sizeof *words);
  musaMallocManaged(&halves, kBlocks * kTurn * sizeof *halves);
  musaMallocManaged(&uniform, kBlocks * kTurn * sizeof *uniform);
  musaMallocManaged(&single, kBlocks * kTurn * sizeof *single);
  musaMallocManaged(&normal, kBlocks * kTurn * sizeof *normal);
  EXPECT(murandMakeMTGP32Constants(mtgp32dc_params_fast_11213, params) == MURAND_STATUS_SUCCESS);
  EXPECT(murandMakeMTGP32Constants(mtgp32dc_params_fast_11213, nullptr) == MURAND_STATUS_INITIALIZATION_FAILED);
  EXPECT(murandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, 201, kSeed) ==
         MURAND_STATUS_OUT_OF_RANGE);
  EXPECT(murandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, kBlocks, kSeed) ==
         MURAND_STATUS_SUCCESS);
  draw<<<kBlocks, dim3(32, 8)>>>(states, words, uniform, single, normal);
  EXPECT(musaDeviceSynchronize() == musaSuccess);
  EXPECT(murandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, kBlocks, kSeed) ==
         MURAND_STATUS_SUCCESS);
  drawHalves<<<kBlocks, kTurn / 2>>>(states, halves);
  EXPECT(musaDeviceSynchronize() == musaSuccess);

  // The generator's lanes take turns.
  const size_t all = 6 * kLanes * kTurn;
  std::vector<unsigned> theirs(all);
  std::vector<double> theirNormals(all);
  murandGenerator_t generator;
  EXPECT(murandCreateGeneratorHost(&generator, MURAND_RNG_PSEUDO_MTGP32) == MURAND_STATUS_SUCCESS);
  EXPECT(murandSetPseudoRandomGeneratorSeed(generator, kSeed) == MURAND_STATUS_SUCCESS);
  EXPECT(murandGenerate(generator, theirs.data(), all - kLanes * kTurn) == MURAND_STATUS_SUCCESS);
  EXPECT(murandGenerateNormalDouble(generator, theirNormals.data(), kLanes * kTurn, 0, 1) == MURAND_STATUS_SUCCESS);
  murandDestroyGenerator(generator);
  for (int block = 0; block < kBlocks; ++block)
    for (int i = 0; i < kTurn; ++i) {
      const auto word = [&](int turn) { return theirs[(turn * kLanes + block) * kTurn + i]; };
      const int at = block * kTurn + i;
      for (int turn = 0; turn < 3; ++turn) EXPECT(words[(block * 3 + turn) * kTurn + i] == word(turn));
      EXPECT(halves[at] == word(0));
      EXPECT(uniform[at] == float(word(3)) * 0x1p-32f + 0x1p-33f);
      EXPECT(single[at] == 1 + float(word(4) >> 9) * 0x1p-23f);
      EXPECT(std::fabs(normal[at] - theirNormals[at]) < 1e-13);
      if (failures > 10) return 1;
    }
  return failures != 0;
}
