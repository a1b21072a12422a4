// Kernels that launch kernels. Checks itself.
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>

struct Big {
  double values[5];
  char tag;
};

__device__ int events[64];
__device__ int eventCount;
__managed__ long long total;
__managed__ int errors[4];
__managed__ int deepest;

__device__ void note(int event) { events[atomicAdd(&eventCount, 1)] = event; }

// Parameters of all kinds arrive as they were, though the caller's copies change.
__global__ void add(char first, Big big, bool flag, const int* pointer, double factor, short last) {
  if (threadIdx.x + blockIdx.x != 0) return;
  const double sum =
      first + big.values[4] + big.tag + flag + *pointer + factor + last + gridDim.y + blockDim.z;
  atomicAdd(reinterpret_cast<unsigned long long*>(&total), static_cast<unsigned long long>(sum));
}

__device__ int constantOne = 1;

// A device function that launches; arguments are computed by threads that wait for each other.
__device__ __noinline__ void launchAdd(int lane) {
  Big big{{0, 0, 0, 0, double(lane)}, 1};
  add<<<dim3(1, 2), dim3(1, 1, 3)>>>(1, big, true, &constantOne, __shfl_sync(0xffffffffu, lane, 3) + 0.0, -2);
  big.values[4] = 1e9;
}

__global__ void warp() {
  const int lane = threadIdx.x;
  launchAdd(lane);
  __syncthreads();
}

__global__ void event(int number) { note(number); }

__global__ void eventAndChild(int number) {
  note(number);
  event<<<1, 1>>>(number + 1);
}

__global__ void order() {
  musaStream_t stream;
  event<<<1, 1, 0, musaStreamTailLaunch>>>(9);
  eventAndChild<<<1, 1>>>(1);
  if (musaStreamCreateWithFlags(&stream, musaStreamNonBlocking) != musaSuccess) note(-1);
  event<<<1, 1, 0, stream>>>(3);
  if (musaStreamDestroy(stream) != musaSuccess) note(-2);
  event<<<1, 1, 0, musaStreamFireAndForget>>>(4);
  note(0);
}

