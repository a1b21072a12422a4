// Texture references of every element type: linear memory, arrays, normalized reads, against the host's
// bytes.
#include <musa_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures = 0;
static void expect(bool right, const char* what, const char* type) {
  if (right) return;
  std::printf("wrong: %s of %s\n", what, type);
  ++failures;
}
static void expectMusa(musaError_t error, const char* what, const char* type) {
  expect(error == musaSuccess, what, type);
}

constexpr int kWidth = 29, kHeight = 7, kCount = kWidth * kHeight;

// Bytes without a pattern; as floats they are finite.
static std::vector<unsigned char> someBytes(size_t count) {
  std::vector<unsigned char> bytes(count);
  uint32_t state = 12345;
  for (unsigned char& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<unsigned char>((state >> 24) & 0xbfu);
  }
  return bytes;
}

template <class T>
class Memory {
 public:
  Memory() : host_(someBytes(kCount * sizeof(T))) {
    expectMusa(musaMalloc(&device_, host_.size()), "musaMalloc", "memory");
    expectMusa(musaMemcpy(device_, host_.data(), host_.size(), musaMemcpyHostToDevice), "musaMemcpy",
               "memory");
    const musaChannelFormatDesc desc = musaCreateChannelDesc<T>();
    expectMusa(musaMallocArray(&array_, &desc, kWidth, kHeight), "musaMallocArray", "memory");
    const size_t row = kWidth * sizeof(T);
    expectMusa(musaMemcpy2DToArray(array_, 0, 0, host_.data(), row, row, kHeight, musaMemcpyHostToDevice),
               "musaMemcpy2DToArray", "memory");
  }
  ~Memory() {
    (void)musaFree(device_);
    (void)musaFreeArray(array_);
  }
  T* device() const { return device_; }
  musaArray_t array() const { return array_; }
  const unsigned char* bytes(int i) const { return host_.data() + static_cast<size_t>(i) * sizeof(T); }

 private:
  std::vector<unsigned char> host_;
  T* device_ = nullptr;
  musaArray_t array_ = nullptr;
};

template <class T, class Fetch>
static std::vector<T> fetchAll(int count, Fetch launch) {
  T* out = nullptr;
  expectMusa(musaMallocManaged(&out, static_cast<size_t>(count) * sizeof(T)), "musaMallocManaged", "results");
  launch(out);
  expectMusa(musaDeviceSynchronize(), "musaDeviceSynchronize", "results");
  std::vector<T> results(out, out + count);
  (void)musaFree(out);
  return results;
}

// Two elements more than there are: one before, one behind, which are zero.
template <class T>
static void checkLinear(const std::vector<T>& results, const Memory<T>& memory, const char* type) {
  const unsigned char zeros[sizeof(T)] = {};
  for (int i = 0; i < kCount + 2; ++i) {
    const unsigned char* expected = i == 0 || i == kCount + 1 ? zeros : memory.bytes(i - 1);
    expect(std::memcmp(&results[static_cast<size_t>(i)], expected, sizeof(T)) == 0, "linear fetch", type);
  }
}

template <class T>
static void checkArray(const std::vector<T>& results, const Memory<T>& memory, const char* type) {
  for (int i = 0; i < kCount; ++i)
    expect(std::memcmp(&results[static_cast<size_t>(i)], memory.bytes(i), sizeof(T)) == 0, "array fetch",
           type);
}

// The component at `bytes` as a normalized float.
template <class Component>
static float normalized(const unsigned char* bytes) {
  Component value;
  std::memcpy(&value, bytes, sizeof value);
  const double largest = static_cast<double>(std::numeric_limits<Component>::max());
  return static_cast<float>(std::fmax(value / largest, -1.0));
}

template <class Component, class T, class Floats>
static void checkNormalized(const std::vector<Floats>& results, const Memory<T>& memory, const char* type) {
  constexpr size_t kComponents = sizeof(T) / sizeof(Component);
  static_assert(sizeof(Floats) == kComponents * sizeof(float));
  for (int i = 0; i < kCount; ++i) {
    float components[kComponents];
    std::memcpy(components, &results[static_cast<size_t>(i)], sizeof components);
    for (size_t c = 0; c < kComponents; ++c) {
      const float expected = normalized<Component>(memory.bytes(i) + c * sizeof(Component));
      expect(std::fabs(components[c] - expected) < 1e-6f, "normalized read", type);
    }
  }
}

