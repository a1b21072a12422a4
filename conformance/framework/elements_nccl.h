// Elements of every type as numbers, for cases that go through the types.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>
#include <string>
#include <vector>

#include "observe_nccl.h"

template <class T>
struct Element {
  static T of(double value) { return static_cast<T>(value); }
  static double plain(T value) { return static_cast<double>(value); }
};
template <>
struct Element<__half> {
  static __half of(double value) { return __float2half(static_cast<float>(value)); }
  static double plain(__half value) { return static_cast<double>(__half2float(value)); }
};
template <>
struct Element<__nv_bfloat16> {
  static __nv_bfloat16 of(double value) { return __float2bfloat16(static_cast<float>(value)); }
  static double plain(__nv_bfloat16 value) { return static_cast<double>(__bfloat162float(value)); }
};
template <>
struct Element<__nv_fp8_e4m3> {
  static __nv_fp8_e4m3 of(double value) { return __nv_fp8_e4m3(static_cast<float>(value)); }
  static double plain(__nv_fp8_e4m3 value) { return static_cast<double>(static_cast<float>(value)); }
};
template <>
struct Element<__nv_fp8_e5m2> {
  static __nv_fp8_e5m2 of(double value) { return __nv_fp8_e5m2(static_cast<float>(value)); }
  static double plain(__nv_fp8_e5m2 value) { return static_cast<double>(static_cast<float>(value)); }
};

template <class T>
std::vector<unsigned char> bytesOf(const std::vector<double>& numbers) {
  std::vector<unsigned char> bytes(numbers.size() * sizeof(T));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const T value = Element<T>::of(numbers[i]);
    memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

template <class T>
std::vector<double> numbersOf(const std::vector<unsigned char>& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  for (size_t i = 0; i < numbers.size(); ++i) {
    T value;
    memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    numbers[i] = Element<T>::plain(value);
  }
  return numbers;
}

// "1,-0,nan,inf": with the sign of zeros, and all NaN alike.
inline std::string written(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    char one[40] = "nan";
    if (number == number) snprintf(one, sizeof one, "%.9g", number);
    if (!text.empty()) text += ",";
    text += one;
  }
  return text;
}

// One buffer per rank with its numbers; freed at the end.
template <class T>
class Fleet {
 public:
  template <class Numbers>
  Fleet(int ranks, Numbers numbers) {
    for (int rank = 0; rank < ranks; ++rank)
      buffers_.push_back(new RankBuffer(rank, bytesOf<T>(numbers(rank))));
  }
  ~Fleet() {
    for (RankBuffer* buffer : buffers_) delete buffer;
  }
  T* data(int rank) const { return static_cast<T*>(buffers_[static_cast<size_t>(rank)]->data()); }
  std::string of(int rank) const {
    return written(numbersOf<T>(buffers_[static_cast<size_t>(rank)]->read()));
  }
  // All ranks' content; once, when they are all the same.
  std::string content() const {
    std::string text = of(0);
    bool same = true;
    for (size_t rank = 1; rank < buffers_.size(); ++rank) same = same && of(static_cast<int>(rank)) == of(0);
    if (same) return text;
    for (size_t rank = 1; rank < buffers_.size(); ++rank) text += " | " + of(static_cast<int>(rank));
    return text;
  }

 private:
  std::vector<RankBuffer*> buffers_;
};

template <class Call>
void onEveryRank(const Ranks& ranks, Call call) {
  SETUP_NCCL(ncclGroupStart());
  for (int rank = 0; rank < ranks.size(); ++rank) SETUP_NCCL(call(rank));
  SETUP_NCCL(ncclGroupEnd());
  ranks.synchronize();
}

// Calls `visit(name, nccl type, value of the C++ type)` for every type.
template <class Visit>
void forEveryType(Visit visit) {
  visit("int8", ncclInt8, static_cast<signed char>(0));
  visit("uint8", ncclUint8, static_cast<unsigned char>(0));
  visit("int32", ncclInt32, 0);
  visit("uint32", ncclUint32, 0u);
  visit("int64", ncclInt64, 0ll);
  visit("uint64", ncclUint64, 0ull);
  visit("float16", ncclFloat16, Element<__half>::of(0));
  visit("float32", ncclFloat32, 0.0f);
  visit("float64", ncclFloat64, 0.0);
  visit("bfloat16", ncclBfloat16, Element<__nv_bfloat16>::of(0));
  visit("float8e4m3", ncclFloat8e4m3, Element<__nv_fp8_e4m3>::of(0));
  visit("float8e5m2", ncclFloat8e5m2, Element<__nv_fp8_e5m2>::of(0));
}
