// C++20 in device code: concepts, consteval, designated initialisers, templates of lambdas and of class
// values, three-way comparison, using enum.
// options: cpp20
#include <compare>
#include <concepts>
#include <type_traits>

#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.cpp20");

template <class F>
concept Exchange = requires(F f, int x) {
  { f(x) } -> std::convertible_to<int>;
};

template <class T>
concept Small = std::integral<T> && sizeof(T) <= 2;

struct Options {
  int rounds = 1;
  int factor = 2;
  bool operator==(const Options&) const = default;
};

struct Version {
  int major, minor;
  __host__ __device__ constexpr auto operator<=>(const Version& other) const {
    return major != other.major ? major <=> other.major : minor <=> other.minor;
  }
  __host__ __device__ constexpr bool operator==(const Version& other) const {
    return major == other.major && minor == other.minor;
  }
};

template <Options kOptions>
__device__ int repeated(Exchange auto exchange, int value) {
  static_assert(kOptions != Options{});
  for (int round = 0; round < kOptions.rounds; ++round) value = exchange(value * kOptions.factor);
  return value;
}

consteval int squared(int x) { return x * x; }

__device__ int sizeClass(Small auto) { return 1; }
__device__ int sizeClass(std::integral auto) { return 2; }

template <int kBase>
struct Counter {
  static constexpr int kStep = kBase > 4 ? 3 : 1;
  __device__ constexpr int next(int value) const { return value + kStep; }
};

__global__ void modern(int* out) {
  __shared__ int shared[64];
  const int me = static_cast<int>(threadIdx.x);
  const auto neighbour = [&, by = squared(3)]<class T>(T value) -> T {
    shared[me] = value;
    __syncthreads();
    const T result = shared[(me + by) % 64];
    __syncthreads();
    return result;
  };
  int value = repeated<Options{.rounds = 3, .factor = 5}>(neighbour, me);
  constexpr int kept[]{1, 2, 3, 4};
  for (int sum = 0; const int x : kept) {
    sum += x;
    value += sum * neighbour(x * me);
  }
  if (__any_sync(0xffffffffu, value < 0)) [[unlikely]]
    value = 0;
  out[me] = value;
}

__global__ void comparisons(int* out) {
  const Version a{1, 5}, b{1, 7}, c{2, 0};
  out[0] = a < b;
  out[1] = c > b;
  out[2] = a == Version{1, 5};
  out[3] = (a <=> c) < 0;
  out[4] = sizeClass(static_cast<short>(1)) * 10 + sizeClass(1);
  out[5] = Counter<5>{}.next(10) * 100 + Counter<2>{}.next(10);
  const auto add = []<class... Numbers>(Numbers... numbers) { return (numbers + ... + 0); };
  out[6] = add(1, 2.5, 'a');
  enum class Colour { kRed = 3, kBlue = 8 };
  using enum Colour;
  out[7] = static_cast<int>(kRed) + static_cast<int>(kBlue);
}

int main() {
  DeviceArray<int> out(64);
  modern<<<1, 64>>>(out.data());
  OBSERVE("modern", joined(out.read()));
  DeviceArray<int> facts(8);
  comparisons<<<1, 1>>>(facts.data());
  OBSERVE("comparisons", joined(facts.read()));
}
