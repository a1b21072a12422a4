// The loop over the block's threads is taken in strips of kStrip, whose sums then stay in registers over a
// tile.
#include "problem.h"

constexpr int kThreads = NBody::kThreads, kStrip = 16;

struct Strip {
  float x[kStrip], y[kStrip], z[kStrip];
};

static void addTile(const Body* tile, const Strip& own, Strip& sum) {
  for (int j = 0; j < kThreads; ++j) {
    const Body other = tile[j];
#pragma omp simd
    for (int t = 0; t < kStrip; ++t) {
      const float dx = other.x - own.x[t], dy = other.y - own.y[t], dz = other.z - own.z[t];
      const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + NBody::kSoftening);
      const float factor = other.mass * inverse * inverse * inverse;
      sum.x[t] += dx * factor;
      sum.y[t] += dy * factor;
      sum.z[t] += dz * factor;
    }
  }
}

static void nbodyBlock(int block, int n, const Body* bodies, Body* out) {
  alignas(64) Body tile[kThreads];
  alignas(64) Strip own[kThreads / kStrip], sums[kThreads / kStrip] = {};
  for (int t = 0; t < kThreads; ++t) {
    const Body& body = bodies[block * kThreads + t];
    own[t / kStrip].x[t % kStrip] = body.x;
    own[t / kStrip].y[t % kStrip] = body.y;
    own[t / kStrip].z[t % kStrip] = body.z;
  }
  for (int first = 0; first < n; first += kThreads) {
    for (int t = 0; t < kThreads; ++t) tile[t] = bodies[first + t];
    for (int strip = 0; strip < kThreads / kStrip; ++strip) {
      Strip sum = sums[strip];
      addTile(tile, own[strip], sum);
      sums[strip] = sum;
    }
  }
  for (int t = 0; t < kThreads; ++t) {
    const Strip& sum = sums[t / kStrip];
    out[block * kThreads + t] = {sum.x[t % kStrip], sum.y[t % kStrip], sum.z[t % kStrip], 0.0f};
  }
}

static void nbody(const NBody& p, NBody::Data<bench::Buffer>& d) {
#pragma omp parallel for schedule(static)
  for (int block = 0; block < p.n / kThreads; ++block) {
    nbodyBlock(block, p.n, reinterpret_cast<const Body*>(d.bodies.data()),
               reinterpret_cast<Body*>(d.out.data()));
  }
}

BENCH_HOST(NBody, nbody)