// The variables of one type, the kernels that fetch through them, and the check. Some are the file's own.
#define TYPE(name, T)                                                                                        \
  texture<T, 1, musaReadModeElementType> linear_##name;                                                      \
  static texture<T, musaTextureType2D, musaReadModeElementType> array_##name;                                \
  __global__ void fetchLinear_##name(T* out) {                                                               \
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);                                   \
    if (i < kCount + 2) out[i] = tex1Dfetch(linear_##name, i - 1);                                           \
  }                                                                                                          \
  __global__ void fetchArray_##name(T* out) {                                                                \
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);                          \
    out[y * kWidth + x] = tex2D(array_##name, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);   \
  }                                                                                                          \
  static void check_##name() {                                                                               \
    Memory<T> memory;                                                                                        \
    size_t offset = 1;                                                                                       \
    expectMusa(musaBindTexture(&offset, linear_##name, memory.device(), kCount * sizeof(T)),                 \
               "musaBindTexture", #T);                                                                       \
    expect(offset == 0, "offset", #T);                                                                       \
    checkLinear<T>(fetchAll<T>(kCount + 2, [](T* out) { fetchLinear_##name<<<4, 64>>>(out); }), memory, #T); \
    expectMusa(musaBindTextureToArray(array_##name, memory.array()), "musaBindTextureToArray", #T);          \
    checkArray<T>(fetchAll<T>(kCount, [](T* out) { fetchArray_##name<<<1, dim3(kWidth, kHeight)>>>(out); }), \
                  memory, #T);                                                                               \
    expectMusa(musaUnbindTexture(linear_##name), "musaUnbindTexture", #T);                                   \
    expectMusa(musaUnbindTexture(array_##name), "musaUnbindTexture", #T);                                    \
  }

#define NORMALIZED(name, T, Component, Floats)                                                            \
  namespace {                                                                                             \
  texture<T, 2, musaReadModeNormalizedFloat> normalized_##name;                                           \
  }                                                                                                       \
  __global__ void fetchNormalized_##name(Floats* out) {                                                   \
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);                       \
    out[y * kWidth + x] =                                                                                 \
        tex2D(normalized_##name, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);             \
  }                                                                                                       \
  static void checkNormalized_##name() {                                                                  \
    Memory<T> memory;                                                                                     \
    const musaChannelFormatDesc desc = musaCreateChannelDesc<T>();                                        \
    expectMusa(musaBindTextureToArray(normalized_##name, memory.array(), desc), "musaBindTextureToArray", \
               #T);                                                                                       \
    checkNormalized<Component>(                                                                           \
        fetchAll<Floats>(kCount,                                                                          \
                         [](Floats* out) { fetchNormalized_##name<<<1, dim3(kWidth, kHeight)>>>(out); }), \
        memory, #T);                                                                                      \
    expectMusa(musaUnbindTexture(&normalized_##name), "musaUnbindTexture", #T);                           \
  }

#define WIDTHS(prefix, Component) \
  TYPE(prefix, Component)         \
  TYPE(prefix##1, prefix##1)      \
  TYPE(prefix##2, prefix##2)      \
  TYPE(prefix##4, prefix##4)
#define NORMALIZED_WIDTHS(prefix, Component)          \
  NORMALIZED(prefix, Component, Component, float)     \
  NORMALIZED(prefix##1, prefix##1, Component, float1) \
  NORMALIZED(prefix##2, prefix##2, Component, float2) \
  NORMALIZED(prefix##4, prefix##4, Component, float4)

typedef signed char schar;
typedef unsigned char byte;
typedef unsigned short ushort_;
typedef unsigned int word;
WIDTHS(char, schar)
WIDTHS(uchar, byte)
WIDTHS(short, short)
WIDTHS(ushort, ushort_)
WIDTHS(int, int)
WIDTHS(uint, word)
WIDTHS(float, float)
NORMALIZED_WIDTHS(char, schar)
NORMALIZED_WIDTHS(uchar, byte)
NORMALIZED_WIDTHS(short, short)
NORMALIZED_WIDTHS(ushort, ushort_)

#define CHECK(prefix) check_##prefix(), check_##prefix##1(), check_##prefix##2(), check_##prefix##4()
#define CHECK_NORMALIZED(prefix)                                                            \
  checkNormalized_##prefix(), checkNormalized_##prefix##1(), checkNormalized_##prefix##2(), \
      checkNormalized_##prefix##4()

int main() {
  CHECK(char);
  CHECK(uchar);
  CHECK(short);
  CHECK(ushort);
  CHECK(int);
  CHECK(uint);
  CHECK(float);
  CHECK_NORMALIZED(char);
  CHECK_NORMALIZED(uchar);
  CHECK_NORMALIZED(short);
  CHECK_NORMALIZED(ushort);
  if (failures == 0) std::puts("passed");
  return failures;
}
