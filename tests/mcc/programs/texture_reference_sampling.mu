// Sampling through texture references: addressing and filtering against a computation on the host.
#include <musa_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

static int failures = 0;
static void expect(bool right, const char* what, int line) {
  if (right) return;
  std::printf("wrong: line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) EXPECT((call) == musaSuccess)

constexpr int kW = 11, kH = 6, kD = 5;

texture<float, 1, musaReadModeElementType> line;
texture<float, 2, musaReadModeElementType> plane;
texture<float, 3> space(1, musaFilterModeLinear, musaAddressModeWrap);
texture<float2, musaTextureType1DLayered, musaReadModeElementType> lines;
texture<float, musaTextureType2DLayered, musaReadModeElementType> planes;
texture<float, musaTextureTypeCubemap, musaReadModeElementType> cube;

struct Point {
  float x, y, z;
};

__global__ void fetch1(float* out, const Point* at, int count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(count)) out[i] = tex1D(line, at[i].x);
}
__global__ void fetch2(float* out, const Point* at, int count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(count)) out[i] = tex2D(plane, at[i].x, at[i].y);
}
__global__ void fetch3(float* out, const Point* at, int count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(count)) out[i] = tex3D(space, at[i].x, at[i].y, at[i].z);
}
__global__ void fetchLayers(float* out) {
  const int i = static_cast<int>(threadIdx.x);
  const float2 pair = tex1DLayered(lines, static_cast<float>(i) + 0.5f, 1);
  out[3 * i] = pair.x + pair.y;
  out[3 * i + 1] = tex2DLayered(planes, static_cast<float>(i) + 0.5f, 0.5f, 2);
  const float sign = i % 2 == 0 ? 1.0f : -1.0f;
  out[3 * i + 2] =
      texCubemap(cube, i / 2 == 0 ? sign : 0.1f, i / 2 == 1 ? sign : 0.1f, i / 2 == 2 ? sign : 0.1f);
}

// ---- The host's computation

static float element(int x, int y, int z) { return static_cast<float>((x * 37 + y * 101 + z * 53) % 97); }

struct Settings {
  musaTextureAddressMode address;
  bool normalized, linear;
};

// The element's index; -1: the border.
static int place(int i, int size, const Settings& settings) {
  musaTextureAddressMode mode = settings.address;
  const bool periodic = mode == musaAddressModeWrap || mode == musaAddressModeMirror;
  if (periodic && !settings.normalized) mode = musaAddressModeClamp;
  if (mode == musaAddressModeBorder) return i < 0 || i >= size ? -1 : i;
  if (mode == musaAddressModeClamp) return i < 0 ? 0 : i >= size ? size - 1 : i;
  const int period = mode == musaAddressModeWrap ? size : 2 * size;
  const int folded = ((i % period) + period) % period;
  return folded < size ? folded : period - 1 - folded;
}

struct Neighbours {
  int index[2];
  double weight[2];
};
static Neighbours neighbours(float coordinate, int size, const Settings& settings) {
  const double at = static_cast<double>(coordinate) * (settings.normalized ? size : 1);
  if (!settings.linear) return {{place(static_cast<int>(std::floor(at)), size, settings), 0}, {1, 0}};
  const int low = static_cast<int>(std::floor(at - 0.5));
  const double weight = std::floor((at - 0.5 - low) * 256 + 0.5) / 256;  // as textures weigh
  return {{place(low, size, settings), place(low + 1, size, settings)}, {1 - weight, weight}};
}

static double expected(const Point& at, int dimensions, const Settings& settings) {
  const Neighbours none{{0, 0}, {1, 0}};
  const Neighbours x = neighbours(at.x, kW, settings);
  const Neighbours y = dimensions > 1 ? neighbours(at.y, kH, settings) : none;
  const Neighbours z = dimensions > 2 ? neighbours(at.z, kD, settings) : none;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int i = x.index[corner & 1], j = y.index[corner >> 1 & 1], k = z.index[corner >> 2];
    const double weight = x.weight[corner & 1] * y.weight[corner >> 1 & 1] * z.weight[corner >> 2];
    if (i >= 0 && j >= 0 && k >= 0) sum += weight * element(i, j, k);
  }
  return sum;
}

// ---- Images

static musaArray_t makeArray(int dimensions) {
  const int width = kW, height = dimensions > 1 ? kH : 0, depth = dimensions > 2 ? kD : 0;
  std::vector<float> values;
  for (int z = 0; z < (depth ? depth : 1); ++z) {
    for (int y = 0; y < (height ? height : 1); ++y) {
      for (int x = 0; x < width; ++x) values.push_back(element(x, y, z));
    }
  }
  const musaChannelFormatDesc desc = musaCreateChannelDesc<float>();
  musaArray_t array = nullptr;
  OK(musaMalloc3DArray(&array, &desc,
                       make_musaExtent(kW, static_cast<size_t>(height), static_cast<size_t>(depth))));
  musaMemcpy3DParms copy = {};
  copy.srcPtr = make_musaPitchedPtr(values.data(), kW * sizeof(float), kW, height ? kH : 1);
  copy.dstArray = array;
  copy.extent = make_musaExtent(kW, height ? kH : 1, depth ? kD : 1);
  copy.kind = musaMemcpyHostToDevice;
  OK(musaMemcpy3D(&copy));
  return array;
}

