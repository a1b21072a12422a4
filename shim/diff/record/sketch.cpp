#include "sketch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <thread>

namespace musashim::record {
namespace {

constexpr uint64_t kFirst = 0x9e3779b97f4a7c15, kSecond = 0xc2b2ae3d27d4eb4f;

uint64_t rotate(uint64_t value, int by) { return value << by | value >> (64 - by); }

uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 32) * kFirst;
  value = (value ^ value >> 29) * kSecond;
  return value ^ value >> 32;
}

uint64_t shortHash(const unsigned char* data, size_t bytes) {
  Hash hash(bytes);
  hash.add(data, bytes);
  return hash.first();
}

template <class T>
std::array<T, kBlock> makeWeights() {
  std::array<T, kBlock> weights{};
  for (size_t i = 0; i < kBlock; ++i) {
    const uint64_t random = mixed(i + 1);
    const double size = 0.5 + static_cast<double>(random >> 11) / 9007199254740992.0;
    weights[i] = static_cast<T>((random & 1) != 0 ? -size : size);
  }
  return weights;
}

float halfToFloat(uint16_t bits) {
  const uint32_t sign = uint32_t{bits} >> 15 << 31, exponent = bits >> 10 & 31, fraction = bits & 1023;
  uint32_t wide;
  if (exponent == 31) {
    wide = sign | 0x7f800000 | fraction << 13;
  } else if (exponent != 0) {
    wide = sign | (exponent + 112) << 23 | fraction << 13;
  } else {
    const float small = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -small : small;
  }
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

float bfloatToFloat(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, 4);
  return value;
}

// The elements [first, first + count) as T, float or double.
template <class T>
void load(const unsigned char* data, Type type, size_t first, size_t count, T* out) {
  data += first * typeSize(type);
  const auto widen = [&](auto example) {
    for (size_t i = 0; i < count; ++i) {
      decltype(example) value;
      std::memcpy(&value, data + i * sizeof value, sizeof value);
      out[i] = static_cast<T>(value);
    }
  };
  switch (type) {
    case Type::kF32:
      return widen(float{});
    case Type::kF64:
      return widen(double{});
    case Type::kI16:
      return widen(int16_t{});
    case Type::kI32:
      return widen(int32_t{});
    case Type::kI64:
      return widen(int64_t{});
    case Type::kF16:
    case Type::kBF16:
      for (size_t i = 0; i < count; ++i) {
        uint16_t bits;
        std::memcpy(&bits, data + i * 2, 2);
        out[i] = static_cast<T>(type == Type::kF16 ? halfToFloat(bits) : bfloatToFloat(bits));
      }
      return;
    case Type::kUnknown:
    case Type::kI8:
      return widen(uint8_t{});
  }
}

struct Totals {
  double sum = 0, magnitude = 0, min = std::numeric_limits<double>::infinity(), max = -min;
  size_t nan = 0, infinite = 0;
};

// Vectors of the compilers' own, a register each.
template <class T>
struct Vectors;
template <>
struct Vectors<float> {
  typedef float Values __attribute__((vector_size(16)));
  typedef int32_t Bits __attribute__((vector_size(16)));
  static constexpr int32_t kMagnitude = 0x7fffffff;
};
template <>
struct Vectors<double> {
  typedef double Values __attribute__((vector_size(16)));
  typedef int64_t Bits __attribute__((vector_size(16)));
  static constexpr int64_t kMagnitude = 0x7fffffffffffffff;
};