__global__ void dynamicSharedInts(int* out, int count) {
  extern __shared__ int words[];
  words[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = words[count - 1 - threadIdx.x];
}

__global__ void wrong(int* out) {
  event<<<1, 2048>>>(50);
  errors[0] = musaPeekAtLastError();
  errors[1] = musaGetLastError();
  errors[2] = musaGetLastError();
  event<<<dim3(1, 0), 1>>>(51);
  errors[3] = musaGetLastError();
  dynamicSharedInts<<<1, 64, 256>>>(out, 64);
}

__global__ void deeper(int depth) {
  deepest = depth;
  if (depth < 1000) deeper<<<1, 1>>>(depth + 1);
  if (depth == 24) errors[0] = musaGetLastError();
}

__global__ void heap(int** slot) {
  if (musaMalloc(reinterpret_cast<void**>(slot), 4 * sizeof(int)) == musaSuccess) (*slot)[3] = 77;
}
__global__ void heapBack(int** slot, int* out) {
  *out = (*slot)[3];
  musaFree(*slot);
}

// Kernel templates, overloaded kernels, and launches from where bodies are parsed late or more than once.
template <class T, int kAdded>
__global__ void addAll(T* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += T(kAdded);
}
template <class T>
__global__ void addNine(T* values, int count) {
  if (threadIdx.x != 0) return;
  addAll<T, 4><<<(count + 31) / 32, 32>>>(values, count);
  addAll<T, 5><<<dim3(1), dim3(count), 0, musaStreamTailLaunch>>>(values, count);
}
template <class Body>
__global__ void forEach(int* values, Body body) {
  body(values[threadIdx.x], int(threadIdx.x));
}
template <class Body>
__device__ void launchForEach(int* values, int count, Body body) {
  forEach<<<1, count>>>(values, body);
}
__global__ void overloaded(int* values) { values[0] += 1000; }
__global__ void overloaded(int* values, int index) { values[index] += 2000; }
struct Launches {
  template <class T>
  static __device__ void hundred(T* values, int count) {
    addAll<T, 100><<<1, count>>>(values, count);
  }
  __device__ void first(int* values) const {
    overloaded<<<1, 1>>>(values);
    event<<<1, 1>>>(11);
  }
};
template <int kIndex>
struct LaunchesOf {
  __device__ void one(int* values) {
    overloaded<<<1, 1>>>(values, kIndex);
    addAll<int, kIndex><<<1, 1>>>(values, 1);
  }
};
__global__ void launchAllWays(int* values, int count) {
  if (threadIdx.x != 0) return;
  launchForEach(values, count, [] __device__(int& value, int i) { value = value * 3 + i; });
  Launches::hundred(values, count);
  Launches().first(values);
  LaunchesOf<2>().one(values);
  const auto later = [=](int size) { addAll<int, 3><<<1, size>>>(values, size); };
  later(1);
}

// Copies and fills are in order with the launches.
__global__ void copies(int* to, const int* from, int count) {
  if (threadIdx.x != 0) return;
  errors[0] = musaMemcpyAsync(to, from, count * sizeof(int), musaMemcpyDeviceToDevice);
  addAll<int, 1><<<1, count>>>(to, count);
  errors[1] = musaMemcpy2DAsync(to + count, 8, to, 16, 8, 4, musaMemcpyDefault, nullptr);
  errors[2] = musaMemset2DAsync(to, 12, 0xff, 4, 3);
  errors[3] = musaMemcpyAsync(to, from, 4, musaMemcpyHostToDevice);
}
__global__ void queries(int* out) {
  size_t heapBytes = 0;
  out[0] = musaGetDevice(&out[1]);
  out[2] = musaGetDeviceCount(&out[3]);
  out[4] = musaDeviceGetAttribute(&out[5], musaDevAttrMaxThreadsPerBlock, out[1]);
  out[6] = musaDeviceGetAttribute(&out[7], musaDevAttrWarpSize, out[1]);
  out[8] = musaDeviceGetAttribute(&out[9], musaDevAttrWarpSize, 77);
  out[10] = musaDeviceGetAttribute(&out[9], static_cast<musaDeviceAttr>(100000), out[1]);
  out[11] = musaDeviceGetLimit(&heapBytes, musaLimitMallocHeapSize);
  out[12] = heapBytes == (size_t{8} << 20);
}

static int failures = 0;
static void expect(long long have, long long want, const char* what) {
  if (have == want) return;
  std::printf("%s: %lld, not %lld\n", what, have, want);
  ++failures;
}

static void checkEvents(const int* wanted, int count) {
  int have[64], haveCount = 0;
  expect(musaMemcpyFromSymbol(&haveCount, eventCount, sizeof(int)), musaSuccess, "status");
  expect(musaMemcpyFromSymbol(have, events, sizeof(have)), musaSuccess, "status");
  expect(haveCount, count, "number of events");
  for (int i = 0; i < count; ++i) expect(have[i], wanted[i], "event");
  haveCount = 0;
  expect(musaMemcpyToSymbol(eventCount, &haveCount, sizeof(int)), musaSuccess, "status");
}

__managed__ char texts[3][64];
__global__ void describe() {
  const char* from[] = {musaGetErrorName(musaErrorInvalidValue), musaGetErrorString(musaErrorInvalidValue),
                        musaGetErrorString(musaError_t(54321))};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j == 0 || from[i][j - 1] != 0; ++j) texts[i][j] = from[i][j];
}

