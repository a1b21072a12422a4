__global__ void __cluster_dims__(2, 1, 1) kernel(int* out) { *out = 1; }
__global__ void __cluster_dims__(1, 1, 4) deep(int* out) { *out = 1; }
__global__ void __cluster_dims__(1, 1, 1) alone(int* out) { *out = 1; }
template <int N>
__global__ void __cluster_dims__(N) dependent(int* out) {
  *out = N;
}
