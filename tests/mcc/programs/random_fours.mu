// Four doubles at a time are those that come two at a time, in the same order. Says nothing when all is right.
#include <murand_kernel.h>

#include <cmath>
#include <cstdio>

constexpr int kAll = 4096;

__global__ void draw(double4* uniform, double4* normal, double4* logNormal, double2* pairs) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  murandStatePhilox4_32_10_t start;
  murand_init(42ull, thread, 3, &start);
  murandStatePhilox4_32_10_t state = start;
  uniform[thread] = murand_uniform4_double(&state);
  state = start;
  pairs[2 * thread] = murand_uniform2_double(&state);
  pairs[2 * thread + 1] = murand_uniform2_double(&state);
  state = start;
  normal[thread] = murand_normal4_double(&state);
  state = start;
  logNormal[thread] = murand_log_normal4_double(&state, 0.5, 0.25);
}

bool near(double value, double expected, double reach) { return std::fabs(value - expected) <= reach; }

int main() {
  double4 *uniform, *normal, *logNormal;
  double2* pairs;
  musaMallocManaged(&uniform, kAll * sizeof(double4));
  musaMallocManaged(&normal, kAll * sizeof(double4));
  musaMallocManaged(&logNormal, kAll * sizeof(double4));
  musaMallocManaged(&pairs, 2 * kAll * sizeof(double2));
  draw<<<kAll / 64, 64>>>(uniform, normal, logNormal, pairs);
  int failures = musaDeviceSynchronize() != musaSuccess;
  double sum = 0, squares = 0;
  for (int i = 0; i < kAll; ++i) {
    const double u[4] = {uniform[i].x, uniform[i].y, uniform[i].z, uniform[i].w};
    const double two[4] = {pairs[2 * i].x, pairs[2 * i].y, pairs[2 * i + 1].x, pairs[2 * i + 1].y};
    const double n[4] = {normal[i].x, normal[i].y, normal[i].z, normal[i].w};
    const double l[4] = {logNormal[i].x, logNormal[i].y, logNormal[i].z, logNormal[i].w};
    for (int k = 0; k < 4; ++k) {
      failures += u[k] != two[k] || u[k] <= 0 || u[k] > 1;
      // Box and Muller: the radius belongs to the first of two, the angle to the second.
      const double radius = std::sqrt(-2 * std::log(u[k & 2])), angle = 2 * M_PI * u[k | 1];
      failures += !near(n[k], radius * (k % 2 == 0 ? std::sin(angle) : std::cos(angle)), 1e-12);
      failures += !near(l[k], std::exp(0.5 + 0.25 * n[k]), 1e-12 * l[k]);
      sum += n[k], squares += n[k] * n[k];
    }
  }
  const double count = 4.0 * kAll;
  failures += !near(sum / count, 0, 4 / std::sqrt(count)) || !near(squares / count, 1, 4 * std::sqrt(2 / count));
  if (failures != 0) std::printf("%d values are wrong\n", failures);
  return failures != 0;
}
