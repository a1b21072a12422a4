/* What CUB does by PTX on NVIDIA's devices, for groups of 32 lanes: a warp of 128 lanes has four of them. */
#pragma once

namespace cub_musa {

/* Threads are numbered over the block, x first, as lanes are. */
__device__ __forceinline__ unsigned int linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ __forceinline__ unsigned int lane() { return linear_thread() % 32u; }

/* Words of at most eight bytes move as one, others in parts. `Move` shuffles one word. */
template <typename T, typename Move>
__device__ __forceinline__ T by_words(const T& input, Move move) {
  T output;
  if (sizeof(T) <= 4) {
    unsigned int word = 0;
    __builtin_memcpy(&word, &input, sizeof(T) <= 4 ? sizeof(T) : 4);
    word = move(word);
    __builtin_memcpy(&output, &word, sizeof(T) <= 4 ? sizeof(T) : 4);
  } else {
    const int words = (sizeof(T) + 7) / 8;
#pragma unroll
    for (int i = 0; i < words; ++i) {
      const int size = i + 1 < words ? 8 : int(sizeof(T)) - 8 * i;
      unsigned long long word = 0;
      __builtin_memcpy(&word, reinterpret_cast<const char*>(&input) + 8 * i, size);
      word = move(word);
      __builtin_memcpy(reinterpret_cast<char*>(&output) + 8 * i, &word, size);
    }
  }
  return output;
}

/* PTX's shfl.sync.up, .down and .idx with segments of `Lanes` lanes and the bound that its operand c has. */
template <int Lanes>
struct move_up {
  unsigned int mask;
  int offset;
  template <typename W>
  __device__ __forceinline__ W operator()(W word) const {
    return __shfl_up_sync(mask, word, offset, Lanes);
  }
};
template <int Lanes>
struct move_down {
  unsigned int mask;
  int offset;
  template <typename W>
  __device__ __forceinline__ W operator()(W word) const {
    return __shfl_down_sync(mask, word, offset, Lanes);
  }
};
template <int Lanes>
struct move_index {
  unsigned int mask;
  int source;
  template <typename W>
  __device__ __forceinline__ W operator()(W word) const {
    return __shfl_sync(mask, word, source, Lanes);
  }
};

template <int Lanes, typename T>
__device__ __forceinline__ T shuffle_up(const T& input, int offset, int first, unsigned int mask) {
  const T moved = by_words(input, move_up<Lanes>{mask, offset});
  return int(lane() % Lanes) - offset < first ? input : moved;
}
template <int Lanes, typename T>
__device__ __forceinline__ T shuffle_down(const T& input, int offset, int last, unsigned int mask) {
  const T moved = by_words(input, move_down<Lanes>{mask, offset});
  return int(lane() % Lanes) + offset > last % Lanes ? input : moved;
}
template <int Lanes, typename T>
__device__ __forceinline__ T shuffle_index(const T& input, int source, unsigned int mask) {
  return by_words(input, move_index<Lanes>{mask, source});
}

/* Loads and stores that others see as they happen: of 16 bytes at once where T is aligned so. */
typedef unsigned long long pair_of_words __attribute__((vector_size(16)));
template <int Size>
struct word_of;
template <>
struct word_of<1> {
  typedef unsigned char type;
};
template <>
struct word_of<2> {
  typedef unsigned short type;
};
template <>
struct word_of<4> {
  typedef unsigned int type;
};
template <>
struct word_of<8> {
  typedef unsigned long long type;
};
template <>
struct word_of<16> {
  typedef pair_of_words type;
};

template <typename T>
constexpr int word_size(int size = 16) {
  return size == 1 || alignof(T) % size == 0 ? size : word_size<T>(size / 2);
}

template <typename T>
__device__ __forceinline__ T load_volatile(const T* from) {
  typedef typename word_of<word_size<T>()>::type word;
  T value;
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / sizeof(word)); ++i) {
    const word part = reinterpret_cast<const volatile word*>(from)[i];
    __builtin_memcpy(reinterpret_cast<char*>(&value) + i * sizeof(word), &part, sizeof(word));
  }
  return value;
}
template <typename T>
__device__ __forceinline__ void store_volatile(T* to, const T& value) {
  typedef typename word_of<word_size<T>()>::type word;
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / sizeof(word)); ++i) {
    word part;
    __builtin_memcpy(&part, reinterpret_cast<const char*>(&value) + i * sizeof(word), sizeof(word));
    reinterpret_cast<volatile word*>(to)[i] = part;
  }
}

// Lines that a later tile writes are on their way in time: nothing else fetches them ahead. Where the
// iterator is no pointer there is nothing to fetch.
template <typename Iterator>
__device__ __forceinline__ void fetch_to_write(const Iterator&, long long) {}
template <typename T>
__device__ __forceinline__ void fetch_to_write(T* to, long long items) {
  __builtin_prefetch(reinterpret_cast<const char*>(to) + items * static_cast<long long>(sizeof(T)), 1);
}

}  // namespace cub_musa
