// Long chains of values that are used twice, behind conditions, of memory that processors have no masks for:
// they compile in a time that does not double with each of them (the build has a limit), and give what C++
// gives.
#include <musa_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 16, kReach = 2, kSide = kBlock + 2 * kReach;

template <typename Element>
struct Rows {
  const Element* first;
  int pitch;
  __host__ __device__ Element at(int x, int y) const { return first[y * pitch + x]; }
};

// The neighbourhood of a place, in rows.
template <typename Element>
__host__ __device__ __forceinline__ unsigned hashAround(Rows<Element> rows, int x, int y) {
  unsigned hash = 0;
#pragma unroll
  for (int dy = 0; dy <= 2 * kReach; ++dy) {
#pragma unroll
    for (int dx = 0; dx <= 2 * kReach; ++dx) {
      hash = (hash ^ static_cast<unsigned>(rows.at(x + dx, y + dy))) * 0x85ebca6bu;
      hash ^= hash >> 13;
    }
  }
  return hash;
}

// What lies far apart.
template <typename Element>
__host__ __device__ __forceinline__ double mixApart(Rows<Element> rows, int x, int y) {
  double mixed = 0;
#pragma unroll
  for (int k = 0; k < 30; ++k) {
    const double value = 0.01 * rows.at((x ^ k) & 63, (x * y + k) & 63);
    mixed = mixed * (0.5 - mixed) + value / (mixed + 3);
  }
  return mixed;
}

template <typename Element>
__global__ void __launch_bounds__(kBlock* kBlock)
    hashes(unsigned* out, const Element* in, int pitch, int width, int height) {
  __shared__ Element tile[kSide][kSide];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * kBlock + tx, y = blockIdx.y * kBlock + ty;
  for (int row = ty; row < kSide; row += kBlock) {
    for (int column = tx; column < kSide; column += kBlock) {
      tile[row][column] = in[(blockIdx.y * kBlock + row) * pitch + blockIdx.x * kBlock + column];
    }
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  out[y * width + x] = hashAround(Rows<Element>{&tile[0][0], kSide}, tx, ty);
}

template <typename Element>
__global__ void mixtures(double* out, const Element* in, int pitch, int width, int height) {
  const int x = blockIdx.x * kBlock + threadIdx.x, y = blockIdx.y * kBlock + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = mixApart(Rows<Element>{in, pitch}, x, y);
}

template <typename Value, typename Element, typename Expected>
static int differences(void (*kernel)(Value*, const Element*, int, int, int), Expected expected) {
  constexpr int kWidth = 61, kHeight = 37, kPitch = 4 * kSide;
  std::vector<Element> in(kPitch * kPitch);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<Element>((i * i + 7 * i) % 101);
  Element* deviceIn;
  Value* deviceOut;
  musaMalloc(&deviceIn, in.size() * sizeof(Element));
  musaMalloc(&deviceOut, kWidth * kHeight * sizeof(Value));
  musaMemcpy(deviceIn, in.data(), in.size() * sizeof(Element), musaMemcpyHostToDevice);
  const dim3 grid((kWidth + kBlock - 1) / kBlock, (kHeight + kBlock - 1) / kBlock);
  kernel<<<grid, dim3(kBlock, kBlock)>>>(deviceOut, deviceIn, kPitch, kWidth, kHeight);
  std::vector<Value> out(kWidth * kHeight);
  if (musaMemcpy(out.data(), deviceOut, out.size() * sizeof(Value), musaMemcpyDeviceToHost) != musaSuccess)
    return 1;
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      wrong += out[y * kWidth + x] != expected(Rows<Element>{in.data(), kPitch}, x, y);
    }
  }
  musaFree(deviceIn);
  musaFree(deviceOut);
  return wrong;
}

template <typename Element>
static int check(const char* name) {
  const int hashed = differences(hashes<Element>, hashAround<Element>);
  const int mixed = differences(mixtures<Element>, mixApart<Element>);
  if (hashed + mixed != 0) std::printf("%s: %d hashes and %d mixtures differ\n", name, hashed, mixed);
  return hashed + mixed;
}

int main() {
  const int wrong = check<unsigned char>("unsigned char") + check<short>("short") + check<int>("int") +
                    check<double>("double");
  return wrong == 0 ? 0 : 1;
}