static std::vector<Point> points(bool normalized) {
  std::vector<Point> all;
  unsigned state = 99;
  auto next = [&](int size) {
    state = state * 1664525u + 1013904223u;
    // From 1.3 images before to 1.3 behind; off the edges of elements, where rounding decides.
    float value =
        (static_cast<float>(state >> 8 & 0x3fff) / 16384.0f * 2.6f - 0.8f) * static_cast<float>(size);
    if (std::fabs(value - std::nearbyint(value)) < 0.02f) value += 0.1f;
    return normalized ? value / static_cast<float>(size) : value;
  };
  for (int i = 0; i < 500; ++i) {
    const float x = next(kW), y = next(kH), z = next(kD);
    all.push_back({x, y, z});
  }
  return all;
}

template <class Reference, class Kernel>
static void checkSampling(Reference& reference, Kernel kernel, int dimensions) {
  const musaArray_t array = makeArray(dimensions);
  for (const musaTextureAddressMode address :
       {musaAddressModeWrap, musaAddressModeClamp, musaAddressModeMirror, musaAddressModeBorder}) {
    for (const int choice : {0, 1, 2, 3}) {
      const Settings settings{address, (choice & 1) != 0, (choice & 2) != 0};
      reference.normalized = settings.normalized;
      reference.filterMode = settings.linear ? musaFilterModeLinear : musaFilterModePoint;
      // Of directions that are not there, a border would take its half when filtering.
      for (int d = 0; d < 3; ++d) reference.addressMode[d] = d < dimensions ? address : musaAddressModeClamp;
      OK(musaBindTextureToArray(reference, array));
      const std::vector<Point> at = points(settings.normalized);
      const int count = static_cast<int>(at.size());
      float* out = nullptr;
      Point* places = nullptr;
      OK(musaMallocManaged(&out, at.size() * sizeof(float)));
      OK(musaMallocManaged(&places, at.size() * sizeof(Point)));
      for (size_t i = 0; i < at.size(); ++i) places[i] = at[i];
      kernel<<<(count + 127) / 128, 128>>>(out, places, count);
      OK(musaDeviceSynchronize());
      int wrong = 0;
      for (size_t i = 0; i < at.size(); ++i) {
        const double want = expected(at[i], dimensions, settings);
        if (std::fabs(out[i] - want) > (settings.linear ? 97.0 * 1.01 / 256 : 0)) ++wrong;
      }
      if (wrong != 0) {
        std::printf("wrong: %d of %d with %d dimensions, address mode %d, choice %d\n", wrong, count,
                    dimensions, static_cast<int>(address), choice);
        ++failures;
      }
      OK(musaFree(out));
      OK(musaFree(places));
    }
  }
  OK(musaUnbindTexture(reference));
  OK(musaFreeArray(array));
}

static void checkLayers() {
  constexpr int kSide = 6;
  auto make = [](const musaChannelFormatDesc& desc, musaExtent extent, unsigned flags,
                 std::vector<float> values, size_t row) {
    musaArray_t array = nullptr;
    OK(musaMalloc3DArray(&array, &desc, extent, flags));
    musaMemcpy3DParms copy = {};
    copy.srcPtr = make_musaPitchedPtr(values.data(), row, extent.width, extent.height ? extent.height : 1);
    copy.dstArray = array;
    copy.extent = make_musaExtent(extent.width, extent.height ? extent.height : 1, extent.depth);
    copy.kind = musaMemcpyHostToDevice;
    OK(musaMemcpy3D(&copy));
    return array;
  };
  std::vector<float> pairs, layers, faces;
  for (int i = 0; i < kSide * 2 * 3; ++i) pairs.push_back(static_cast<float>(i));
  for (int layer = 0; layer < 3; ++layer) {
    for (int i = 0; i < kSide * kSide; ++i) layers.push_back(static_cast<float>(100 * layer + i));
  }
  for (int face = 0; face < 6; ++face) faces.insert(faces.end(), kSide * kSide, static_cast<float>(face + 1));
  const musaArray_t a = make(musaCreateChannelDesc<float2>(), make_musaExtent(kSide, 0, 3), musaArrayLayered,
                             pairs, kSide * sizeof(float2));
  const musaArray_t b = make(musaCreateChannelDesc<float>(), make_musaExtent(kSide, kSide, 3),
                             musaArrayLayered, layers, kSide * sizeof(float));
  const musaArray_t c = make(musaCreateChannelDesc<float>(), make_musaExtent(kSide, kSide, 6),
                             musaArrayCubemap, faces, kSide * sizeof(float));
  OK(musaBindTextureToArray(lines, a));
  OK(musaBindTextureToArray(planes, b));
  OK(musaBindTextureToArray(cube, c));
  float* out = nullptr;
  OK(musaMallocManaged(&out, 18 * sizeof(float)));
  fetchLayers<<<1, kSide>>>(out);
  OK(musaDeviceSynchronize());
  for (int i = 0; i < kSide; ++i) {
    EXPECT(out[3 * i] == static_cast<float>(2 * (kSide * 2 + 2 * i) + 1));
    EXPECT(out[3 * i + 1] == static_cast<float>(200 + i));
    EXPECT(out[3 * i + 2] == static_cast<float>(i + 1));
  }
  OK(musaFree(out));
  OK(musaUnbindTexture(lines));
  OK(musaUnbindTexture(planes));
  OK(musaUnbindTexture(cube));
  for (musaArray_t array : {a, b, c}) OK(musaFreeArray(array));
}

int main() {
  EXPECT(space.normalized == 1 && space.filterMode == musaFilterModeLinear &&
         space.addressMode[2] == musaAddressModeWrap && space.channelDesc.x == 32);
  EXPECT(line.normalized == 0 && line.addressMode[0] == musaAddressModeClamp);
  checkSampling(line, fetch1, 1);
  checkSampling(plane, fetch2, 2);
  checkSampling(space, fetch3, 3);
  checkLayers();
  if (failures == 0) std::puts("passed");
  return failures;
}
