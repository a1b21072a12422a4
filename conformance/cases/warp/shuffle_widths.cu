// Every form, width and type of shuffle: what each lane of a full warp gets, also from outside
// its segment, with arguments that differ from lane to lane.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("warp.shuffle_widths");

enum Form { kIndex, kUp, kDown, kXor };

template <Form kForm, class T>
__device__ T shuffled(T value, int argument, int width) {
  if (kForm == kIndex) return __shfl_sync(0xffffffffu, value, argument, width);
  if (kForm == kUp) return __shfl_up_sync(0xffffffffu, value, static_cast<unsigned>(argument), width);
  if (kForm == kDown) return __shfl_down_sync(0xffffffffu, value, static_cast<unsigned>(argument), width);
  return __shfl_xor_sync(0xffffffffu, value, argument, width);
}

template <Form kForm, class T>
__global__ void allWidths(T* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const T value = static_cast<T>(lane * 3 + 1) / static_cast<T>(2);
  int row = 0;
  for (int width = 1; width <= 32; width *= 2) {
    for (int argument = 0; argument < 32; ++argument)
      out[row++ * 32 + lane] = shuffled<kForm>(value, argument, width);
  }
}

// Arguments of each lane's own.
template <Form kForm>
__global__ void ownArguments(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int row = 0;
  for (int width = 1; width <= 32; width *= 2)
    out[row++ * 32 + lane] = shuffled<kForm>(lane + 100, lane * 5 % 32, width);
}

// An index is taken modulo the width, also a negative one.
__global__ void indices(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_sync(0xffffffffu, lane, 37, 32);
  out[32 + lane] = __shfl_sync(0xffffffffu, lane, -1, 32);
  out[64 + lane] = __shfl_sync(0xffffffffu, lane, 9, 8);
  out[96 + lane] = __shfl_sync(0xffffffffu, lane, -3, 4);
}

template <class T>
static void observeType(const std::string& type) {
  DeviceArray<T> out(6 * 32 * 32);
  allWidths<kIndex><<<1, 32>>>(out.data());
  OBSERVE(type + "_index", joined(out.read()));
  allWidths<kUp><<<1, 32>>>(out.data());
  OBSERVE(type + "_up", joined(out.read()));
  allWidths<kDown><<<1, 32>>>(out.data());
  OBSERVE(type + "_down", joined(out.read()));
  allWidths<kXor><<<1, 32>>>(out.data());
  OBSERVE(type + "_xor", joined(out.read()));
}

int main() {
  observeType<int>("int");
  observeType<unsigned>("unsigned");
  observeType<long long>("long_long");
  observeType<unsigned long long>("unsigned_long_long");
  observeType<float>("float");
  observeType<double>("double");
  DeviceArray<int> own(6 * 32);
  ownArguments<kIndex><<<1, 32>>>(own.data());
  OBSERVE("own_index", joined(own.read()));
  ownArguments<kUp><<<1, 32>>>(own.data());
  OBSERVE("own_up", joined(own.read()));
  ownArguments<kDown><<<1, 32>>>(own.data());
  OBSERVE("own_down", joined(own.read()));
  ownArguments<kXor><<<1, 32>>>(own.data());
  OBSERVE("own_xor", joined(own.read()));
  DeviceArray<int> wrapped(4 * 32);
  indices<<<1, 32>>>(wrapped.data());
  OBSERVE("indices", joined(wrapped.read()));
}
