// Stands for a project's CUB of another version: names as Thrust's own has them, and nothing that works.
#pragma once
#define CUB_VERSION 101201
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_MAX(a, b) not_ours
#define CUB_MIN(a, b) not_ours
#define _CubLog(format, ...) not_ours
namespace cub {
struct DeviceReduce {};
template <class T>
struct Sum;

// What of it a program may give to Thrust.
struct Number {
  int value;
};
struct Larger {
  __host__ __device__ Number operator()(Number a, Number b) const { return a.value < b.value ? b : a; }
};
struct Less {
  __host__ __device__ bool operator()(Number a, Number b) const { return a.value < b.value; }
};

// Functions that the types above bring in where Thrust's own CUB calls those of the same names.
template <class Kernel>
__host__ __device__ musaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int threads, int bytes = 0);
template <class T, int COUNT, class Iterator>
__device__ void LoadDirectBlocked(int thread, Iterator from, T (&items)[COUNT]);
template <int THREADS, class T, int COUNT, class Iterator>
__device__ void LoadDirectStriped(int thread, Iterator from, T (&items)[COUNT]);
template <class T, int COUNT, class Iterator>
__device__ void StoreDirectBlocked(int thread, Iterator to, T (&items)[COUNT]);
template <int THREADS, class T, int COUNT, class Iterator>
__device__ void StoreDirectStriped(int thread, Iterator to, T (&items)[COUNT]);
template <int LANES, class T>
__device__ T ShuffleUp(T value, int offset, int first, unsigned lanes);
template <int LANES, class T>
__device__ T ShuffleIndex(T value, int lane, unsigned lanes);
template <class T>
__device__ void Swap(T& a, T& b);
}  // namespace cub
