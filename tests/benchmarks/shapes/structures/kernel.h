#pragma once

#include "problem.h"

__device__ inline void advance(float dt, float& x, float& y, float& z, float mass, float& vx, float& vy,
                               float& vz, float& age) {
  vx -= dt * x / mass;
  vy -= dt * y / mass;
  vz -= dt * z / mass;
  x += dt * vx;
  y += dt * vy;
  z += dt * vz;
  age += dt;
}

__global__ void stepStructures(int n, float dt, Particle* all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = all[i];
  advance(dt, p.x, p.y, p.z, p.mass, p.vx, p.vy, p.vz, p.age);
  all[i] = p;
}

__global__ void stepArrays(int n, float dt, float* all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  advance(dt, all[i], all[n + i], all[2 * n + i], all[3 * n + i], all[4 * n + i], all[5 * n + i],
          all[6 * n + i], all[7 * n + i]);
}
