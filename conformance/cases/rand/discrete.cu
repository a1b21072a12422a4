// links: curand
// Discrete distributions in kernels, and Poisson numbers.
#include "../../framework/observe.h"

CONFORMANCE_CASE("rand.discrete");

#include "../../framework/random_kernels.h"

// A distribution's numbers, or Poisson numbers where there is none; behind them what the state gives next.
template <typename State>
__global__ void draw(const unsigned* narrow, const unsigned long long* wide,
                     curandDiscreteDistribution_t distribution, double lambda, unsigned* out) {
  State state;
  start(&state, narrow, wide);
  for (int i = 0; i < kDrawn; ++i)
    out[i] = distribution != nullptr ? curand_discrete(&state, distribution) : curand_poisson(&state, lambda);
  out[kDrawn] = static_cast<unsigned>(curand(&state));
}
__global__ void drawFours(curandDiscreteDistribution_t distribution, double lambda, uint4* out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234ull, 5ull, 7ull, &state);
  for (int i = 0; i < kDrawn / 4; ++i)
    out[i] =
        distribution != nullptr ? curand_discrete4(&state, distribution) : curand_poisson4(&state, lambda);
}

static curandDiscreteDistribution_t made(double lambda) {
  curandDiscreteDistribution_t distribution = nullptr;
  SETUP(static_cast<cudaError_t>(curandCreatePoissonDistribution(lambda, &distribution)));
  return distribution;
}

template <typename State>
static void observeState(const std::string& name, const DeviceValues<unsigned>& narrow,
                         const DeviceValues<unsigned long long>& wide, bool pseudo) {
  for (const double lambda : {0.5, 3.0, 20.0, 100.0, 1500.0, 3000.0, 100000.0}) {
    DeviceValues<unsigned> out(kDrawn + 1);
    const curandDiscreteDistribution_t distribution = made(lambda);
    draw<State><<<1, 1>>>(narrow, wide, distribution, 0, out);
    observeBits(name + ".discrete." + std::to_string(static_cast<int>(2 * lambda)), out);
    SETUP(static_cast<cudaError_t>(curandDestroyDistribution(distribution)));
  }
  if (!pseudo) {
    for (const double lambda : {0.5, 3.0, 20.0, 100.0, 200.0, 500.0, 900.0, 1000.0, 100000.0}) {
      DeviceValues<unsigned> out(kDrawn + 1);
      draw<State><<<1, 1>>>(narrow, wide, nullptr, lambda, out);
      observeBits(name + ".poisson." + std::to_string(static_cast<int>(2 * lambda)), out);
    }
    return;
  }
  for (const double lambda :
       {0.5, 3.0, 20.0, 63.0, 64.0, 100.0, 777.5, 1000.0, 3999.0, 4000.0, 4001.0, 100000.0}) {
    DeviceValues<unsigned> out(kDrawn + 1);
    draw<State><<<1, 1>>>(narrow, wide, nullptr, lambda, out);
    observeBits(name + ".poisson." + std::to_string(static_cast<int>(2 * lambda)), out);
  }
}

static void observeFours() {
  for (const double lambda : {3.0, 20.0, 100.0, 1500.0, 5000.0}) {
    const std::string key = std::to_string(static_cast<int>(lambda));
    DeviceValues<unsigned> out(kDrawn);
    uint4* const fours = reinterpret_cast<uint4*>(static_cast<unsigned*>(out));
    const curandDiscreteDistribution_t distribution = made(lambda);
    drawFours<<<1, 1>>>(distribution, 0, fours);
    observeBits("philox.discrete4." + key, out);
    SETUP(static_cast<cudaError_t>(curandDestroyDistribution(distribution)));
    drawFours<<<1, 1>>>(nullptr, lambda, fours);
    observeBits("philox.poisson4." + key, out);
  }
}

static void observeStatuses() {
  for (const double lambda : {-1.0, 0.0, 1e-5, 2000.0, 400000.0, 400001.0}) {
    curandDiscreteDistribution_t distribution = nullptr;
    const std::string key = "create." + std::to_string(static_cast<int>(lambda));
    const curandStatus_t status = curandCreatePoissonDistribution(lambda, &distribution);
    OBSERVE(key + (lambda > 0 && lambda < 1 ? ".small" : ""), code(status));
    OBSERVE(key + (lambda > 0 && lambda < 1 ? ".small" : "") + ".set", distribution != nullptr);
    if (status == CURAND_STATUS_SUCCESS)
      OBSERVE(key + ".destroy", code(curandDestroyDistribution(distribution)));
  }
  OBSERVE("create.null", code(curandCreatePoissonDistribution(3, nullptr)));
  OBSERVE("destroy.null", code(curandDestroyDistribution(nullptr)));
}

int main() {
  curandDirectionVectors32_t* narrow = nullptr;
  curandDirectionVectors64_t* wide = nullptr;
  OBSERVE("vectors32", code(curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6)));
  OBSERVE("vectors64", code(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6)));
  const DeviceValues<unsigned> narrowOne(std::vector<unsigned>(narrow[3], narrow[3] + 32));
  const DeviceValues<unsigned long long> wideOne(std::vector<unsigned long long>(wide[3], wide[3] + 64));
  observeState<curandStateXORWOW_t>("xorwow", narrowOne, wideOne, true);
  observeState<curandStateMRG32k3a_t>("mrg32k3a", narrowOne, wideOne, true);
  observeState<curandStatePhilox4_32_10_t>("philox", narrowOne, wideOne, true);
  observeState<curandStateSobol32_t>("sobol32", narrowOne, wideOne, false);
  observeState<curandStateScrambledSobol32_t>("scrambled32", narrowOne, wideOne, false);
  observeState<curandStateSobol64_t>("sobol64", narrowOne, wideOne, false);
  observeState<curandStateScrambledSobol64_t>("scrambled64", narrowOne, wideOne, false);
  observeFours();
  observeStatuses();
}