// `values` has kBlock elements, of which those from `count` on are 0.
template <class T>
void addFinite(const T* values, size_t count, Totals& totals, BlockSketch& block) {
  using Values = typename Vectors<T>::Values;
  using Bits = typename Vectors<T>::Bits;
  alignas(16) static const std::array<T, kBlock> weights = makeWeights<T>();
  constexpr size_t kLanes = sizeof(Values) / sizeof(T);
  const Values start = values[0] - Values{};
  Values projection = {}, magnitude = {}, sum = {}, low = start, high = start;
  // Zeros behind the last element are no element.
  const size_t whole = count / kLanes * kLanes;
  for (size_t i = 0; i < kBlock; i += kLanes) {
    Values value, weight;
    std::memcpy(&value, values + i, sizeof value);
    std::memcpy(&weight, weights.data() + i, sizeof weight);
    projection += value * weight;
    magnitude += reinterpret_cast<Values>(reinterpret_cast<Bits>(value) & Vectors<T>::kMagnitude);
    sum += value;
    if (i >= whole) continue;
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  block = {};
  for (size_t lane = 0; lane < kLanes; ++lane) {
    block.projection += static_cast<double>(projection[lane]);
    block.magnitude += static_cast<double>(magnitude[lane]);
    totals.sum += static_cast<double>(sum[lane]);
    totals.min = std::min(totals.min, static_cast<double>(low[lane]));
    totals.max = std::max(totals.max, static_cast<double>(high[lane]));
  }
  for (size_t i = whole; i < count; ++i) {
    totals.min = std::min(totals.min, static_cast<double>(values[i]));
    totals.max = std::max(totals.max, static_cast<double>(values[i]));
  }
  totals.magnitude += block.magnitude;
}

template <class T>
void addBlock(const unsigned char* data, Type type, size_t first, size_t count, Totals& totals,
              BlockSketch& block) {
  T values[kBlock];
  load(data, type, first, count, values);
  std::fill(values + count, values + kBlock, T{0});
  typename Vectors<T>::Values zeros = {};  // not all 0 if one of them is no finite one
  for (size_t i = 0; i < kBlock; i += sizeof zeros / sizeof(T)) {
    typename Vectors<T>::Values value;
    std::memcpy(&value, values + i, sizeof value);
    zeros += value * T{0};
  }
  T all = 0;
  for (size_t lane = 0; lane < sizeof zeros / sizeof(T); ++lane) all += zeros[lane];
  if (all == T{0}) return addFinite(values, count, totals, block);
  T finite[kBlock] = {};  // 0 where it is not: it adds nothing
  Totals own;
  size_t good = 0;
  for (size_t i = 0; i < count; ++i) {
    if (std::isfinite(values[i])) {
      finite[i] = values[i];
      own.min = std::min(own.min, static_cast<double>(values[i]));
      own.max = std::max(own.max, static_cast<double>(values[i]));
      ++good;
    }
    own.nan += std::isnan(values[i]) ? 1 : 0;
  }
  Totals sums;
  addFinite(finite, count, sums, block);
  totals.sum += sums.sum;
  totals.magnitude += sums.magnitude;
  totals.min = std::min(totals.min, own.min);
  totals.max = std::max(totals.max, own.max);
  totals.nan += own.nan;
  totals.infinite += count - good - own.nan;
}

struct TypeWord {
  const char* name;
  Type type;
  size_t size;
};
constexpr TypeWord kTypes[] = {{"bytes", Type::kUnknown, 1}, {"f16", Type::kF16, 2}, {"bf16", Type::kBF16, 2},
                               {"f32", Type::kF32, 4},       {"f64", Type::kF64, 8}, {"i8", Type::kI8, 1},
                               {"i16", Type::kI16, 2},       {"i32", Type::kI32, 4}, {"i64", Type::kI64, 8}};

}  // namespace

const char* typeName(Type type) { return kTypes[static_cast<int>(type)].name; }

Type typeOfName(const std::string& name) {
  for (const TypeWord& word : kTypes)
    if (name == word.name) return word.type;
  return Type::kUnknown;
}

size_t typeSize(Type type) { return kTypes[static_cast<int>(type)].size; }

bool isFloat(Type type) { return type >= Type::kF16 && type <= Type::kF64; }

