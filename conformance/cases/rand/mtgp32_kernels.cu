// links: curand
// MTGP32 in kernels: parameters and states that the host makes, and what the threads of blocks draw.
#include "../../framework/observe.h"

CONFORMANCE_CASE("rand.mtgp32_kernels");

#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include "../../framework/random_kernels.h"

constexpr int kBlocks = 3;

template <typename T, typename Make>
__global__ void draw(curandStateMtgp32* states, T* out, Make make) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = make(&states[blockIdx.x]);
}
struct Word {
  __device__ unsigned operator()(curandStateMtgp32* state) const { return curand(state); }
};
struct Specific {
  __device__ unsigned operator()(curandStateMtgp32* state) const {
    return curand_mtgp32_specific(state, static_cast<unsigned char>(threadIdx.x),
                                  static_cast<unsigned char>(blockDim.x));
  }
};
struct Uniform {
  __device__ float operator()(curandStateMtgp32* state) const { return curand_uniform(state); }
};
struct UniformDouble {
  __device__ double operator()(curandStateMtgp32* state) const { return curand_uniform_double(state); }
};
// Numbers near enough to be the same, of which the places after the fifth are not looked at.
struct Normal {
  __device__ int operator()(curandStateMtgp32* state) const {
    return static_cast<int>(rintf(curand_normal(state) * 1024));
  }
};
struct NormalDouble {
  __device__ int operator()(curandStateMtgp32* state) const {
    return static_cast<int>(rint(curand_normal_double(state) * 1048576));
  }
};
struct LogNormal {
  __device__ int operator()(curandStateMtgp32* state) const {
    return static_cast<int>(rintf(curand_log_normal(state, 0.5f, 0.25f) * 1024));
  }
};
struct LogNormalDouble {
  __device__ int operator()(curandStateMtgp32* state) const {
    return static_cast<int>(rint(curand_log_normal_double(state, 0.5, 0.25) * 1048576));
  }
};
struct Discrete {
  curandDiscreteDistribution_t distribution;
  __device__ unsigned operator()(curandStateMtgp32* state) const {
    return curand_discrete(state, distribution);
  }
};
struct Poisson {
  double lambda;
  __device__ unsigned operator()(curandStateMtgp32* state) const { return curand_poisson(state, lambda); }
};

static curandStateMtgp32* states;

template <typename T, typename Make>
static void observeDraw(const std::string& key, Make make, int threads = 256) {
  DeviceValues<T> out(kBlocks * threads);
  draw<T><<<kBlocks, threads>>>(states, static_cast<T*>(out), make);
  observeBits(key, out);
}

static void observeStates(const std::string& key) {
  std::vector<curandStateMtgp32> host(kBlocks);
  SETUP(cudaMemcpy(host.data(), states, kBlocks * sizeof *states, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kBlocks; ++i) {
    const std::string one = key + "state" + std::to_string(i);
    OBSERVE(one, checksum(host[i].s, MTGPDC_N * sizeof host[i].s[0]));
    OBSERVE(one + ".offset", host[i].offset);
    OBSERVE(one + ".pIdx", host[i].pIdx);
  }
}

static void observeSeed(const std::string& key, mtgp32_kernel_params* params, unsigned long long seed) {
  OBSERVE(key + "make",
          code(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, kBlocks, seed)));
  observeStates(key);
  for (int turn = 0; turn < 5; ++turn) observeDraw<unsigned>(key + "words" + std::to_string(turn), Word{});
  observeDraw<float>(key + "uniform", Uniform{});
  observeDraw<double>(key + "uniform_double", UniformDouble{});
  observeDraw<int>(key + "normal", Normal{});
  observeDraw<int>(key + "normal_double", NormalDouble{});
  observeDraw<int>(key + "log_normal", LogNormal{});
  observeDraw<int>(key + "log_normal_double", LogNormalDouble{});
  observeDraw<unsigned>(key + "specific", Specific{}, 64);
  observeDraw<unsigned>(key + "words.next", Word{});
  for (const double lambda : {0.5, 3.0, 20.0, 100.0, 1500.0, 5000.0}) {
    curandDiscreteDistribution_t distribution = nullptr;
    SETUP(static_cast<cudaError_t>(curandCreatePoissonDistribution(lambda, &distribution)));
    observeDraw<unsigned>(key + "discrete." + std::to_string(static_cast<int>(2 * lambda)),
                          Discrete{distribution});
    SETUP(static_cast<cudaError_t>(curandDestroyDistribution(distribution)));
  }
  for (const double lambda : {0.5, 3.0, 20.0, 63.0, 100.0, 500.0, 900.0, 1000.0, 5000.0})
    observeDraw<unsigned>(key + "poisson." + std::to_string(static_cast<int>(2 * lambda)), Poisson{lambda});
  observeDraw<unsigned>(key + "words.last", Word{});
}

int main() {
  mtgp32_kernel_params* params;
  SETUP(cudaMalloc(&params, sizeof *params));
  SETUP(cudaMalloc(&states, 200 * sizeof *states));
  OBSERVE("sizes", std::to_string(sizeof(curandStateMtgp32)) + " " + std::to_string(sizeof *params) + " " +
                       std::to_string(sizeof(mtgp32_params_fast_t)));
  OBSERVE("constants", code(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, params)));
  std::vector<char> bytes(sizeof *params);
  SETUP(cudaMemcpy(bytes.data(), params, bytes.size(), cudaMemcpyDeviceToHost));
  OBSERVE("constants.bits", checksum(bytes.data(), bytes.size()));
  OBSERVE("table.bits", checksum(mtgp32dc_params_fast_11213, 200 * sizeof(mtgp32_params_fast_t)));
  for (const int count : {0, 1, 200})
    OBSERVE("make." + std::to_string(count),
            code(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, params, count, 5)));
  observeSeed("small.", params, 1234);
  observeSeed("wide.", params, 0xfedcba9876543210ull);
}
