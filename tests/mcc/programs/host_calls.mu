// Functions for both sides that call functions of the host, or throw: they are compiled for devices as well,
// and fail where device code gets to such a call.
#include <musa_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

static int hostOnly() { return 3; }
int declaredOnly(int);

struct Inline {
  int value;
  Inline(int x) : value(x) {}
  ~Inline() { value = 0; }
  int get() const { return value + hostOnly(); }
};

struct OutOfLine {
  int value;
  OutOfLine();
  __host__ __device__ OutOfLine(int);
  __host__ __device__ int get() const;
};
OutOfLine::OutOfLine() : value(hostOnly()) {}
__host__ __device__ OutOfLine::OutOfLine(int x) : value(x > 0 ? x : hostOnly()) {}
__host__ __device__ int OutOfLine::get() const { return value ? value : hostOnly(); }

__host__ __device__ int plain(int x) { return x > 0 ? hostOnly() : 1; }
__host__ __device__ int unused() { return hostOnly(); }
__host__ __device__ int constructs() {
  OutOfLine object;
  return object.value;
}
__host__ __device__ int constructsInline(int x) {
  if (x < 0) return 1;
  const Inline object(x);
  return object.get();
}
__host__ __device__ int standard(int x) {
  if (x < 0) return 1;
  std::vector<int> values(static_cast<size_t>(x));
  values.push_back(3);
  return values[0];
}
template <class T>
__host__ __device__ T ofTemplate(T x) {
  return x > 0 ? hostOnly() : x;
}
template <class T>
struct Instantiated {
  __host__ __device__ T of(T x) { return x > 0 ? declaredOnly(x) : x; }
};
template struct Instantiated<int>;
static __host__ __device__ int ofFile(int x) { return x > 0 ? hostOnly() : x; }
inline __host__ __device__ int ofAll(int x) { return x > 0 ? hostOnly() : x; }

__global__ void kernel(int* out, int x) {
  *out = plain(x) + OutOfLine(5).get() + ofTemplate(x) + Instantiated<int>().of(x) + ofFile(x) + ofAll(x) +
         constructsInline(x) + standard(x);
}

// Functions of constants that throw, which nobody has made ones for both sides.
struct Odd {
  int value;
};
constexpr int positive(int x) {
  if (x < 0) throw x;
  return x;
}
template <class T>
constexpr T even(T x) {
  return x % 2 != 0 ? throw Odd{x} : x;
}
struct Row {
  int values[3];
  constexpr int at(int i) const {
    if (i > 2) throw std::out_of_range("at");
    return values[i];
  }
};
static_assert(positive(3) + even(4) + Row{{1, 2, 3}}.at(2) == 10);

__global__ void ofConstants(int* out, int x) {
  *out = positive(x) + even(2 * x + x % 2) + Row{{1, 2, 3}}.at(x / 2);
}

static int thrownAt(int x) {
  try {
    return positive(x) + even(x) + Row{{1, 2, 3}}.at(x);
  } catch (int) {
    return -1;
  } catch (Odd& odd) {
    return -odd.value;
  } catch (std::out_of_range&) {
    return -100;
  }
}

int declaredOnly(int x) { return x; }

int main() {
  int* out = nullptr;
  if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  kernel<<<1, 64>>>(out, -1);
  if (musaDeviceSynchronize() != musaSuccess || *out != 4) return std::printf("%d, not 4\n", *out), 1;
  const int onHost = constructs() + constructsInline(3) + plain(3) + unused() + standard(2);
  if (onHost != 3 + 6 + 3 + 3 + 0) return std::printf("on the host: %d\n", onHost), 1;
  ofConstants<<<1, 64>>>(out, 4);
  if (musaDeviceSynchronize() != musaSuccess || *out != 15) return std::printf("%d, not 15\n", *out), 1;
  if (thrownAt(2) != 7 || thrownAt(-1) != -1 || thrownAt(3) != -3 || thrownAt(4) != -100) return 1;
  for (const int x : {-1, 5, 8}) {
    ofConstants<<<1, 1>>>(out, x);
    const musaError_t error = musaDeviceSynchronize();
    if (error != musaErrorAssert) return std::printf("thrown: %s\n", musaGetErrorName(error)), 1;
    musaDeviceReset();
    if (musaMallocManaged(&out, sizeof *out) != musaSuccess) return 1;
  }
  kernel<<<1, 2>>>(out, 7);
  const musaError_t error = musaDeviceSynchronize();
  std::printf("%s\n", error == musaErrorAssert ? "passed" : musaGetErrorName(error));
  return error != musaErrorAssert;
}