Sketch sketchOf(const void* data, size_t bytes, Type type) {
  const auto* at = static_cast<const unsigned char*>(data);
  Sketch sketch;
  sketch.type = type;
  sketch.count = bytes / typeSize(type);
  sketch.blocks.resize((sketch.count + kBlock - 1) / kBlock);
  const auto part = [&](size_t block, size_t end, Totals& totals) {
    for (; block < end; ++block) {
      const size_t first = block * kBlock, count = std::min(kBlock, sketch.count - first);
      if (type == Type::kF64 || type == Type::kI64 || type == Type::kI32)
        addBlock<double>(at, type, first, count, totals, sketch.blocks[block]);
      else
        addBlock<float>(at, type, first, count, totals, sketch.blocks[block]);
      if (isFloat(type)) continue;
      const uint64_t hash = shortHash(at + first * typeSize(type), count * typeSize(type));
      sketch.blocks[block] = {static_cast<double>(hash >> 11), 0};
    }
  };
  // Large ones by several threads.
  constexpr size_t kMostThreads = 8, kFewestBlocks = 4096;
  const size_t threads = std::clamp<size_t>(
      std::min<size_t>(std::thread::hardware_concurrency(), sketch.blocks.size() / kFewestBlocks), 1,
      kMostThreads);
  std::vector<Totals> parts(threads);
  std::vector<std::thread> others;
  const auto place = [&](size_t i) { return sketch.blocks.size() * i / threads; };
  for (size_t i = 1; i < threads; ++i)
    others.emplace_back([&, i] { part(place(i), place(i + 1), parts[i]); });
  part(0, place(1), parts[0]);
  for (std::thread& other : others) other.join();
  Totals totals;
  for (const Totals& one : parts) {
    totals.sum += one.sum;
    totals.magnitude += one.magnitude;
    totals.min = std::min(totals.min, one.min);
    totals.max = std::max(totals.max, one.max);
    totals.nan += one.nan;
    totals.infinite += one.infinite;
  }
  sketch.nan = totals.nan;
  sketch.infinite = totals.infinite;
  const size_t finite = sketch.count - totals.nan - totals.infinite;
  if (finite != 0) {
    sketch.min = totals.min;
    sketch.max = totals.max;
    sketch.mean = totals.sum / static_cast<double>(finite);
    sketch.meanMagnitude = totals.magnitude / static_cast<double>(finite);
  }
  for (size_t i = 0; i < sketch.samples.size() && sketch.count != 0; ++i)
    sketch.samples[i] = elementAt(data, type, i * sketch.count / sketch.samples.size());
  return sketch;
}

double elementAt(const void* data, Type type, size_t index) {
  double value = 0;
  load(static_cast<const unsigned char*>(data), type, index, 1, &value);
  return value;
}

Hash::Hash(size_t bytes) : lanes_{kFirst, kSecond, kFirst ^ kSecond, bytes} {}

// Four lanes, so that a processor works on them side by side.
void Hash::add(const void* content, size_t bytes) {
  const auto* data = static_cast<const unsigned char*>(content);
  std::array<uint64_t, 4> lanes = lanes_;
  const auto mix = [&](const unsigned char* from) {
    uint64_t words[4];
    std::memcpy(words, from, 32);
    for (int i = 0; i < 4; ++i) lanes[i] = rotate((lanes[i] ^ words[i]) * kFirst, 29);
  };
  size_t at = 0;
  for (; at + 32 <= bytes; at += 32) mix(data + at);
  if (at < bytes) {
    unsigned char rest[32] = {};
    std::memcpy(rest, data + at, bytes - at);
    mix(rest);
  }
  lanes_ = lanes;
}

uint64_t Hash::first() const {
  return mixed(lanes_[0] + rotate(lanes_[1], 17) + rotate(lanes_[2], 31) + rotate(lanes_[3], 47));
}

std::string Hash::text() const {
  const uint64_t second =
      mixed(lanes_[3] + rotate(lanes_[0], 13) + rotate(lanes_[1], 37) + rotate(lanes_[2], 53) + kSecond);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first()),
                static_cast<unsigned long long>(second));
  return text;
}

std::string hashOf(const void* data, size_t bytes) {
  Hash hash(bytes);
  hash.add(data, bytes);
  return hash.text();
}

}  // namespace musashim::record