int main() {
  warp<<<1, 32>>>();
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  // Of 32 lanes and six threads each: 1 + lane + 1 + 1 + 1 + 3 - 2 + 2 + 3.
  expect(total, 6 * (32 * 10 + 31 * 16), "parameters");

  int zero = 0;
  expect(musaMemcpyToSymbol(eventCount, &zero, sizeof(int)), musaSuccess, "status");
  order<<<1, 1>>>();
  const int ordered[] = {0, 1, 2, 3, 4, 9};
  checkEvents(ordered, 6);

  int* out = nullptr;
  expect(musaMallocManaged(&out, 64 * sizeof(int)), musaSuccess, "status");
  wrong<<<1, 1>>>(out);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  expect(errors[0], musaErrorInvalidConfiguration, "peek");
  expect(errors[1], musaErrorInvalidConfiguration, "get");
  expect(errors[2], musaSuccess, "get again");
  expect(errors[3], musaErrorInvalidConfiguration, "no blocks");
  for (int i = 0; i < 64; ++i) expect(out[i], 63 - i, "dynamic shared memory");

  deeper<<<1, 1>>>(0);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  expect(deepest, 24, "nesting");
  expect(errors[0], musaErrorLaunchMaxDepthExceeded, "too deep");

  int** slot = nullptr;
  expect(musaMalloc(&slot, sizeof(int*)), musaSuccess, "status");
  heap<<<1, 1>>>(slot);
  heapBack<<<1, 1>>>(slot, out);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  expect(*out, 77, "heap");

  expect(musaMemset(out, 0, 64 * sizeof(int)), musaSuccess, "status");
  addNine<<<1, 32>>>(out, 64);
  launchAllWays<<<1, 32>>>(out, 64);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  for (int i = 0; i < 64; ++i) {
    const int others = i == 0 ? 1000 + 2 + 3 : i == 2 ? 2000 : 0;
    expect(out[i], 9 * 3 + i + 100 + others, "launched templates");
  }
  const int again[] = {11};
  checkEvents(again, 1);
  float* floats = reinterpret_cast<float*>(out);
  expect(musaMemset(out, 0, 64 * sizeof(int)), musaSuccess, "status");
  addNine<<<1, 32>>>(floats, 64);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  expect(int(floats[63]), 9, "another instance");

  for (int i = 0; i < 32; ++i) out[32 + i] = i * 10;
  copies<<<1, 32>>>(out, out + 32, 16);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  for (int i = 0; i < 3; ++i) expect(errors[i], musaSuccess, "copies");
  expect(errors[3], musaErrorInvalidMemcpyDirection, "copies from the host");
  for (int i = 0; i < 16; ++i)
    expect(out[i], i == 0 || i == 3 || i == 6 ? -1 : i * 10 + 1, "copied, added, filled");
  for (int i = 0; i < 8; ++i) expect(out[16 + i], (i / 2 * 4 + i % 2) * 10 + 1, "copied in two dimensions");

  describe<<<1, 1>>>();
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  expect(std::strcmp(texts[0], musaGetErrorName(musaErrorInvalidValue)), 0, "name");
  expect(std::strcmp(texts[1], musaGetErrorString(musaErrorInvalidValue)), 0, "text");
  expect(std::strcmp(texts[2], musaGetErrorString(musaError_t(54321))), 0, "text of no error");

  queries<<<1, 1>>>(out);
  expect(musaDeviceSynchronize(), musaSuccess, "status");
  int count = 0, threads = 0, lanes = 0;
  musaGetDeviceCount(&count);
  musaDeviceGetAttribute(&threads, musaDevAttrMaxThreadsPerBlock, 0);
  musaDeviceGetAttribute(&lanes, musaDevAttrWarpSize, 0);
  const int answers[] = {
      0, 0, 0, count, 0, threads, 0, lanes, musaErrorInvalidDevice, 0, musaErrorInvalidValue, 0, 1};
  for (int i = 0; i < 13; ++i) {
    if (i != 9) expect(out[i], answers[i], "queries");
  }
  if (failures == 0) std::puts("passed");
  return failures != 0;
}
