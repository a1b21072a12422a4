// Kernels may start kernels by their names, but nothing else of the host's.
int onHost();
__global__ void start(int depth);
__global__ void start(int depth) {
  if (depth > 0) start<<<1, 1>>>(depth - 1);
}
template <class T>
__global__ void startAny(T) {}
__global__ void wrong(int* out) {
  start<<<1, 1>>>(*out);
  *out = onHost();
  startAny<<<1, 1>>>(out);
  auto address = &start;
}
