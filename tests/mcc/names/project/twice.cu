__global__ void twice(int* p) { p[threadIdx.x] *= 2; }

extern "C" int runTwice(int value) {
  int* memory = nullptr;
  musaMallocManaged(&memory, sizeof(int));
  *memory = value;
  twice<<<1, 1>>>(memory);
  return musaDeviceSynchronize() == musaSuccess ? *memory : -1;
}
