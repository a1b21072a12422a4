#pragma once

__global__ void decisionTree(int rows, int features, int inner, const float* data, const int* columns,
                             const float* thresholds, const float* leaves, float* out) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int node = 0;
  while (node < inner) {
    if (data[row * features + columns[node]] < thresholds[node]) {
      node = 2 * node + 1;
    } else {
      node = 2 * node + 2;
    }
  }
  out[row] = leaves[node - inner];
}
