// Binding of texture and surface references by CUDA 11's documentation: to memory and to arrays, for later
// kernels, on each device, and what is refused.
#include <musa_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static int failures = 0;
static void expect(bool right, const char* what, int line) {
  if (right) return;
  std::printf("wrong: line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) EXPECT((call) == musaSuccess)

texture<int, 2, musaReadModeElementType> integers;
texture<int, 1, musaReadModeNormalizedFloat> badRead;
texture<float, 1> unused;  // by no kernel
static texture<float, 1> rebound;
surface<void, 2> canvas;

__global__ void fetchInteger(int* out) {
  out[0] = tex2D(integers, 1.5f, 0.5f);
  const int4 four = tex2Dgather(integers, 1.0f, 1.0f, 0);
  out[1] = four.x, out[2] = four.y, out[3] = four.z, out[4] = four.w;
}
__global__ void fetchRebound(float* out, int index) { *out = tex1Dfetch(rebound, index); }
// Long enough that a binding that does not wait would show.
__global__ void fetchRepeatedly(float* out, int rounds) {
  float sum = 0;
  for (int i = 0; i < rounds; ++i) sum += tex1Dfetch(rebound, i % 4);
  *out = sum / static_cast<float>(rounds);
}
__global__ void paint() {
  surf2Dwrite(static_cast<float>(threadIdx.x + 10 * threadIdx.y), canvas,
              static_cast<int>(threadIdx.x * sizeof(float)), static_cast<int>(threadIdx.y));
}
__global__ void readBack(float* out) {
  float value = 0;
  surf2Dread(&value, canvas, 8, 1);
  out[0] = value;
  out[1] = surf2Dread<float>(canvas, 4, 3);
  out[2] = surf2Dread<float>(canvas, -4, 0, musaBoundaryModeClamp);
}

// Rows of memory, also ones that do not begin where textures do.
static void checkPitched() {
  int* device = nullptr;
  size_t pitch = 0, offset = 7;
  OK(musaMallocPitch(&device, &pitch, 16 * sizeof(int), 8));
  std::vector<int> values(16 * 8);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i) - 60;
  OK(musaMemcpy2D(device, pitch, values.data(), 16 * sizeof(int), 16 * sizeof(int), 8,
                  musaMemcpyHostToDevice));
  OK(musaBindTexture2D(&offset, integers, device, musaCreateChannelDesc<int>(), 16, 8, pitch));
  EXPECT(offset == 0);
  int* out = nullptr;
  OK(musaMallocManaged(&out, 5 * sizeof(int)));
  fetchInteger<<<1, 1>>>(out);
  OK(musaDeviceSynchronize());
  EXPECT(out[0] == values[1]);
  EXPECT(out[1] == values[16] && out[2] == values[17] && out[3] == values[1] && out[4] == values[0]);
  OK(musaBindTexture2D(&offset, integers, device + 2, 8, 8, pitch));
  EXPECT(offset == 8);
  fetchInteger<<<1, 1>>>(out);
  OK(musaDeviceSynchronize());
  EXPECT(out[0] == values[1]);  // the texture begins at the aligned address
  EXPECT(musaBindTexture2D(nullptr, integers, device + 2, 8, 8, pitch) == musaErrorInvalidValue);
  EXPECT(musaBindTexture2D(&offset, integers, device, 8, 8, pitch + 4) == musaErrorInvalidValue);
  integers.filterMode = musaFilterModeLinear;
  EXPECT(musaBindTexture2D(&offset, integers, device, 8, 8, pitch) == musaErrorInvalidFilterSetting);
  integers.filterMode = musaFilterModePoint;
  OK(musaUnbindTexture(integers));
  OK(musaFree(out));
  OK(musaFree(device));
}

static float fetched(int index) {
  float* out = nullptr;
  OK(musaMallocManaged(&out, sizeof(float)));
  fetchRebound<<<1, 1>>>(out, index);
  OK(musaDeviceSynchronize());
  const float value = *out;
  OK(musaFree(out));
  return value;
}

static float* filled(float value) {
  float* device = nullptr;
  OK(musaMalloc(&device, 1024));
  const std::vector<float> values(256, value);
  OK(musaMemcpy(device, values.data(), 1024, musaMemcpyHostToDevice));
  return device;
}

static void checkBinding() {
  size_t offset = 99;
  EXPECT(musaGetTextureAlignmentOffset(&offset, rebound) == musaErrorInvalidTextureBinding);
  OK(musaUnbindTexture(rebound));
  float *one = filled(1), *two = filled(2);
  const float three = 3;
  OK(musaMemcpy(one + 40, &three, sizeof three, musaMemcpyHostToDevice));
  OK(musaBindTexture(nullptr, rebound, one));  // all of it
  EXPECT(fetched(255) == 1 && fetched(256) == 0 && fetched(-1) == 0);

  // From the middle: the offset says how far the texture begins before it.
  EXPECT(musaBindTexture(nullptr, rebound, one + 40, 64) == musaErrorInvalidValue);
  OK(musaBindTexture(&offset, rebound, one + 40, 64));
  EXPECT(offset == 160 && fetched(static_cast<int>(offset / sizeof(float))) == 3 && fetched(56) == 0);
  offset = 0;
  OK(musaGetTextureAlignmentOffset(&offset, &rebound));
  EXPECT(offset == 160);

  // Kernels that were launched before see what was bound then.
  OK(musaBindTexture(nullptr, rebound, two, 1024));
  musaStream_t stream = nullptr;
  OK(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  float* out = nullptr;
  OK(musaMallocManaged(&out, 2 * sizeof(float)));
  fetchRepeatedly<<<1, 1, 0, stream>>>(out, 2000000);
  OK(musaBindTexture(nullptr, rebound, one, 1024));
  fetchRepeatedly<<<1, 1, 0, stream>>>(out + 1, 4);
  OK(musaDeviceSynchronize());
  EXPECT(out[0] == 2 && out[1] == 1);
  OK(musaStreamDestroy(stream));

  // The C interface, by the reference's address.
  const textureReference* reference = nullptr;
  OK(musaGetTextureReference(&reference, &rebound));
  EXPECT(reference == &rebound);
  const musaChannelFormatDesc desc = musaCreateChannelDesc<float>();
  OK(musaBindTexture(nullptr, reference, two, &desc, 1024));
  EXPECT(fetched(0) == 2);

  // Each device has bindings of its own.
  OK(musaSetDevice(1));
  EXPECT(musaGetTextureAlignmentOffset(&offset, rebound) == musaErrorInvalidTextureBinding);
  float* other = filled(5);
  OK(musaBindTexture(nullptr, rebound, other, 1024));
  EXPECT(fetched(0) == 5);
  OK(musaUnbindTexture(rebound));
  OK(musaFree(other));
  OK(musaSetDevice(0));
  EXPECT(fetched(0) == 2);

  OK(musaBindTexture(nullptr, unused, one, 1024));
  OK(musaUnbindTexture(unused));
  OK(musaUnbindTexture(rebound));
  EXPECT(musaGetTextureAlignmentOffset(&offset, rebound) == musaErrorInvalidTextureBinding);
  OK(musaFree(one));
  OK(musaFree(two));
  OK(musaFree(out));
}

static void checkErrors() {
  float* device = filled(0);
  const musaChannelFormatDesc desc = musaCreateChannelDesc<float>();
  musaChannelFormatDesc bad = desc;
  bad.z = 32;
  textureReference mine = rebound;
  const textureReference* found = nullptr;
  size_t offset = 0;
  EXPECT(musaBindTexture(&offset, &mine, device, &desc, 64) == musaErrorInvalidTexture);
  EXPECT(musaBindTexture(&offset, static_cast<const textureReference*>(nullptr), device, &desc, 64) ==
         musaErrorInvalidTexture);
  EXPECT(musaUnbindTexture(&mine) == musaErrorInvalidTexture);
  EXPECT(musaGetTextureReference(&found, &mine) == musaErrorInvalidTexture);
  EXPECT(musaGetTextureReference(nullptr, &rebound) == musaErrorInvalidValue);
  EXPECT(musaGetTextureAlignmentOffset(&offset, &mine) == musaErrorInvalidTexture);
  EXPECT(musaBindTexture(&offset, rebound, device, bad, 64) == musaErrorInvalidChannelDescriptor);
  EXPECT(musaBindTexture(&offset, &rebound, device, nullptr, 64) == musaErrorInvalidValue);
  EXPECT(musaBindTexture(&offset, rebound, nullptr, 64) == musaErrorInvalidValue);
  EXPECT(musaBindTexture(&offset, badRead, device, 64) == musaErrorInvalidNormSetting);
  EXPECT(musaBindTextureToArray(&rebound, nullptr, &desc) == musaErrorInvalidValue);
  EXPECT(musaBindSurfaceToArray(reinterpret_cast<const surfaceReference*>(&rebound), nullptr, &desc) ==
         musaErrorInvalidValue);
  (void)musaGetLastError();
  OK(musaFree(device));
}

static void checkSurface() {
  const musaChannelFormatDesc desc = musaCreateChannelDesc<float>();
  musaArray_t array = nullptr;
  OK(musaMallocArray(&array, &desc, 8, 4, musaArraySurfaceLoadStore));
  OK(musaBindSurfaceToArray(canvas, array));
  const surfaceReference* reference = nullptr;
  OK(musaGetSurfaceReference(&reference, &canvas));
  EXPECT(reference == &canvas);
  EXPECT(musaBindSurfaceToArray(reinterpret_cast<const surfaceReference*>(&rebound), array, &desc) ==
         musaErrorInvalidSurface);
  float* out = nullptr;
  OK(musaMallocManaged(&out, 3 * sizeof(float)));
  paint<<<1, dim3(8, 4)>>>();
  readBack<<<1, 1>>>(out);
  OK(musaDeviceSynchronize());
  EXPECT(out[0] == 12 && out[1] == 31 && out[2] == 0);
  OK(musaFree(out));
  OK(musaFreeArray(array));
}

int main() {
  setenv("MUSASHIM_DEVICES", "2", 1);
  checkPitched();
  checkBinding();
  checkErrors();
  checkSurface();
  // A device that starts again has no bindings.
  float* device = filled(4);
  OK(musaBindTexture(nullptr, rebound, device, 1024));
  OK(musaDeviceReset());
  size_t offset = 0;
  EXPECT(musaGetTextureAlignmentOffset(&offset, rebound) == musaErrorInvalidTextureBinding);
  device = filled(6);
  OK(musaBindTexture(nullptr, rebound, device, 1024));
  EXPECT(fetched(3) == 6);
  if (failures == 0) std::puts("passed");
  return failures;
}
